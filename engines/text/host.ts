/** The text children of this gateway: one for each model file in use. */
import type { EnginePriority } from '@generation-gateway/kit/driver.ts'
import { GatewayError, NeverSent } from '@generation-gateway/kit/errors.ts'
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import { TextChild } from './child.ts'
import type { ChildCounts, ModelSettings } from './messages.ts'

export interface TextHostOptions {
  /** Models in memory at once. One more is opened for an account that has nothing else at work while all of them are, and ended when it has no work. */
  children: number
  /** Requests of one account to one model that may run or wait; one more is refused with `engine_busy`. */
  requestLimit: number
  /** A child without work for this long is ended; its next request loads the model again. */
  idleMs: number
  /** A child that says nothing for this long while it has work is taken for hung; default two minutes. */
  silenceLimitMs?: number
  priority?: EnginePriority | undefined
  onLog(message: string): void
}

/** Whose request it is, and how long it is wanted. */
interface TextTurn {
  account?: string | undefined
  signal: AbortSignal
}

export interface TextHost {
  /** Events as the model writes them, the result last. Throws `engine_busy`, `context_length_exceeded`, `invalid_request`, `engine_timeout`, `internal_error` when
   *  the process died meanwhile, or the signal's reason. Leaving the loop cancels. */
  respond(model: ModelSettings, request: TextRequest, turn: TextTurn): AsyncGenerator<TextEvent | { type: 'done'; result: TextResult }>
  /** Opens these models now and keeps them however long they have no work, in the place of those kept before. Throws `engine_busy` when there is no room for one. */
  hold(models: readonly ModelSettings[]): void
  /** The processes that run now. */
  children(): { model: ModelSettings; pid: number | undefined; load: number; counts: ChildCounts | undefined }[]
  close(): Promise<void>
}

export function createTextHost(options: TextHostOptions): TextHost {
  const children = new Map<string, { child: TextChild; idle: NodeJS.Timeout | undefined }>()
  let held: ReadonlySet<string> = new Set()
  let isClosed = false

  const end = (key: string): void => {
    const entry = children.get(key)
    if (!entry || entry.child.load > 0) return
    clearTimeout(entry.idle)
    children.delete(key)
    void entry.child.stop()
  }
  const endLater = (key: string): void => {
    const entry = children.get(key)
    if (!entry) return
    if (held.has(key)) return
    clearTimeout(entry.idle)
    if (children.size > options.children) {
      end(key)
      return
    }
    entry.idle = setTimeout(() => end(key), options.idleMs)
    entry.idle.unref()
  }
  const childFor = (model: ModelSettings, isNewcomer = () => false): TextChild => {
    const key = keyOf(model)
    const known = children.get(key)
    if (known) {
      clearTimeout(known.idle)
      return known.child
    }
    makeRoom(isNewcomer)
    const child = new TextChild(model, {
      onLog: options.onLog,
      silenceLimitMs: options.silenceLimitMs ?? 120_000,
      priority: options.priority,
      onIdle: () => endLater(key),
    })
    children.set(key, { child, idle: undefined })
    return child
  }
  /** Ends a child that is without work, one that is held only when there is no other; the map keeps them in the order they came. */
  const makeRoom = (isNewcomer: () => boolean): void => {
    if (children.size < options.children) return
    const free = [...children].filter(([, { child }]) => child.load === 0).map(([key]) => key)
    const [oldest] = [...free.filter(key => !held.has(key)), ...free]
    if (oldest !== undefined) end(oldest)
    else if (children.size > options.children || !isNewcomer())
      throw new GatewayError('engine_busy', `The text engine holds ${options.children} models at a time, and all of them are at work.`, {
        retryAfterSeconds: 20,
      })
  }

  return {
    async *respond(model, request, { account, signal }) {
      if (isClosed) throw new GatewayError('draining', 'The engine is stopping.')
      signal.throwIfAborted()
      const child = childFor(model, () => [...children.values()].every(each => each.child.loadOf(account) === 0))
      if (child.loadOf(account) >= options.requestLimit)
        throw new GatewayError('engine_busy', 'The text engine and its queue are full.', { retryAfterSeconds: 10 })
      const { events, leave, hasBegun } = child.ask(request, account)
      const onAbort = (): void => {
        leave()
        events.fail(hasBegun() ? signal.reason : new NeverSent('cancelled', 'The request was stopped before the model began with it.'))
      }
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        const result = yield* events.read()
        yield { type: 'done', result }
      } finally {
        signal.removeEventListener('abort', onAbort)
        leave()
      }
    },
    hold: models => {
      if (isClosed) return
      held = new Set(models.map(keyOf))
      for (const [key, { child }] of children) if (child.load === 0) endLater(key)
      for (const model of models) childFor(model).open()
    },
    children: () =>
      [...children.values()].map(({ child }) => ({ model: child.model, pid: child.pid, load: child.load, counts: child.counts })),
    close: async () => {
      isClosed = true
      const open = [...children.values()]
      children.clear()
      for (const { idle } of open) clearTimeout(idle)
      await Promise.all(open.map(({ child }) => child.stop()))
    },
  }
}

/** Children are told apart by this. */
function keyOf({ file, context, threads, sampling }: ModelSettings): string {
  return JSON.stringify([file, context, threads, sampling])
}
