/** Runs ffmpeg as a child process, always with limits. It is a separate program (GPL), neither
 *  linked nor bundled. */
import { availableParallelism } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { EnginePriority } from '../driver.ts'
import { GatewayError } from '../errors.ts'
import { type ProcessEnd, startLimited } from '../process/limited-process.ts'
import { ffmpegProgram } from './ffmpeg-program.ts'

/** Path of the program. Throws `capability_unavailable` with the way to install one. */
export async function ffmpegPath(): Promise<string> {
  return (await ffmpegProgram()).path
}

interface FfmpegLimits {
  /** Aborting it kills the process. */
  signal?: AbortSignal
  /** Wall time, ms; 10 minutes when absent. */
  timeMs?: number
  /** CPU seconds of all threads together; as many as two busy threads use in `timeMs` when
   *  absent. */
  cpuSeconds?: number | undefined
  /** Address space, bytes; 1 GiB when absent. */
  memoryBytes?: number
  /** Largest file it may write, bytes. It may write no files when absent, only its standard output
   *  or a named pipe. */
  fileBytes?: number
  /** Scheduling priority; `low`, below the gateway's event loop, when absent. */
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

/** ffmpeg ended with a code other than 0, or was ended because it passed a limit. */
export class FfmpegError extends Error {
  /** The last text on its standard error. */
  readonly said: string
  /** True when it used up its wall time or its CPU seconds. */
  readonly isOverTime: boolean
  /** True when it tried to write a file larger than `fileBytes`. */
  readonly isOverSize: boolean
  /** True when it ended by itself. False when a signal ended it: from this process, or from the
   *  kernel of a machine short of memory. */
  readonly isOwnEnd: boolean

  constructor({ kind, how, said }: Pick<ProcessEnd, 'kind' | 'how' | 'said'>) {
    super(`ffmpeg ended with ${how}: ${said.trim().split('\n').at(-1) ?? ''}`)
    this.said = said
    // ffmpeg handles SIGXCPU as a request to stop and exits with a code of its own.
    const isOverCpu = kind === 'cpu' || /received signal 24\b/.test(said)
    this.isOverTime = kind === 'time' || isOverCpu
    this.isOverSize = kind === 'file'
    this.isOwnEnd = kind === 'failed' && !isOverCpu
  }
}

/** Returns for a failure of ffmpeg itself, which is about the file. Throws `engine_timeout` with
 *  the sentence `late`, `internal_error` with the sentence `stopped` for a program that was
 *  ended from outside, and every other error as it is. */
export function assertOwnEnd(error: unknown, { late, stopped }: { late: string; stopped: string }): asserts error is FfmpegError {
  if (!(error instanceof FfmpegError)) throw error
  if (error.isOverTime) throw new GatewayError('engine_timeout', late, { cause: error })
  if (!error.isOwnEnd) throw new GatewayError('internal_error', stopped, { cause: error })
}

const usedThreads = 2

/** Starts ffmpeg with these arguments. Inputs are `pipe:0` or local paths; no other protocol is
 *  allowed. Without standard input it reads nothing from there. It ends with this process, however
 *  this process ends. */
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
  // The caller awaits this promise later; until then a rejection is not an unhandled one.
  endedWell.catch(() => {})
  return { stdin, stdout, ended: endedWell, kill }
}

/** Runs ffmpeg to its end with no input; its output is discarded. Its files may have 256 MiB unless
 *  the limits say otherwise. */
export async function runFfmpeg(args: readonly string[], limits: FfmpegLimits = {}): Promise<void> {
  const child = await startFfmpeg(['-nostdin', ...args], { fileBytes: 2 ** 28, ...limits })
  child.stdin.end()
  child.stdout.resume()
  await child.ended
}
