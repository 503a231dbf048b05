/** A child process that keeps speech models loaded. A job is short (a chunk of speech). Jobs run
 *  one after another, and a running job is never interrupted: that would end the process, and the
 *  other callers would have to wait until the model is loaded again. */
import type { EnginePriority } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { FairQueue, type FairRequest } from '@generation-gateway/kit/process/fair-queue.ts'
import { createEnginePool, type EnginePool } from '@generation-gateway/kit/process/pool.ts'

interface SpeechProcessOptions {
  scratchDirectory: string
  /** Resident memory in bytes after a job, above which the process is replaced. */
  maxRssBytes: number
  /** Milliseconds without a job after which the process is stopped; the next job starts it
   *  again. */
  idleMs: number
  priority?: EnginePriority | undefined
  onLog(message: string): void
}

const jobTimeoutMs = 3 * 60_000

export class SpeechProcess {
  readonly #options: SpeechProcessOptions
  readonly #queue = new FairQueue({ places: 1 })
  #pool: EnginePool | undefined
  #idle: NodeJS.Timeout | undefined
  #running = 0
  #isClosed = false

  constructor(options: SpeechProcessOptions) {
    this.#options = options
  }

  /** Runs one method; jobs of different accounts alternate. Throws `draining`, the method's errors,
   *  `engine_timeout`, `internal_error` when the process died, or the signal's reason if it aborts
   *  while the job is waiting. */
  async run(method: string, payload: unknown, turn: FairRequest): Promise<unknown> {
    const place = await this.#queue.take(turn)
    this.#running += 1
    try {
      if (this.#isClosed) throw new GatewayError('draining', 'The engine is stopping.')
      clearTimeout(this.#idle)
      this.#pool ??= this.#start()
      // The caller's signal is not forwarded, because aborting a running job would end the process.
      return await this.#pool.run({ method, payload, signal: neverAborted })
    } finally {
      // The place in the queue is freed in a later turn of the event loop. Until then, the caller
      // can queue its next job, so that this job, too, is considered when the next job is chosen.
      setImmediate(() => {
        this.#running -= 1
        place[Symbol.dispose]()
        if (this.#running === 0 && this.#queue.waiting === 0) this.#restLater()
      })
    }
  }

  /** Starts the process before the first job needs it. */
  warm(): void {
    if (this.#isClosed) return
    this.#pool ??= this.#start()
    this.#pool.warm()
    if (this.#running === 0) this.#restLater()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    await this.#pool?.close()
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
    if (this.#isClosed) return
    this.#idle = setTimeout(() => {
      const pool = this.#pool
      this.#pool = undefined
      void pool?.close()
    }, this.#options.idleMs)
    this.#idle.unref()
  }
}

/** Memory settings of glibc: all tensors are in one heap, which returns free memory at its end.
 *  With glibc's defaults, 180 phonemes of Kokoro left 630 MB allocated after a peak of 1.9 GB, and
 *  took 7 % more time. With a memory mapping for each tensor, 400 MB were left, but it took 40 %
 *  more time. Other C libraries ignore these variables. */
const allocation = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(2 ** 30),
  MALLOC_TRIM_THRESHOLD_: String(2 ** 27),
}

const neverAborted = new AbortController().signal
