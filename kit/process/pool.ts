import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EnginePriority } from '../driver.ts'
import { type ErrorCode, errorCatalogue, GatewayError } from '../errors.ts'
import type { ChildMessage, ParentMessage } from './child.ts'
import { childEnvironment, childOptions, givePriority, nodeWithLimits } from './child-process.ts'
import { compileCache } from './compile-cache.ts'
import { parentArgument, watchdogFlags } from './watchdog.ts'

/** Ten minutes of stereo floats at 48 kHz have 230 MB. */
const mostFileBytes = 2 ** 30

export interface PoolOptions {
  /** Module of the child: it calls `serveEngine`. */
  module: URL
  /** Child processes at most. */
  size: number
  /** Jobs that may wait for a free child; one more is refused with `engine_busy`. */
  queueLimit: number
  /** A job that takes longer is killed, for good: the same job would take as long again. */
  jobTimeoutMs: number
  /** A child above this after a job is replaced. */
  maxRssBytes: number
  /** Folders the child may write to; it may read everything and reach nothing else: no network, no further processes. */
  writable: readonly string[]
  priority?: EnginePriority | undefined
  /** Further variables of the child's environment. */
  environment?: Record<string, string>
  onLog(message: string): void
}

export interface PoolJob {
  method: string
  payload: unknown
  signal: AbortSignal
  progress?(fraction: number): void
  /** Is given what the method tells before its end, in its order. */
  tell?(part: unknown): void
}

export interface EnginePool {
  /** Runs one method in a child. Throws `engine_busy`, what the method threw, `engine_timeout`, `internal_error` when the child died, or the signal's reason. */
  run(job: PoolJob): Promise<unknown>
  /** Starts the children ahead of the first job. */
  warm(): void
  close(): Promise<void>
}

interface Waiting {
  job: PoolJob
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Child processes that run native and heavy code: a crash there costs the one job that ran in it, and the event loop stays free. */
export function createEnginePool(options: PoolOptions): EnginePool {
  const children = new Set<PoolChild>()
  const queue: Waiting[] = []
  let isClosed = false

  const next = (): void => {
    while (queue.length > 0 && !isClosed) {
      const child = [...children].find(candidate => !candidate.isBusy) ?? (children.size < options.size ? spawn() : undefined)
      if (!child) return
      const waiting = queue.shift()
      if (waiting) start(child, waiting)
    }
  }
  const spawn = (): PoolChild => {
    const child = new PoolChild(options)
    children.add(child)
    child.onExit = () => {
      children.delete(child)
      next()
    }
    return child
  }
  const start = (child: PoolChild, { job, resolve, reject }: Waiting): void => {
    child.run(job).then(resolve, reject).finally(next)
  }

  return {
    run: job =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new GatewayError('draining', 'The engine is stopping.'))
        if (job.signal.aborted) return reject(job.signal.reason)
        const waiting = { job, resolve, reject }
        const isFree = children.size < options.size || [...children].some(child => !child.isBusy)
        if (!isFree && queue.length >= options.queueLimit) {
          return reject(new GatewayError('engine_busy', 'The engine and its queue are full.', { retryAfterSeconds: 5 }))
        }
        queue.push(waiting)
        job.signal.addEventListener(
          'abort',
          () => {
            const at = queue.indexOf(waiting)
            if (at < 0) return
            queue.splice(at, 1)
            reject(job.signal.reason)
          },
          { once: true },
        )
        next()
      }),
    warm: () => {
      while (children.size < options.size && !isClosed) spawn()
    },
    close: async () => {
      isClosed = true
      for (const waiting of queue.splice(0)) waiting.reject(new GatewayError('draining', 'The engine is stopping.'))
      await Promise.all([...children].map(child => child.stop()))
    },
  }
}

class PoolChild {
  readonly #process: ChildProcess
  readonly #options: PoolOptions
  readonly #exited: Promise<void>
  #current:
    | { id: number; resolve(value: unknown): void; reject(error: unknown): void; progress: PoolJob['progress']; tell: PoolJob['tell'] }
    | undefined
  #jobs = 0
  #why = ''
  /** It will end without another job, or has: killed, or cut off from us. */
  #isEnding = false
  onExit = () => {}

  constructor(options: PoolOptions) {
    this.#options = options
    const { flags, environment } = compileCache()
    this.#process = fork(fileURLToPath(options.module), parentArgument(), {
      ...childOptions,
      // Read everything, write only scratch folders, load native addons; the permission model denies network, processes and, once the watchdog runs, workers.
      ...nodeWithLimits(mostFileBytes, [
        '--permission',
        '--allow-fs-read=*',
        ...options.writable.map(path => `--allow-fs-write=${path}`),
        ...flags,
        '--allow-addons',
        ...watchdogFlags,
        '--disable-warning=SecurityWarning',
        '--max-old-space-size=2048',
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
        // One that never ran has no exit.
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

  run({ method, payload, signal, progress, tell }: PoolJob): Promise<unknown> {
    this.#jobs += 1
    const id = this.#jobs
    return new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#kill('it took too long')
        this.#current?.reject(
          new GatewayError('engine_timeout', `The engine did not finish within ${this.#options.jobTimeoutMs / 1000} seconds.`),
        )
      }, this.#options.jobTimeoutMs)
      const onAbort = () => {
        this.#kill('it was cancelled')
        reject(signal.reason)
      }
      const finish = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        this.#current = undefined
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#current = {
        id,
        progress,
        tell,
        resolve: value => {
          finish()
          resolve(value)
        },
        reject: error => {
          finish()
          reject(error)
        },
      }
      this.#process.send({ id, method, payload } satisfies ParentMessage, error => {
        if (error) this.#current?.reject(new GatewayError('internal_error', 'The engine process is gone.', { cause: error }))
      })
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
    if (message.kind === 'part') {
      this.#current.tell?.(message.part)
      return
    }
    const { resolve, reject } = this.#current
    // Before the answer, which makes room for the next job.
    if (message.rssBytes > this.#options.maxRssBytes) this.#kill('it had grown too large')
    if (message.kind === 'done') resolve(message.value)
    else reject(asError(message))
  }

  #end(code: number | null, signal: string | null): void {
    const how = this.#why || (signal ? endedBy(signal) : `it ended with code ${code}`)
    this.#isEnding = true
    this.#current?.reject(new GatewayError('internal_error', `The engine process ended during the job: ${how}.`))
    this.onExit()
  }
}

/** Nothing here sends SIGKILL without saying why. */
function endedBy(signal: string): string {
  return `it was ended by ${signal}${signal === 'SIGKILL' ? ', as a machine that is short of memory does' : ''}`
}

function asError(message: Extract<ChildMessage, { kind: 'failed' }>): GatewayError {
  const code = message.code in errorCatalogue ? (message.code as ErrorCode) : 'internal_error'
  const cause = new Error('The engine process threw.')
  cause.stack = message.stack
  return new GatewayError(code, message.message, { cause })
}
