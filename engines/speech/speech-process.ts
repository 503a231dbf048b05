/** A process that keeps models loaded. Jobs are short (a chunk of speech), take turns, and end by themselves: nobody's leaving costs the others a loaded model. */
import type { EnginePriority } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createEnginePool, type EnginePool } from '@generation-gateway/kit/process/pool.ts'

export interface SpeechProcessOptions {
  scratchDirectory: string
  /** A process above this after a job is replaced. */
  maxRssBytes: number
  /** Ends after as long without a job; the next one starts it again. */
  idleMs: number
  priority?: EnginePriority | undefined
  onLog(message: string): void
}

export interface Asked {
  signal: AbortSignal
  /** Somebody waits for the first sound: before those who only fetch ahead. */
  isUrgent?: boolean
}

interface Waiting {
  start(): void
}

/** Jobs that may wait; one more is refused with `engine_busy`. */
const queueLimit = 100
const jobTimeoutMs = 3 * 60_000

export class SpeechProcess {
  readonly #options: SpeechProcessOptions
  readonly #urgent: Waiting[] = []
  readonly #others: Waiting[] = []
  #pool: EnginePool | undefined
  #idle: NodeJS.Timeout | undefined
  #isBusy = false
  #isClosed = false

  constructor(options: SpeechProcessOptions) {
    this.#options = options
  }

  /** Runs one method. Throws `engine_busy`, `draining`, what the method threw, `engine_timeout`, `internal_error` when the process died, or the signal's reason while it waits for its turn. */
  async run(method: string, payload: unknown, { signal, isUrgent = false }: Asked): Promise<unknown> {
    await this.#turn(isUrgent ? this.#urgent : this.#others, signal)
    try {
      if (this.#isClosed) throw new GatewayError('draining', 'The engine is stopping.')
      clearTimeout(this.#idle)
      this.#pool ??= this.#start()
      // Not by the caller's signal, which would end the process.
      return await this.#pool.run({ method, payload, signal: neverAborted })
    } finally {
      this.#isBusy = false
      const next = this.#urgent.shift() ?? this.#others.shift()
      if (next) next.start()
      else this.#restLater()
    }
  }

  /** Starts the process ahead of the first job. */
  warm(): void {
    if (this.#isClosed) return
    this.#pool ??= this.#start()
    this.#pool.warm()
    if (!this.#isBusy) this.#restLater()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    await this.#pool?.close()
  }

  async #turn(queue: Waiting[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (!this.#isBusy) {
      this.#isBusy = true
      return
    }
    if (this.#urgent.length + this.#others.length >= queueLimit) {
      throw new GatewayError('engine_busy', 'The speech engine and its queue are full.', { retryAfterSeconds: 10 })
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(signal.reason)
      }
      const waiting = {
        start: () => {
          signal.removeEventListener('abort', leave)
          this.#isBusy = true
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.push(waiting)
    })
  }

  #start(): EnginePool {
    const { scratchDirectory, maxRssBytes, priority, onLog } = this.#options
    return createEnginePool({
      module: new URL('./process.ts', import.meta.url),
      ...{ size: 1, queueLimit: 1, jobTimeoutMs, maxRssBytes, priority, onLog },
      writable: [scratchDirectory],
      environment: allocation,
    })
  }

  #restLater(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      const pool = this.#pool
      this.#pool = undefined
      void pool?.close()
    }, this.#options.idleMs)
    this.#idle.unref()
  }
}

/** glibc: one heap for tensors of every size, which gives back what lies free at its end. By its own rules 180 phonemes of Kokoro left 630 MB behind, at a peak of 1.9 GB, and cost 7 % more time;
 *  with every tensor mapped by itself 400 MB, and 40 % more time. Others do not know these variables. */
const allocation = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(2 ** 30),
  MALLOC_TRIM_THRESHOLD_: String(2 ** 27),
}

const neverAborted = new AbortController().signal
