/** ffmpeg as a child process that is never run without limits. It is a separate program (GPL), neither linked nor bundled. */
import { availableParallelism } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { EnginePriority } from '../driver.ts'
import { type ProcessEnd, startLimited } from '../process/limited-process.ts'
import { ffmpegProgram } from './ffmpeg-program.ts'

/** Path of the program. Throws `capability_unavailable` with the way to get one. */
export async function ffmpegPath(): Promise<string> {
  return (await ffmpegProgram()).path
}

interface FfmpegLimits {
  /** Aborting it kills the process. */
  signal?: AbortSignal
  /** Milliseconds of wall time; 10 minutes when absent. */
  timeMs?: number
  /** CPU seconds of all its threads; as many as two of them have in `timeMs` when absent. */
  cpuSeconds?: number | undefined
  /** Address space, bytes; 1 GiB when absent. */
  memoryBytes?: number
  /** Bytes of any one file that it writes; none when absent: it then writes to its standard output or a named pipe. */
  fileBytes?: number
  /** Its place in the queue for the cores; `low`, behind the gateway's event loop, when absent. */
  priority?: EnginePriority | undefined
}

export interface FfmpegRun {
  stdin: Writable
  stdout: Readable
  /** Resolves when it has ended well. Rejects with `FfmpegError`, or the signal's reason. */
  ended: Promise<void>
  /** Ends it at once. */
  kill(): void
}

/** It ended with another code than 0, or was ended for its limits. */
export class FfmpegError extends Error {
  /** What it said last. */
  readonly said: string
  /** It used up its time or its CPU seconds. */
  readonly isOverTime: boolean
  /** It would have written a larger file than `fileBytes`. */
  readonly isOverSize: boolean
  /** It ended by itself; otherwise a signal ended it: ours, or that of a machine short of memory. */
  readonly isOwnEnd: boolean

  constructor({ kind, how, said }: Pick<ProcessEnd, 'kind' | 'how' | 'said'>) {
    super(`ffmpeg ended with ${how}: ${said.trim().split('\n').at(-1) ?? ''}`)
    this.said = said
    // It takes SIGXCPU for a wish to end, and ends with a code of its own.
    const isOverCpu = kind === 'cpu' || /received signal 24\b/.test(said)
    this.isOverTime = kind === 'time' || isOverCpu
    this.isOverSize = kind === 'file'
    this.isOwnEnd = kind === 'failed' && !isOverCpu
  }
}

const usedThreads = 2

/** Starts it with these arguments, which name inputs as `pipe:0` or local paths: of all protocols it may use only these. Without standard input it reads nothing from there. It ends with this process, however that ends. */
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
  // It has a reader later; until then its failure is nobody's surprise.
  endedWell.catch(() => {})
  return { stdin, stdout, ended: endedWell, kill }
}

/** Runs it to its end, with nothing on its input and nobody at its output. Its files may have 256 MiB where the limits say nothing else. */
export async function runFfmpeg(args: readonly string[], limits: FfmpegLimits = {}): Promise<void> {
  const child = await startFfmpeg(['-nostdin', ...args], { fileBytes: 2 ** 28, ...limits })
  child.stdin.end()
  child.stdout.resume()
  await child.ended
}
