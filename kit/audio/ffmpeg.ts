/** ffmpeg as a child process: found once, and never run without limits. It is a separate program (GPL), neither linked nor bundled. */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import type { EnginePriority } from '../driver.ts'
import { GatewayError } from '../errors.ts'
import { givePriority } from '../process/child-process.ts'

const run = promisify(execFile)
/** Older ones of the system give way to the packaged one, of which we know what it can. */
const oldestMajor = 5
const howToGet =
  'No ffmpeg was found: npm ci adds one on Linux x64, macOS and Windows (package @ffmpeg-installer/ffmpeg), elsewhere install ffmpeg 5 or newer so that it is on the PATH.'
let found: Promise<string> | undefined

/** Path of the program. Throws `capability_unavailable` with the way to get one. */
export function ffmpegPath(): Promise<string> {
  found ??= find().catch(error => {
    found = undefined
    throw error
  })
  return found
}

async function find(): Promise<string> {
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg')
    if ((await majorOf(path)) >= oldestMajor) return path
  }
  try {
    return createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg').path
  } catch (error) {
    throw new GatewayError('capability_unavailable', howToGet, { cause: error })
  }
}

/** 0 for what is not there or no release. */
async function majorOf(path: string): Promise<number> {
  try {
    const { stdout } = await run(path, ['-version'], { timeout: 10_000 })
    return Number(/^ffmpeg version n?(\d+)\./.exec(stdout)?.[1] ?? 0)
  } catch {
    return 0
  }
}

export interface FfmpegLimits {
  /** Aborting it kills the process. */
  signal?: AbortSignal
  /** Milliseconds of wall time; 10 minutes when absent. */
  timeMs?: number
  /** Address space, bytes; 1 GiB when absent. */
  memoryBytes?: number
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
  readonly isOverTime: boolean
  /** It ended by itself; otherwise a signal ended it: ours, or that of a machine short of memory. */
  readonly isOwnEnd: boolean

  constructor(message: string, { said, isOverTime, isOwnEnd }: Pick<FfmpegError, 'said' | 'isOverTime' | 'isOwnEnd'>) {
    super(message)
    this.said = said
    this.isOverTime = isOverTime
    this.isOwnEnd = isOwnEnd
  }
}

const mostSaid = 4000

/** Starts it with these arguments, which name inputs as `pipe:0` or local paths: of all protocols it may use only these. Without standard input it reads nothing from there. */
export async function startFfmpeg(given: readonly string[], limits: FfmpegLimits = {}): Promise<FfmpegRun> {
  const { signal, timeMs = 600_000, memoryBytes = 2 ** 30, priority } = limits
  const path = await ffmpegPath()
  signal?.throwIfAborted()
  const threads = String(Math.min(2, availableParallelism()))
  const args = ['-hide_banner', '-nostats', '-loglevel', 'error', '-threads', threads, '-protocol_whitelist', 'file,pipe', ...given]
  const child = spawnLimited(path, args, memoryBytes)
  givePriority(child.pid, priority)
  let said = ''
  let isOverTime = false
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-mostSaid)
  })
  const kill = (): void => {
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => {
    isOverTime = true
    kill()
  }, timeMs)
  signal?.addEventListener('abort', kill, { once: true })
  // Whoever writes to one that has ended is told by `ended`.
  child.stdin.on('error', () => {})
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, name) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
      if (signal?.aborted) reject(signal.reason)
      else if (code === 0) resolve()
      else {
        const last = said.trim().split('\n').at(-1) ?? ''
        reject(new FfmpegError(`ffmpeg ended with ${name ?? code}: ${last}`, { said, isOverTime, isOwnEnd: code !== null && code < 128 }))
      }
    })
  })
  // It has a reader later; until then its failure is nobody's surprise.
  ended.catch(() => {})
  return { stdin: child.stdin, stdout: child.stdout, ended, kill }
}

/** Runs it to its end, with nothing on its input and nobody at its output. */
export async function runFfmpeg(args: readonly string[], limits: FfmpegLimits = {}): Promise<void> {
  const child = await startFfmpeg(['-nostdin', ...args], limits)
  child.stdin.end()
  child.stdout.resume()
  await child.ended
}

/** The shell sets the limit and becomes the program; Windows has no such limit. */
function spawnLimited(path: string, args: readonly string[], memoryBytes: number): ChildProcessByStdio<Writable, Readable, Readable> {
  const options = { stdio: ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe'], env: { PATH: process.env.PATH ?? '' } }
  if (process.platform === 'win32') return spawn(path, args, options)
  const command = `ulimit -v ${Math.ceil(memoryBytes / 1024)} 2>/dev/null; ulimit -c 0; exec "$0" "$@"`
  return spawn('/bin/sh', ['-c', command, path, ...args], options)
}
