/** Runs many commands in one process, because the start of a process for each command would take
 *  most of the CPU time of their tests. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileCacheSetting } from '../../testing/compile-cache.ts'
import type { CommandRun } from '../../testing/program.ts'
import type { HostedCommand, HostedRun } from './command-host-process.ts'

const program = fileURLToPath(new URL('./command-host-process.ts', import.meta.url))

export interface CommandHost {
  /** Runs a command with only PATH and these environment variables, like `endOfCommand`, and
   *  resolves with its exit code and output. Commands run one after the other. Because they share a
   *  process, this cannot test whether a command ends its process by itself, or how it handles
   *  signals; at least one test of each command has to use `endOfCommand`. Rejects when the process
   *  ends. */
  run(args: readonly string[], env: Record<string, string>): Promise<CommandRun>
  /** Ends the process. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts the process. The caller closes the host. */
export function startCommandHost(): CommandHost {
  const child = fork(program, { env: { PATH: process.env.PATH ?? '', ...compileCacheSetting } })
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error('the process of the command host has ended')))
  })
  // Without this line, Node would report an unhandled rejection when the process ends while no
  // command runs.
  ended.catch(() => {})
  let lastId = 0
  return {
    run: (args, env) => {
      const command: HostedCommand = { id: ++lastId, args: [...args], env: { PATH: process.env.PATH ?? '', ...env } }
      const answered = new Promise<CommandRun>(resolve => {
        const onMessage = ({ id, ...answer }: HostedRun) => {
          if (id !== command.id) return
          child.off('message', onMessage)
          resolve(answer)
        }
        child.on('message', onMessage)
      })
      child.send(command)
      return Promise.race([answered, ended])
    },
    [Symbol.asyncDispose]: async () => {
      child.disconnect()
      await ended.catch(() => {})
    },
  }
}
