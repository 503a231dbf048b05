/** Runs ffmpeg as a child process, always with limits. ffmpeg is a separate program (GPL), neither
 *  linked nor bundled. */
import { availableParallelism } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { EnginePriority } from '../driver.ts'
import { GatewayError } from '../errors.ts'
import { faultSignals } from '../process/job-ended.ts'
import { type ProcessEnd, startLimited } from '../process/limited-process.ts'
import { ffmpegProgram } from './ffmpeg-program.ts'

/** Returns the path of the program. Throws `capability_unavailable` with the way to install
 *  ffmpeg. */
export async function ffmpegPath(): Promise<string> {
  return (await ffmpegProgram()).path
}

interface FfmpegLimits {
  /** Signal that kills the process. */
  signal?: AbortSignal
  /** Limit of wall time in milliseconds; 10 minutes when absent. */
  timeMs?: number
  /** Limit of CPU seconds of all threads together; when absent, as many as two busy threads use in
   *  `timeMs`. */
  cpuSeconds?: number | undefined
  /** Limit of address space in bytes; 1 GiB when absent. */
  memoryBytes?: number
  /** Largest file in bytes that ffmpeg may write. When absent it may write no files, only its
   *  standard output or a named pipe. */
  fileBytes?: number
  /** Scheduling priority; when absent `low`, which is below that of the gateway's event loop. */
  priority?: EnginePriority | undefined
}

export interface FfmpegRun {
  stdin: Writable
  stdout: Readable
  /** Resolves when the process has ended with code 0. Rejects with `FfmpegError`, or the signal's
   *  reason. */
  ended: Promise<void>
  /** Kills the process at once. */
  kill(): void
}

/** Thrown when ffmpeg ended with a code other than 0, or was ended because it exceeded a limit. */
export class FfmpegError extends Error {
  /** The last text that ffmpeg wrote to its standard error. */
  readonly said: string
  /** True when ffmpeg used up its wall time or its CPU seconds. */
  readonly isOverTime: boolean
  /** True when ffmpeg tried to write a file larger than `fileBytes`. */
  readonly isOverSize: boolean
  /** True when ffmpeg ended by itself or crashed. False when it exceeded a limit, or when a signal
   *  ended it: from this process, or from the kernel of a machine short of memory. */
  readonly isOwnEnd: boolean

  constructor({ kind, how, said }: Pick<ProcessEnd, 'kind' | 'how' | 'said'>) {
    super(`ffmpeg ended with ${how}: ${said.trim().split('\n').at(-1) ?? ''}`)
    this.said = said
    // ffmpeg handles SIGXCPU as a request to stop and exits with a code of its own.
    const isOverCpu = kind === 'cpu' || /received signal 24\b/.test(said)
    this.isOverTime = kind === 'time' || isOverCpu
    this.isOverSize = kind === 'file'
    this.isOwnEnd = (kind === 'failed' && !isOverCpu) || (kind === 'killed' && faultSignals.has(how))
  }
}

/** Returns normally if ffmpeg crashed or ended with an error of its own, because the input file
 *  is then at fault. Throws `engine_timeout` with the message `late` when ffmpeg exceeded a time
 *  limit, and `internal_error` with the message `stopped` when a signal from outside ended
 *  ffmpeg. Rethrows every other error unchanged. */
export function assertOwnEnd(error: unknown, { late, stopped }: { late: string; stopped: string }): asserts error is FfmpegError {
  if (!(error instanceof FfmpegError)) throw error
  if (error.isOverTime) throw new GatewayError('engine_timeout', late, { cause: error })
  if (!error.isOwnEnd) throw new GatewayError('internal_error', stopped, { cause: error })
}

const usedThreads = 2

/** Starts ffmpeg with these arguments. Inputs are `pipe:0` or local paths; no other protocol is
 *  allowed. ffmpeg ends when this process ends, even when this process is killed. */
export async function startFfmpeg(given: readonly string[], limits: FfmpegLimits = {}): Promise<FfmpegRun> {
  const { signal, timeMs = 600_000, memoryBytes = 2 ** 30, fileBytes = 0, priority } = limits
  const { cpuSeconds = (usedThreads * timeMs) / 1000 } = limits
  const path = await ffmpegPath()
  const threads = String(Math.min(usedThreads, availableParallelism()))
  const args = ['-hide_banner', '-nostats', '-loglevel', 'error', '-threads', threads, '-protocol_whitelist', 'file,pipe', ...given]
  const { stdin, stdout, ended, kill } = startLimited(path, args, {
    ...{ signal, timeMs, memoryBytes, fileBytes, priority, cpuSeconds },
    env: { PATH: process.env.PATH ?? '' },
  })
  const endedWell = ended.then(end => {
    if (end.kind !== 'done') throw new FfmpegError(end)
  })
  // The caller awaits this promise later; this handler prevents an unhandled rejection until then.
  endedWell.catch(() => {})
  return { stdin, stdout, ended: endedWell, kill }
}

/** Runs ffmpeg to its end without input and discards its output. Each file that it writes may be up
 *  to 256 MiB large, unless `limits` sets another size. */
export async function runFfmpeg(args: readonly string[], limits: FfmpegLimits = {}): Promise<void> {
  const child = await startFfmpeg(['-nostdin', ...args], { fileBytes: 2 ** 28, ...limits })
  child.stdin.end()
  child.stdout.resume()
  await child.ended
}
