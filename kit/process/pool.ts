import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EnginePriority } from '../driver.ts'
import { type ErrorCode, errorCatalogue, GatewayError } from '../errors.ts'
import type { ChildMessage, ParentMessage } from './child.ts'
import { childEnvironment, childOptions, givePriority, nodeWithLimits } from './child-process.ts'
import { compileCache } from './compile-cache.ts'
import { FairQueue, type FairRequest, type QueueSlot } from './fair-queue.ts'
import { jobEnded } from './job-ended.ts'
import { type JobLimits, parentArgument, watchdogFlags } from './watchdog.ts'

/** Largest file in bytes that a child may write: ten minutes of stereo floats at 48 kHz take 230
 *  MB. */
const mostFileBytes = 2 ** 30

export interface PoolOptions {
  /** Module that the child runs; it calls `serveEngine`. */
  module: URL
  /** Number of child processes that work at the same time. */
  size: number
  /** Number of child processes beyond `size`, each of which holds a job that is paused because
   *  it gave way; `size` when absent. While a job is paused and no process is free, one spare
   *  process is started in advance. */
  paused?: number
  /** Number of jobs of one account that may wait for their turn; one more is refused with
   *  `engine_busy`. */
  queueLimit: number
  /** Limit of a job's wall time in milliseconds, without its pauses. A job that takes longer is
   *  killed and not repeated, since it would take as long again. */
  jobTimeoutMs: number
  /** Resident memory in bytes above which a child is replaced after a job. */
  maxRssBytes: number
  /** Limits of one job. A child that exceeds a limit ends itself, even if this process is gone.
   *  Whenever a child ends during a job, the job rejects with `JobEnded`. */
  jobLimits?: JobLimits
  /** Folders to which the child may write. The child may also read every file, but it cannot use
   *  the network or start further processes. */
  writable: readonly string[]
  priority?: EnginePriority | undefined
  /** Further environment variables of the child. */
  environment?: Record<string, string>
  onLog(message: string): void
}

export interface PoolJob extends FairRequest {
  method: string
  payload: unknown
  /** Creates the payload when the job's turn comes, in place of `payload`, so that a waiting job
   *  has started nothing. */
  prepare?(): Promise<unknown>
  progress?(fraction: number): void
  /** Receives the parts that the method reports before its end, in order. */
  tell?(part: unknown): void
}

export interface EnginePool {
  /** Runs one method in a child; accounts alternate (`FairQueue`). Throws `engine_busy`, the error
   *  of the method, `engine_timeout`, `JobEnded` when the child died, `draining` after `close`, or
   *  the signal's reason. */
  run(job: PoolJob): Promise<unknown>
  /** Starts the children before the first job. */
  warm(): void
  close(): Promise<void>
}

/** Returns a pool of child processes for native and heavy code: a crash costs only the job that ran
 *  in the child, and the event loop stays free. */
export function createEnginePool(options: PoolOptions): EnginePool {
  const { size, paused = size } = options
  const children = new Set<PoolChild>()
  const queue = new FairQueue({ places: size, paused })
  const closing = new AbortController()

  const spawn = (): PoolChild => {
    const child = new PoolChild(options)
    children.add(child)
    child.onExit = () => children.delete(child)
    child.onPause = startSpare
    return child
  }
  /** Starts one spare process in advance when every process holds a running or paused job, so
   *  that the next job need not wait for the start of a process. */
  const startSpare = (): void => {
    const isWanted = !queue.hasFree && children.size < size + paused && !closing.signal.aborted
    if (isWanted && [...children].every(child => child.isBusy)) spawn()
  }
  const freeChild = (): PoolChild => [...children].find(candidate => !candidate.isBusy) ?? spawn()

  return {
    run: async job => {
      if (closing.signal.aborted) throw closing.signal.reason
      if (!queue.hasFree && queue.waitingOf(job.account) >= options.queueLimit)
        throw new GatewayError('engine_busy', 'The engine and its queue are full.', { retryAfterSeconds: 5 })
      job.signal.throwIfAborted()
      const request = { ...job, signal: AbortSignal.any([job.signal, closing.signal]) }
      const place = queue.tryTake(request) ?? (await queue.take(request))
      const payload = job.prepare ? await prepared(job.prepare, place) : job.payload
      // The signal is checked again, because it may have been aborted after the place was granted.
      if (request.signal.aborted) {
        place[Symbol.dispose]()
        throw request.signal.reason
      }
      const child = freeChild()
      const done = child.run({ ...job, payload }, place)
      // A child that is being killed keeps its memory until it is gone, so it keeps its place until
      // then.
      const release = () => void child.exitIfEnding().then(() => place[Symbol.dispose]())
      done.then(release, release)
      return done
    },
    warm: () => {
      while (children.size < size && !closing.signal.aborted) spawn()
    },
    close: async () => {
      closing.abort(new GatewayError('draining', 'The engine is stopping.'))
      await Promise.all([...children].map(child => child.stop()))
    },
  }
}

