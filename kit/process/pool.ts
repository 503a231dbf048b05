import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { defined } from '../defined.ts'
import type { EnginePriority } from '../driver.ts'
import { type ErrorCode, errorCatalogue, GatewayError } from '../errors.ts'
import type { ChildMessage, ParentMessage } from './child.ts'
import { childEnvironment, childOptions, givePriority, nodeWithLimits } from './child-process.ts'
import { compileCache } from './compile-cache.ts'
import { FairQueue, type FairRequest, type QueueSlot } from './fair-queue.ts'
import { jobEnded, notStarted } from './job-ended.ts'
import { Stopwatch } from './stopwatch.ts'
import { type JobLimits, parentArgument, watchdogFlags } from './watchdog.ts'

/** Largest file in bytes that a child may write: ten minutes of stereo floats at 48 kHz take 230
 *  MB. */
const mostFileBytes = 2 ** 30

export interface PoolOptions {
  /** Module that the child runs; it calls `serveEngine`. */
  module: URL
  /** Number of child processes that work at the same time. */
  size: number
  /** Number of child processes beyond `size`; when absent, the same as `size`. Each of them holds a
   *  job that is paused in `giveWay`. While a job is paused and no process is free, one spare
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
  /** Creates the payload when the job's turn comes; used in place of `payload`. So a job that still
   *  waits for its turn has not started anything. */
  prepare?(): Promise<unknown>
  progress?(fraction: number): void
  /** Receives the parts that the method reports before its end, in order. */
  tell?(part: unknown): void
}

export interface EnginePool {
  /** Runs one method in a child. Waiting jobs of different accounts take turns (`FairQueue`).
   *  Throws `engine_busy`, the error of the method, `engine_timeout`, `JobEnded` when the child
   *  died or could not be started, `draining` after `close`, or the signal's reason. */
  run(job: PoolJob): Promise<unknown>
  /** Starts the children before the first job. */
  warm(): void
  close(): Promise<void>
}

/** Returns a pool of child processes for native code and for code that needs much CPU time. The
 *  event loop of this process stays free, and a crash fails only the job that ran in the child. */
export function createEnginePool(options: PoolOptions): EnginePool {
  const { size, paused = size } = options
  const children = new PoolChildren(options)
  const queue = new FairQueue({ places: size, paused })
  const closing = new AbortController()
  // One spare process is started in advance when every process holds a running or paused job, so
  // that the next job need not wait for the start of a process.
  children.onPause = () => {
    if (!queue.hasFree && children.areBusy && !closing.signal.aborted) children.startAhead(Math.min(children.count + 1, size + paused))
  }

  return {
    run: async job => {
      if (closing.signal.aborted) throw closing.signal.reason
      if (!queue.hasFree && queue.waitingOf(job.account) >= options.queueLimit)
        throw new GatewayError('engine_busy', 'The engine and its queue are full.', { retryAfterSeconds: 5 })
      job.signal.throwIfAborted()
      const request = { ...job, signal: AbortSignal.any([job.signal, closing.signal]) }
      const place = queue.tryTake(request) ?? (await queue.take(request))
      let payload: unknown
      let child: PoolChild
      try {
        payload = job.prepare ? await job.prepare() : job.payload
        // The signal is checked again, because it may have been aborted after the place was
        // granted.
        request.signal.throwIfAborted()
        child = children.free()
      } catch (error) {
        place[Symbol.dispose]()
        throw error
      }
      const done = child.run({ ...job, payload }, place)
      // A child that is being killed occupies its memory until it has ended, so its place in the
      // queue is released only then.
      const release = () => void child.exitIfEnding().then(() => place[Symbol.dispose]())
      done.then(release, release)
      return done
    },
    warm: () => {
      if (!closing.signal.aborted) children.startAhead(size)
    },
    close: async () => {
      closing.abort(new GatewayError('draining', 'The engine is stopping.'))
      await children.stop()
    },
  }
}

class PoolChildren {
  readonly #options: PoolOptions
  readonly #children = new Set<PoolChild>()
  /** False after a start in advance has failed, until a job has started a process. */
  #mayStartAhead = true
  /** Called when the job of a child gives way. */
  onPause = () => {}

  constructor(options: PoolOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#children.size
  }

