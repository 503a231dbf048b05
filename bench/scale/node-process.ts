/** A node of the scale benchmark: a process with a store on a database that other nodes use as
 *  well. It carries out one command at a time. */
import { openPostgresStore } from '../../src/stores/postgres/open.ts'
import { claimAndSettle, register, type Shape, secretKey, submit, taskMaker } from './load.ts'

export type NodeCommand = { kind: 'submit' | 'settle'; count: number; shape: Shape } | { kind: 'close' }

const [url = '', name = ''] = process.argv.slice(2)
const store = await openPostgresStore({ url, secretKey, nodeName: name })
await register(store, name)
const makers = { plain: taskMaker(`plain-${name}`, 'plain'), limited: taskMaker(`limited-${name}`, 'limited') }

process.on('message', (command: NodeCommand) => {
  run(command).then(
    () => process.send?.({}),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.send?.({})

async function run(command: NodeCommand): Promise<void> {
  if (command.kind === 'submit') return submit(store, command.count, makers[command.shape])
  if (command.kind === 'settle') return claimAndSettle(store, command.count, name)
  return store.close()
}
