/** Calls of named functions on the other side of a channel, in both directions. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { cloneable } from './cloneable.ts'
import type { Channel } from './frames.ts'
import { readError, type SentError, sendError } from './sent-errors.ts'

/** A function that the other side may call. `signal` fires when the caller cancels the call. */
export type CalledFunction = (argument: never, signal: AbortSignal) => unknown

type Message =
  | { kind: 'call'; id: number; name: string; argument: unknown }
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'failure'; id: number; error: SentError }
  /** The result cannot be sent, because it is nested too deeply or too large. */
  | { kind: 'unsendable'; id: number }
  | { kind: 'cancel'; id: number }

export class ChannelCalls {
  readonly #channel: Channel
  readonly #functions: Readonly<Record<string, CalledFunction>>
  /** Calls of this side that wait for their results. */
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  /** Calls of the other side that run here. */
  readonly #running = new Map<number, AbortController>()
  /** Errors that functions of this side threw. When the other side sends one of them back,
   *  `errorOf` returns the same object. */
  readonly #thrown: unknown[] = []
  #lastId = 0
  #end: Error | undefined

  /** `onClosed` is called when the other side closes the channel. */
  constructor(channel: Channel, functions: Readonly<Record<string, CalledFunction>>, onClosed = () => {}) {
    this.#channel = channel
    this.#functions = functions
    channel.receive({
      // The cast is safe: the other side is this class too.
      message: message => this.#hear(message as Message),
      unreadable: () => this.end(tooDeep()),
      closed: onClosed,
    })
  }

  /** Calls a function of the other side. `argument` must be cloneable. Rejects with the error of
   *  the function, or with the reason for which the connection has ended. */
  call(name: string, argument: unknown, signal?: AbortSignal): Promise<unknown> {
    const waiting = Promise.withResolvers<unknown>()
    if (this.#end !== undefined) {
      waiting.reject(this.#end)
      return waiting.promise
    }
    const id = ++this.#lastId
    this.#channel.send({ kind: 'call', id, name, argument } satisfies Message)
    this.#waiting.set(id, waiting)
    const cancel = () => this.#channel.send({ kind: 'cancel', id } satisfies Message)
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    return waiting.promise.finally(() => signal?.removeEventListener('abort', cancel))
  }

  /** Ends the connection: all waiting and all later calls reject with this reason, and functions
   *  that run for the other side are cancelled. */
  end(reason: Error): void {
    if (this.#end !== undefined) return
    this.#end = reason
    this.#channel.close()
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
      else if (message.kind === 'failure') waiting?.reject(this.errorOf(message.error))
      else waiting?.reject(tooDeep())
    }
  }

  async #run({ id, name, argument }: Extract<Message, { kind: 'call' }>): Promise<void> {
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      // The cast is safe: both sides of a channel are modules of this folder, which agree on names
      // and arguments.
      const value = await this.#functions[name]?.(argument as never, controller.signal)
      this.#send({ kind: 'result', id, value })
    } catch (error) {
      this.#send({ kind: 'failure', id, error: this.dataOf(error) })
    } finally {
      this.#running.delete(id)
    }
  }

  #send(message: Message): void {
    if (this.#end !== undefined) return
    try {
      this.#channel.send(message)
    } catch (error) {
      // Something in the message cannot be sent, so a copy without such values is sent.
      this.#channel.send(error instanceof RangeError ? { kind: 'unsendable', id: message.id } : cloneable(message))
    }
  }
}

function tooDeep(): GatewayError {
  return new GatewayError('upstream_error', 'The provider package returned a value that is nested too deeply or too large.')
}
