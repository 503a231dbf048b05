/** Lets one run of the driver use a package, on the gateway's side: calls the models in the
 *  package's process, and sends the requests of the package to its service. */
import { GatewayError, LostRunError } from '@generation-gateway/kit/errors.ts'
import type { ServiceExchange } from '../service-exchange.ts'
import { ChannelCalls } from './channel-calls.ts'
import type { UrlPlace } from './cloneable.ts'
import type { MethodCall, ModelFound, ModelRequest, PackageChoice, ServiceReply, ServiceRequest, StreamedParts } from './messages.ts'
import type { PackageHost, UseChannel } from './package-processes.ts'

/** A model in the package's process. */
export interface RemoteModel {
  version: string
  /** The values of the requested members. */
  members: Readonly<Record<string, unknown>>
  /** Returns true when the model has this method, which must be one of the requested members. */
  has(method: string): boolean
  /** Calls a method. Returns an object with the members of the result that `wanted` names, as paths
   *  (`response.body.meta`); undefined when the result is not an object. If the member `vectors`
   *  contains only lists of numbers, they become `Float32Array`s. Adds `abortSignal`, the signal of
   *  the run, to `argument`. Throws the errors of the package. */
  call(method: string, argument: object, result: { wanted: readonly string[]; vectors?: string }): Promise<unknown>
  /** Calls a method and yields the parts of the stream in its result, unchanged; errors in parts
   *  of type `error` are error objects. `wait` is called with each promise that depends on the
   *  package. Throws the errors of the package, and `upstream_error` when there is no stream. */
  stream(method: string, argument: object, options: StreamOptions): AsyncGenerator<unknown, void, undefined>
}

export interface StreamOptions {
  urls: readonly UrlPlace[]
  wait<Result>(work: Promise<Result>): Promise<Result>
}

export class RemoteUse implements Disposable {
  readonly #name: string
  readonly #exchange: ServiceExchange
  readonly #opened: UseChannel
  readonly #calls: ChannelCalls
  readonly #bodies: { chunks: AsyncIterator<Uint8Array>; leaving: AbortController }[] = []
  #hasCalled = false

  /** Opens the package for one run of the driver. Requests of the package are sent by
   *  `exchange`. */
  constructor(host: PackageHost, name: string, exchange: ServiceExchange) {
    this.#name = name
    this.#exchange = exchange
    this.#opened = host.open(name, reason =>
      this.#calls.end(this.#hasCalled || reason.code === 'cancelled' ? reason : new LostRunError(reason.code, reason.message)),
    )
    const functions = {
      fetch: (request: ServiceRequest, signal: AbortSignal) => this.#fetch(request, signal),
      chunk: (stream: number) => this.#chunk(stream),
      leave: (stream: number) => this.#bodies[stream]?.leaving.abort(),
    }
    const onClosed = () => this.#calls.end(new GatewayError('upstream_error', `The package ${name} has ended the run.`))
    this.#calls = new ChannelCalls(this.#opened.channel, functions, onClosed)
  }

  [Symbol.dispose](): void {
    this.#opened[Symbol.dispose]()
    this.#calls.end(new GatewayError('cancelled', 'The use of the package has ended.'))
  }

  /** Loads the package. Returns the reason why it cannot be used; undefined when it can. */
  async open(choice: PackageChoice): Promise<string | undefined> {
    const problem = await this.#calls.call('open', choice)
    return typeof problem === 'string' ? problem : undefined
  }

  /** Creates a model. Throws `capability_unavailable` when it is not a model of this kind in a
   *  supported version, and the errors of the package. */
  async model(request: ModelRequest): Promise<RemoteModel> {
    // The cast is safe: the process's function `model` returns this.
    const found = (await this.#calls.call('model', request)) as ModelFound
    if (found.problem !== undefined) throw new GatewayError('capability_unavailable', `The package ${this.#name} ${found.problem}`)
    const methodCall = (method: string, argument: object, more: Partial<MethodCall>): MethodCall => {
      this.#hasCalled = true
      // The signal is not sent: the process creates its own signal for the call.
      const { abortSignal: _, ...sent } = { abortSignal: undefined, ...argument }
      return { handle: found.handle, method, argument: sent, urls: [], wanted: [], ...more }
    }
    return {
      version: found.version,
      members: found.members,
      has: method => found.methods.includes(method),
      call: (method, argument, result) => this.#calls.call('call', methodCall(method, argument, result)),
      stream: (method, argument, { urls, wait }) => this.#parts(methodCall(method, argument, { urls }), wait),
    }
  }

  async *#parts(call: MethodCall, wait: StreamOptions['wait']): AsyncGenerator<unknown, void, undefined> {
    const stream = await wait(this.#calls.call('stream', call))
    if (stream === undefined) throw new GatewayError('upstream_error', 'The provider package returned no stream.')
    for (;;) {
      // The cast is safe: the process's function `parts` returns this.
      const { parts, errors, isLast } = (await wait(this.#calls.call('parts', stream))) as StreamedParts
      for (const { at, error } of errors) parts[at] = { ...Object(parts[at]), error: this.#calls.errorOf(error) }
      yield* parts
      if (isLast) return
    }
  }

  async #fetch(request: ServiceRequest, signal: AbortSignal): Promise<ServiceReply> {
    const leaving = new AbortController()
    const { status, headers, body } = await this.#exchange.send(request, AbortSignal.any([signal, leaving.signal]))
    if (body === null || body instanceof Uint8Array) return { status, headers, body, stream: undefined }
    const stream = this.#bodies.push({ chunks: body, leaving }) - 1
    return { status, headers, body: null, stream }
  }

  async #chunk(stream: number): Promise<Uint8Array | undefined> {
    const next = await this.#bodies[stream]?.chunks.next()
    return next?.done === false ? next.value : undefined
  }
}