/** Returns the prepared payload; gives the place back when `prepare` throws. */
async function prepared(prepare: () => Promise<unknown>, place: QueueSlot): Promise<unknown> {
  try {
    return await prepare()
  } catch (error) {
    place[Symbol.dispose]()
    throw error
  }
}

class PoolChild {
  readonly #process: ChildProcess
  readonly #options: PoolOptions
  readonly #exited: Promise<void>
  #current:
    | {
        id: number
        resolve(value: unknown): void
        reject(error: unknown): void
        progress: PoolJob['progress']
        tell: PoolJob['tell']
        begin(): void
        giveWay(): Promise<void>
      }
    | undefined
  #jobs = 0
  #why = ''
  /** True when the child takes no further job: it is being killed, has ended, or has lost its
   *  channel. */
  #isEnding = false
  onExit = () => {}
  onPause = () => {}

  constructor(options: PoolOptions) {
    this.#options = options
    const { flags, environment } = compileCache()
    const { jobLimits } = options
    this.#process = fork(fileURLToPath(options.module), parentArgument(jobLimits), {
      ...childOptions,
      // The child may read everything, write only to scratch folders and load native addons. The
      // permission model denies network, processes and, once the watchdog runs, workers.
      ...nodeWithLimits({ fileBytes: mostFileBytes, jobBytes: jobLimits?.rssBytes }, [
        '--permission',
        '--allow-fs-read=*',
        ...options.writable.map(path => `--allow-fs-write=${path}`),
        ...flags,
        '--allow-addons',
        ...watchdogFlags,
        '--disable-warning=SecurityWarning',
        `--max-old-space-size=${Math.ceil((jobLimits?.rssBytes ?? 2 ** 31) / 2 ** 20)}`,
      ]),
      env: childEnvironment({ UV_THREADPOOL_SIZE: '1', VIPS_CONCURRENCY: '1', ...environment, ...options.environment }, [
        'FONTCONFIG_PATH',
        'FONTCONFIG_FILE',
      ]),
    })
    givePriority(this.#process.pid, options.priority)
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => options.onLog(text.slice(0, 2000)))
    this.#process.on('message', message => this.#take(message as ChildMessage))
    this.#exited = new Promise(resolve => {
      this.#process.once('exit', (code, signal) => {
        this.#end(code, signal)
        resolve()
      })
      this.#process.once('error', error => {
        options.onLog(`an engine process could not be started: ${error.message}`)
        // A process that never started emits no exit event, so its end is handled here.
        if (this.#process.pid !== undefined) return
        this.#end(null, null)
        resolve()
      })
    })
    this.#process.once('disconnect', () => {
      this.#isEnding = true
    })
  }

  get isBusy(): boolean {
    return this.#isEnding || this.#current !== undefined
  }

  /** Resolves once an ending child has ended; at once for any other child. */
  async exitIfEnding(): Promise<void> {
    if (this.#isEnding) await this.#exited
  }

  run({ method, payload, signal, progress, tell }: PoolJob, place: QueueSlot): Promise<unknown> {
    this.#jobs += 1
    const id = this.#jobs
    return new Promise<unknown>((resolve, reject) => {
      const stopwatch = new Stopwatch(this.#options.jobTimeoutMs, () => {
        this.#kill('it took too long')
        this.#current?.reject(
          new GatewayError('engine_timeout', `The engine did not finish within ${this.#options.jobTimeoutMs / 1000} seconds.`),
        )
      })
      const onAbort = () => {
        this.#kill('it was cancelled')
        reject(signal.reason)
      }
      const finish = () => {
        stopwatch.stop()
        signal.removeEventListener('abort', onAbort)
        this.#current = undefined
      }
      const giveWay = async (): Promise<void> => {
        stopwatch.stop()
        await place.giveWay()
        if (this.#current?.id !== id) return
        stopwatch.start()
        this.#send({ kind: 'go', id })
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#current = {
        id,
        progress,
        tell,
        begin: () => {
          place.restart()
          stopwatch.stop()
          stopwatch.start(this.#options.jobTimeoutMs)
        },
        giveWay,
        resolve: value => {
          finish()
          resolve(value)
        },
        reject: error => {
          finish()
          reject(error)
        },
      }
      stopwatch.start()
      this.#send({ kind: 'job', id, method, payload })
    })
  }

  #send(message: ParentMessage): void {
    this.#process.send(message, error => {
      if (error) this.#current?.reject(new GatewayError('internal_error', 'The engine process is gone.', { cause: error }))
    })
  }

  async stop(): Promise<void> {
    this.#kill('the gateway is stopping')
    await this.#exited
  }

  #kill(why: string): void {
    this.#why = why
    this.#isEnding = true
    this.#process.kill('SIGKILL')
  }

  #take(message: ChildMessage): void {
    if (message.kind === 'progress') {
      if (message.id === this.#current?.id) this.#current.progress?.(message.fraction)
      return
    }
    if (message.id !== this.#current?.id) return
    if (message.kind === 'begun') {
      this.#current.begin()
      return
    }
    if (message.kind === 'pause') {
      this.onPause()
      // The rejection is ignored: it comes when the job is cancelled or the pool closed, and the
      // child is killed in both cases.
      this.#current.giveWay().catch(() => {})
      return
    }
    if (message.kind === 'part') {
      this.#current.tell?.(message.part)
      return
    }
    const { resolve, reject } = this.#current
    // The memory is checked before the promise of this job settles, because the pool may then give
    // the process its next job.
    if (message.rssBytes > this.#options.maxRssBytes) this.#kill('it had grown too large')
    if (message.kind === 'done') resolve(message.value)
    else reject(asError(message))
  }

  #end(code: number | null, signal: string | null): void {
    this.#isEnding = true
    this.#current?.reject(jobEnded(code, signal, this.#why))
    this.onExit()
  }
}

/** Limits the time for which a job works; its pauses are not counted. Calls `onEnd` when no time
 *  is left. */
class Stopwatch {
  #leftMs: number
  #since = 0
  #timer: NodeJS.Timeout | undefined
  readonly #onEnd: () => void

  constructor(ms: number, onEnd: () => void) {
    this.#leftMs = ms
    this.#onEnd = onEnd
  }

  /** Starts or continues the countdown. `ms` is the time left in milliseconds; when absent, it
   *  is the time that was left at the last `stop`. */
  start(ms = this.#leftMs): void {
    this.#leftMs = ms
    this.#since = performance.now()
    this.#timer = setTimeout(this.#onEnd, this.#leftMs)
  }

  stop(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#leftMs = Math.max(1, this.#leftMs - (performance.now() - this.#since))
  }
}

function asError(message: Extract<ChildMessage, { kind: 'failed' }>): GatewayError {
  const code = message.code in errorCatalogue ? (message.code as ErrorCode) : 'internal_error'
  const cause = new Error('The engine process threw.')
  cause.stack = message.stack
  return new GatewayError(code, message.message, { cause })
}
