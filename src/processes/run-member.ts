import { explain } from '../cli/explain.ts'
import { onStop } from '../cli/on-stop.ts'
import { exitSoon } from '../cli/terminal.ts'
import { readConfig } from '../config/settings.ts'
import { type Gateway, startGateway } from '../main.ts'
import { joinPrimary } from './member.ts'
import { memberVariable } from './messages.ts'

/** Runs the gateway as one of several processes. It stops when the primary process orders a stop
 *  or has ended, or when this process itself gets a signal to stop. */
export async function runMember(): Promise<void> {
  // The processes of the engines inherit the environment. The variable is deleted, so that they do
  // not take themselves for members.
  delete process.env[memberVariable]
  const { GATEWAY_NODE_NAME: name = '', GATEWAY_PROCESSES: count } = process.env
  const { promise: stop, resolve } = Promise.withResolvers<void>()
  let gateway: Gateway | undefined
  // SIGHUP is ignored here: the primary process gets the signal as well, and orders all members to
  // read the file.
  onStop(resolve, () => {})
  const reload = (round: number): void => {
    gateway?.reload().catch(error => member.send({ kind: 'refused', round, reason: explain(error) }))
  }
  // When the primary ends before this process listens, the process could never listen, because the
  // primary owns the port.
  process.once('disconnect', () => {
    if (gateway === undefined) process.exit(1)
  })
  const member = joinPrimary({ count: Number(count), name }, { onStop: resolve, onReload: reload })
  try {
    gateway = await startGateway({ config: readConfig(process.env), env: process.env, ownsProcess: true, siblings: member.siblings })
  } catch (error) {
    await member.send({ kind: 'failed', reason: explain(error) })
    process.exit(1)
  }
  await member.send({ kind: 'listening', url: gateway.url, firstStart: gateway.firstStart })
  await stop
  await gateway.stop()
  process.disconnect?.()
  exitSoon()
}
