/** Calls of named functions on the other side of a message port, in both directions. */
import type { MessagePort, Transferable as TransferListItem } from 'node:worker_threads'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { cloneable } from './cloneable.ts'
import { readError, type SentError, sendError } from './sent-errors.ts'

/** The result of a function, and the buffers in it that are moved and not copied. */
export interface Moved {
  value: unknown
  moved: TransferListItem[]
}

/** A function that the other side may call. `signal` fires when the caller cancels the call. */
export type PortFunction = (argument: never, signal: AbortSignal) => Promise<Moved | undefined> | Moved | undefined

type Message =
  | { kind: 'call'; id: number; name: string; argument: unknown }
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'failure'; id: number; error: SentError }
  | { kind: 'cancel'; id: number }

export class PortCalls {
  readonly #port: MessagePort
  readonly #functions: Readonly<Record<string, PortFunction>>
  /** Calls of this side that wait for their results. */
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  /** Calls of the other side that run here. */
  readonly #running = new Map<number, AbortController>()
  /** Errors that functions of this side threw. When the other side sends one of them back,
   *  `errorOf` returns the same object. */
  readonly #thrown: unknown[] = []
  #lastId = 0
  #end: Error | undefined

  constructor(port: MessagePort, functions: Readonly<Record<string, PortFunction>>) {
    this.#port = port
    this.#functions = functions
    port.on('message', (message: Message) => this.#hear(message))
    // The main thread has a smaller stack than other threads, and cannot read everything that they
    // can send.
    port.on('messageerror', () =>
      this.end(new GatewayError('upstream_error', 'The provider package returned a value that is nested too deeply.')),
    )
  }

  /** Calls a function of the other side. `argument` must be cloneable. Rejects with the error of
   *  the function, or with the reason for which the connection has ended. */
  call(name: string, argument: unknown, { moved = [], signal }: { moved?: TransferListItem[]; signal?: AbortSignal } = {}) {
    const waiting = Promise.withResolvers<unknown>()
    if (this.#end !== undefined) {
      waiting.reject(this.#end)
      return waiting.promise
    }
    const id = ++this.#lastId
    this.#port.postMessage({ kind: 'call', id, name, argument } satisfies Message, moved)
    this.#waiting.set(id, waiting)
    const cancel = () => this.#port.postMessage({ kind: 'cancel', id } satisfies Message)
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    return waiting.promise.finally(() => signal?.removeEventListener('abort', cancel))
  }

  /** Ends the connection: all waiting and all later calls reject with this reason, and functions
   *  that run for the other side are cancelled. */
  end(reason: Error): void {
    if (this.#end !== undefined) return
    this.#end = reason
    this.#port.close()
    for (const { promise, reject } of this.#waiting.values()) {
      // Prevents an unhandled rejection when the caller no longer waits for this call.
      promise.catch(() => {})
      reject(reason)
    }
    this.#waiting.clear()
    for (const running of this.#running.values()) running.abort(reason)
  }

  /** Returns the error as data for a message to the other side. */
  dataOf(error: unknown): SentError {
    return sendError(error, this.#thrown)
  }

  /** Returns the error described by the data that the other side sent in a message. */
  errorOf(sent: SentError): unknown {
    return readError(sent, this.#thrown)
  }

  #hear(message: Message): void {
    if (this.#end !== undefined) return
    const { id } = message
    if (message.kind === 'call') void this.#run(message)
    else if (message.kind === 'cancel') this.#running.get(id)?.abort()
    else {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (message.kind === 'result') waiting?.resolve(message.value)
      else waiting?.reject(this.errorOf(message.error))
    }
  }

  async #run({ id, name, argument }: Extract<Message, { kind: 'call' }>): Promise<void> {
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      // The cast is safe: both sides of a port are modules of this folder, which agree on names and
      // arguments.
      const result = await this.#functions[name]?.(argument as never, controller.signal)
      this.#post({ kind: 'result', id, value: result?.value }, result?.moved)
    } catch (error) {
      this.#post({ kind: 'failure', id, error: this.dataOf(error) })
    } finally {
      this.#running.delete(id)
    }
  }

  #post(message: Message, moved: TransferListItem[] = []): void {
    if (this.#end !== undefined) return
    try {
      this.#port.postMessage(message, moved)
    } catch {
      // Something in the message cannot be cloned, so a copy without such values is sent.
      this.#port.postMessage(cloneable(message), moved)
    }
  }
}