  get areBusy(): boolean {
    return [...this.#children].every(child => child.isBusy)
  }

  /** Returns a child without a job. Throws `JobEnded` when there is none and none can be
   *  started. */
  free(): PoolChild {
    return [...this.#children].find(child => !child.isBusy) ?? this.#start()
  }

  /** Starts children in advance until there are `count`. Ignores an error of a start, because a job
   *  that needs a child tries the start again. */
  startAhead(count: number): void {
    try {
      while (this.#mayStartAhead && this.#children.size < count) this.#start()
    } catch (error) {
      this.#mayStartAhead = false
      this.#options.onLog(`no process was started in advance: ${error instanceof Error ? error.message : error}`)
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#children].map(child => child.stop()))
  }

  #start(): PoolChild {
    const child = new PoolChild(this.#options)
    this.#children.add(child)
    child.onExit = () => this.#children.delete(child)
    child.onPause = () => this.onPause()
    this.#mayStartAhead = true
    return child
  }
}

class PoolChild {
  readonly #process: ChildProcess
  readonly #options: PoolOptions
  readonly #exited: Promise<void>
  #current:
    | {
        id: number
        /** True once the child has reported that it works on the job. */
        hasBegun: boolean
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
    this.#process = startProcess(options)
    givePriority(this.#process.pid, options.priority)
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => options.onLog(text.slice(0, 2000)))
    this.#process.on('message', message => this.#take(message as ChildMessage))
    this.#exited = new Promise(resolve => {
      this.#process.once('exit', () => {
        this.#end()
        resolve()
      })
      this.#process.once('error', error => {
        options.onLog(`an engine process could not be started: ${error.message}`)
        // A process that never started emits no exit event, so its end is handled here.
        if (this.#process.pid !== undefined) return
        this.#end()
        this.#current?.reject(notStarted(error))
        resolve()
      })
    })
    // Unlike the event `exit`, this event comes after the last message of the process, which may
    // show that the process had begun its job.
    this.#process.once('close', (code, signal) => {
      const hasBegun = this.#current?.hasBegun === true
      this.#current?.reject(jobEnded({ code, signal, ours: this.#why, hasBegun }))
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
      const current = {
        id,
        hasBegun: false,
        progress,
        tell,
        begin: () => {
          current.hasBegun = true
          place.restart()
          stopwatch.stop()
          stopwatch.start(this.#options.jobTimeoutMs)
        },
        giveWay,
        resolve: (value: unknown) => {
          finish()
          resolve(value)
        },
        reject: (error: unknown) => {
          finish()
          reject(error)
        },
      }
      this.#current = current
      stopwatch.start()
      this.#send({ kind: 'job', id, method, payload })
    })
  }

  #send(message: ParentMessage): void {
    // A process without a channel has ended or was never started. The event that follows settles
    // the job.
    if (!this.#process.connected) return
    this.#process.send(message, error => {
      if (!error) return
      // The channel is broken, usually because the process has ended. Its end settles the job.
      this.#isEnding = true
      this.#process.kill('SIGKILL')
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
      // The promise is rejected only when the job was cancelled or the pool closed. The child is
      // killed in both cases, so the rejection is ignored.
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

  #end(): void {
    this.#isEnding = true
    this.onExit()
  }
}

/** Throws `JobEnded` when the operating system refuses the process at once, for want of memory for
 *  example. Other failures are reported by the event `error`. */
function startProcess({ module, jobLimits, writable, environment: further }: PoolOptions): ChildProcess {
  const { flags, environment } = compileCache()
  try {
    return fork(fileURLToPath(module), parentArgument(jobLimits), {
      ...childOptions,
      // The child may read everything, write only to scratch folders and load native addons. The
      // permission model denies network, processes and, once the watchdog runs, workers.
      ...nodeWithLimits({ fileBytes: mostFileBytes, jobBytes: jobLimits?.rssBytes }, [
        '--permission',
        '--allow-fs-read=*',
        ...writable.map(path => `--allow-fs-write=${path}`),
        ...flags,
        '--allow-addons',
        ...watchdogFlags,
        '--disable-warning=SecurityWarning',
        `--max-old-space-size=${Math.ceil((jobLimits?.rssBytes ?? 2 ** 31) / 2 ** 20)}`,
      ]),
      env: childEnvironment({ UV_THREADPOOL_SIZE: '1', VIPS_CONCURRENCY: '1', ...environment, ...further }, [
        'FONTCONFIG_PATH',
        'FONTCONFIG_FILE',
      ]),
    })
  } catch (error) {
    throw notStarted(error)
  }
}

function asError(message: Extract<ChildMessage, { kind: 'failed' }>): GatewayError {
  const code = message.code in errorCatalogue ? (message.code as ErrorCode) : 'internal_error'
  const cause = new Error('The engine process threw.')
  cause.stack = message.stack
  return new GatewayError(code, message.message, { cause, ...defined({ field: message.field }) })
}
