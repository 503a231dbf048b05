/** The process of a command host (command-host.ts): runs the commands that it receives as messages,
 *  one after the other, and answers each with its exit code and its output. */
import { main } from '../commands.ts'

export interface HostedCommand {
  id: number
  args: string[]
  /** The whole environment of the command. */
  env: Record<string, string>
}

export interface HostedRun {
  id: number
  code: number
  out: string
  error: string
}

const written = { stdout: '', stderr: '' }
for (const name of ['stdout', 'stderr'] as const)
  process[name].write = chunk => {
    written[name] += chunk
    return true
  }

let last = Promise.resolve()
process.on('message', (command: HostedCommand) => {
  last = last.then(() => run(command))
})
process.on('disconnect', () => process.exit())

async function run({ id, args, env }: HostedCommand): Promise<void> {
  process.env = { ...env }
  Object.assign(written, { stdout: '', stderr: '' })
  const code = await main(args)
  const answer: HostedRun = { id, code, out: written.stdout, error: written.stderr }
  process.send?.(answer)
}
