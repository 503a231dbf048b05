/** Runs third-party programs as child processes, with limits that the kernel enforces. When this
 *  process ends, the programs are ended too. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { EnginePriority } from '../driver.ts'
import { assertSpawned, givePriority } from './child-process.ts'
import { forgetGroup, groupKeeper, keepGroup } from './group-keeper.ts'
import { limitScript, type ProcessLimits } from './process-limits.ts'

export interface LimitedRun extends ProcessLimits {
  env: NodeJS.ProcessEnv
  cwd?: string
  /** Limit of wall time in milliseconds. No limit when absent. */
  timeMs?: number
  /** Signal that kills the process and all its children. */
  signal?: AbortSignal | undefined
  priority?: EnginePriority | undefined
  /** Called with each piece of text that the process writes to its standard error. */
  onSaid?(text: string): void
  /** Time in milliseconds for which the output is still read once the process has ended. Its own
   *  children may have the output open, and would delay `ended`. No limit when absent. */
  lingerMs?: number
}

export interface LimitedProcess {
  pid: number | undefined
  stdin: Writable
  stdout: Readable
  /** Resolves once the process has ended and its output was read. Rejects when the process could
   *  not be started, and with the signal's reason. */
  ended: Promise<ProcessEnd>
  /** Kills the process and all its children at once. */
  kill(): void
}

export interface ProcessEnd {
  /** How the process ended. `done`: with exit code 0. `failed`: with another exit code. `time`,
   *  `cpu`, `file`: it exceeded this limit. `killed`: by any other signal, from this process or
   *  from the kernel of a machine short of memory. */
  kind: 'done' | 'failed' | 'time' | 'cpu' | 'file' | 'killed'
  /** The name of the signal, or the exit code. */
  how: string
  /** The exit code; 126 and 127 when the shell could not run the program. Absent after a signal. */
  code?: number
  /** The last 4,000 characters that the process wrote to its standard error. */
  said: string
}

const keptChars = 4000
const isWindows = process.platform === 'win32'
const shell = '/bin/sh'

/** Starts a program by its path or name. Its three streams are pipes; a standard output that is not
 *  read must be resumed. Throws an error with the code `EMFILE` when too many files are open. */
export function startLimited(program: string, args: readonly string[], run: LimitedRun): LimitedProcess {
  const { timeMs, signal, onSaid, lingerMs } = run
  signal?.throwIfAborted()
  const child = spawnLimited(program, args, run)
  let said = ''
  let isLate = false
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-keptChars)
    onSaid?.(text)
  })
  // Errors of this stream are ignored, because the writer learns from `ended` that the process has
  // ended.
  child.stdin.on('error', () => {})
  const kill = (): void => killGroup(child)
  const late = (): void => {
    isLate = true
    kill()
  }
  const timer = timeMs === undefined ? undefined : setTimeout(late, timeMs)
  signal?.addEventListener('abort', kill, { once: true })
  if (lingerMs !== undefined) closeSoonAfterExit(child, lingerMs)
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
      if (signal?.aborted) reject(signal.reason)
      else act()
    }
    child.once('error', error => settle(() => reject(error)))
    child.once('close', (code, name) => settle(() => resolve({ ...endOf(program, code, name), ...(isLate ? { kind: 'time' } : {}), said })))
  })
  // The caller awaits this promise later; this handler prevents an unhandled rejection until then.
  ended.catch(() => {})
  return { pid: child.pid, stdin: child.stdin, stdout: child.stdout, ended, kill }
}

/** Writes `input` to the process and resolves with its whole output once it has ended. A process
 *  that writes more than `mostBytes` is killed. Rejects as `ended` does. */
export async function outputOf(
  { stdin, stdout, ended, kill }: LimitedProcess,
  input: string,
  mostBytes: number,
): Promise<{ end: ProcessEnd; output: Buffer }> {
  const parts: Buffer[] = []
  let bytes = 0
  stdout.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > mostBytes) kill()
    else parts.push(part)
  })
  stdin.end(input)
  return { end: await ended, output: Buffer.concat(parts) }
}

type PipedProcess = ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable }

function closeSoonAfterExit(child: PipedProcess, lingerMs: number): void {
  child.once('exit', () => {
    const timer = setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, lingerMs)
    child.once('close', () => clearTimeout(timer))
  })
}

/** Spawns a shell. The shell sets the limits, writes its process group to the pipe of
 *  `groupKeeper`, and is then replaced by the program. So even if this process is killed at any
 *  time, the program ends as well. */
function spawnLimited(program: string, args: readonly string[], run: LimitedRun): PipedProcess {
  const options: SpawnOptions = { env: run.env, windowsHide: true, ...(run.cwd === undefined ? {} : { cwd: run.cwd }) }
  // The cast is safe: the first three streams are pipes.
  if (isWindows) {
    const started = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
    assertSpawned(started)
    return started as PipedProcess
  }
  const script = `${limitScript(run)}echo "+ $$" >&3\nexec "$0" "$@" 3>&-`
  const child = spawn(shell, ['-c', script, program, ...args], {
    ...options,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', groupKeeper()],
  }) as PipedProcess
  assertSpawned(child)
  const { pid } = child
  if (pid === undefined) return child
  keepGroup(pid)
  child.once('exit', () => {
    signalGroup(pid)
    forgetGroup(pid)
  })
  givePriority(pid, run.priority)
  return child
}

function killGroup(child: ChildProcess): void {
  if (isWindows || child.pid === undefined) child.kill('SIGKILL')
  else if (child.exitCode === null && child.signalCode === null) signalGroup(child.pid)
}

function signalGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // The error is ignored, because the whole group has ended already.
  }
}

/** Returns how the program ended. A code above 128 is read as a signal only for a shell, which
 *  reports the signal that ended its program in this way. ffmpeg uses such codes for other
 *  reasons. */
function endOf(program: string, code: number | null, name: NodeJS.Signals | null): Omit<ProcessEnd, 'said'> {
  const reported = program === shell && code !== null && code > 128 ? code - 128 : 0
  const signal = name === null ? reported : constants.signals[name]
  const how = name ?? `code ${code}`
  if (signal === constants.signals.SIGXCPU) return { kind: 'cpu', how }
  if (signal === constants.signals.SIGXFSZ) return { kind: 'file', how }
  if (code === null || signal > 0) return { kind: 'killed', how }
  return { kind: code === 0 ? 'done' : 'failed', how, code }
}
