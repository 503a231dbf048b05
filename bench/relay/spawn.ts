/** Starts the processes of a relay measurement. Each can be bound to a CPU core and may open ten
 *  thousand sockets. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SpawnOptions {
  core?: number
  env?: Record<string, string>
  /** File descriptor for the output of the process. When absent, the process's stdout is discarded
   *  and its stderr goes to the stderr of the benchmark. */
  output?: number
  hasMessages?: boolean
}

const sockets = 65_536
const living = new Set<ChildProcess>()

// When the benchmark is stopped early, its processes are ended as well.
process.once('exit', () => {
  // SIGKILL would leave the worker process of nginx running.
  for (const child of living) child.kill('SIGTERM')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Starts a process that may open many files, bound to `core` on machines that have the program
 *  `taskset`. The process id is that of the program itself, because each wrapper is replaced by
 *  the next program (`exec`). */
export function spawnPinned(command: string[], { core, env = {}, output, hasMessages = false }: SpawnOptions): ChildProcess {
  const pinned = core !== undefined && hasProgram('taskset') ? ['taskset', '-c', String(core), ...command] : command
  const script = `ulimit -n ${sockets} 2>/dev/null || ulimit -n "$(ulimit -H -n)"; exec "$@"`
  const child = spawn('bash', ['-c', script, 'bash', ...pinned], {
    env: { ...process.env, ...env },
    stdio: ['ignore', output ?? 'ignore', output ?? 'inherit', ...(hasMessages ? (['ipc'] as const) : [])],
  })
  living.add(child)
  child.once('exit', () => living.delete(child))
  return child
}

export async function endProcess(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.kill(signal)
  const hasEnded = await Promise.race([exited.then(() => true), sleep(40_000, false, { ref: false })])
  if (hasEnded) return
  child.kill('SIGKILL')
  await exited
}

/** Throws when a program already listens on the port. It would otherwise be measured in place of
 *  the one that is started. */
export async function assertFree(port: number): Promise<void> {
  const isTaken = await fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )
  if (isTaken) throw new Error(`port ${port} is taken: another bench may be running`)
}

/** Resolves when `url` answers 200. */
export async function untilUp(url: string, child: ChildProcess, seconds = 60): Promise<void> {
  const endsAt = performance.now() + seconds * 1000
  while (performance.now() < endsAt) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.slice(4).join(' ')} ended at its start with ${child.exitCode}`)
    const isUp = await fetch(url).then(
      async response => {
        await response.arrayBuffer()
        return response.ok
      },
      () => false,
    )
    if (isUp) return
    await sleep(100)
  }
  throw new Error(`${url} did not answer within ${seconds} s`)
}

export function hasProgram(name: string): boolean {
  return programsNamed(name).length > 0
}

/** Returns all files of this name in the folders of the PATH, in order. */
export function programsNamed(name: string): string[] {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map(folder => join(folder, name))
    .filter(isRunnable)
}

function isRunnable(path: string): boolean {
  try {
    execFileSync('test', ['-x', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
