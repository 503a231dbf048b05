/** Manages this gateway's child processes for text. There is one for each model in use (file and
 *  settings). */
import type { EnginePriority } from '@generation-gateway/kit/driver.ts'
import { GatewayError, NotSentError } from '@generation-gateway/kit/errors.ts'
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import { TextChild } from './child.ts'
import type { ChildCounts, ModelSettings } from './messages.ts'

export interface TextHostOptions {
  /** Number of models in memory at a time. When all of them are busy, one more may be opened for an
   *  account that has no other running request. This additional model is closed as soon as it has
   *  no requests. */
  children: number
  /** Number of requests, running and waiting, that an account may have at one model. Further
   *  requests are refused with `engine_busy`. */
  requestLimit: number
  /** Idle time in ms after which a child process is stopped; the next request loads the model
   *  again. */
  idleMs: number
  /** Time in ms without a message after which a child process that has requests counts as hung; by
   *  default two minutes. */
  silenceLimitMs?: number
  priority?: EnginePriority | undefined
  onLog(message: string): void
}

/** The account of a request, and the signal that cancels it. */
interface TextTurn {
  account?: string | undefined
  signal: AbortSignal
  /** True when the tokens of the request are only to be counted. */
  countsOnly?: boolean
}

export interface TextHost {
  /** Yields events while the model writes; returns the result. Throws `draining`, `engine_busy`,
   *  `context_length_exceeded`, `invalid_request`, `capability_unavailable` when the model
   *  cannot be opened, `engine_timeout`, `internal_error` when the process died, `cancelled` (a
   *  `NotSentError`) when the signal aborts a request that waits, or the signal's reason.
   *  Leaving the loop cancels the request. */
  respond(model: ModelSettings, request: TextRequest, turn: TextTurn): AsyncGenerator<TextEvent | { type: 'done'; result: TextResult }>
  /** Returns the number of input tokens of the request. Throws the same errors as `respond`. */
  count(model: ModelSettings, request: TextRequest, turn: TextTurn): Promise<number>
  /** Opens these models now, and keeps them open even when they are idle. The models of the
   *  previous call are no longer kept. Throws `engine_busy` when there is no room for one of the
   *  models. */
  hold(models: readonly ModelSettings[]): void
  /** Returns the running processes. */
  children(): { model: ModelSettings; pid: number | undefined; load: number; counts: ChildCounts | undefined }[]
  close(): Promise<void>
}

export function createTextHost(options: TextHostOptions): TextHost {
  return new Children(options)
}

/** Keeps the child processes by the key of their model (`keyOf`), oldest first. Each has a timer
 *  that stops it; the timer has no effect while the child has requests, and starts again when the
 *  last of them has ended. */
class Children implements TextHost {
  readonly #options: TextHostOptions
  readonly #running = new Map<string, { child: TextChild; idle: NodeJS.Timeout | undefined }>()
  #held: ReadonlySet<string> = new Set()
  #isClosed = false

  constructor(options: TextHostOptions) {
    this.#options = options
  }

  async *respond(
    model: ModelSettings,
    request: TextRequest,
    { account, signal, countsOnly = false }: TextTurn,
  ): AsyncGenerator<TextEvent | { type: 'done'; result: TextResult }> {
    if (this.#isClosed) throw new GatewayError('draining', 'The engine is stopping.')
    signal.throwIfAborted()
    const child = this.#childFor(model, () => [...this.#running.values()].every(each => each.child.loadOf(account) === 0))
    if (child.loadOf(account) >= this.#options.requestLimit)
      throw new GatewayError('engine_busy', 'The text engine and its queue are full.', { retryAfterSeconds: 10 })
    const { events, leave, hasBegun } = child.ask(request, { account, countsOnly })
    const onAbort = (): void => {
      leave()
      events.fail(hasBegun() ? signal.reason : new NotSentError('cancelled', 'The request was stopped before the model began with it.'))
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const result = yield* events.read()
      yield { type: 'done', result }
    } finally {
      signal.removeEventListener('abort', onAbort)
      leave()
    }
  }

  async count(model: ModelSettings, request: TextRequest, turn: TextTurn): Promise<number> {
    for await (const event of this.respond(model, request, { ...turn, countsOnly: true }))
      if (event.type === 'done') return event.result.usage.inputTokens
    throw new GatewayError('internal_error', 'The text engine ended a count without a result.')
  }

  hold(models: readonly ModelSettings[]): void {
    if (this.#isClosed) return
    this.#held = new Set(models.map(keyOf))
    for (const [key, { child }] of this.#running) if (child.load === 0) this.#endLater(key)
    for (const model of models) this.#childFor(model).open()
  }

  children(): ReturnType<TextHost['children']> {
    return [...this.#running.values()].map(({ child }) => ({ model: child.model, pid: child.pid, load: child.load, counts: child.counts }))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const open = [...this.#running.values()]
    this.#running.clear()
    for (const { idle } of open) clearTimeout(idle)
    await Promise.all(open.map(({ child }) => child.stop()))
  }

  #childFor(model: ModelSettings, isNewcomer = () => false): TextChild {
    const key = keyOf(model)
    const known = this.#running.get(key)
    if (known) return known.child
    this.#makeRoom(isNewcomer)
    const { onLog, silenceLimitMs = 120_000, priority } = this.#options
    const child = new TextChild(model, { onLog, silenceLimitMs, priority, onIdle: () => this.#endLater(key) })
    this.#running.set(key, { child, idle: undefined })
    return child
  }

  /** Makes room for one more child process: stops an idle one, preferably one that `hold` does not
   *  keep. Throws `engine_busy` when none is idle, except for the one additional model of a
   *  newcomer. */
  #makeRoom(isNewcomer: () => boolean): void {
    const { children } = this.#options
    if (this.#running.size < children) return
    const free = [...this.#running].filter(([, { child }]) => child.load === 0).map(([key]) => key)
    const [oldest] = [...free.filter(key => !this.#held.has(key)), ...free]
    if (oldest !== undefined) this.#end(oldest)
    else if (this.#running.size > children || !isNewcomer())
      throw new GatewayError('engine_busy', `The text engine keeps ${children} models in memory at a time, and all of them are busy.`, {
        retryAfterSeconds: 20,
      })
  }

  /** Stops a child process that `hold` does not keep. The process is stopped when it has been idle
   *  for `idleMs`, or at once if there are too many processes. */
  #endLater(key: string): void {
    const entry = this.#running.get(key)
    clearTimeout(entry?.idle)
    if (!entry || this.#held.has(key)) return
    if (this.#running.size > this.#options.children) {
      this.#end(key)
      return
    }
    entry.idle = setTimeout(() => this.#end(key), this.#options.idleMs)
    entry.idle.unref()
  }

  #end(key: string): void {
    const entry = this.#running.get(key)
    if (!entry || entry.child.load > 0) return
    clearTimeout(entry.idle)
    this.#running.delete(key)
    void entry.child.stop()
  }
}

/** Returns the key that identifies the child of a model. */
function keyOf({ file, context, threads, sampling }: ModelSettings): string {
  return JSON.stringify([file, context, threads, sampling])
}
