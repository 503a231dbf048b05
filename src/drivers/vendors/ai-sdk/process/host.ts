/** The side of the process that runs a provider package: loads the package, creates its models, and
 *  calls their methods for the gateway. */
import { Socket } from 'node:net'
import { isObject } from '@generation-gateway/kit/json.ts'
import { loadFactory, type PackageSource, type ProviderFactory, wordOf } from '../packages.ts'
import { invoked, member, modelIn } from '../provider-model.ts'
import { ChannelCalls } from './channel-calls.ts'
import { packedVectors, picked, putUrl } from './cloneable.ts'
import { type Channel, FramedChannels, type Pipes } from './frames.ts'
import type { MethodCall, ModelFound, ModelRequest, PackageChoice, ServiceReply, ServiceRequest, StreamedParts } from './messages.ts'

/** Most parts of an answer that are read before the gateway asks for them. */
const readAhead = 16

/** Serves the gateway from this process, over its standard input and the pipe whose file descriptor
 *  is the first argument of the process. */
export function serveProcess(source: PackageSource): void {
  // A promise of a package may be rejected without a handler. That must not end the process, in
  // which other calls may run.
  process.on('unhandledRejection', reason => {
    process.emitWarning(`a promise was rejected and nobody handled it (${wordOf(reason)})`)
  })
  // Node would print the message of an error that nobody caught, and it may contain a prompt.
  process.on('uncaughtException', error => {
    process.stderr.write(`an error was thrown outside of all calls (${wordOf(error)})\n`)
    process.exit(1)
  })
  // Supervisors send these signals to all processes of the program, but only the gateway may decide
  // when this process ends.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
  const output = new Socket({ fd: Number(process.argv[2]), readable: false, writable: true })
  // On Windows the messages use the standard output, and what a package prints must not get between
  // them.
  Object.defineProperty(process, 'stdout', { value: process.stderr })
  servePackages({ input: process.stdin, output }, source)
  process.stdin.once('end', () => process.exit())
}

/** Serves runs of the driver that use packages. The gateway opens a channel for each run. */
export function servePackages(pipes: Pick<Pipes, 'input' | 'output'>, source: PackageSource): void {
  const channels = new FramedChannels({
    ...pipes,
    onPing: () => channels.ping(),
    onOpen: channel => new PackageUse(channel, source),
  })
}

/** Serves one run of the driver that uses a package, until the channel of the run is closed. */
class PackageUse {
  readonly #source: PackageSource
  readonly #gateway: ChannelCalls
  readonly #end = new AbortController()
  readonly #models: unknown[] = []
  readonly #streams: AnswerStream[] = []
  #factory: ProviderFactory | undefined
  #options: object = {}

  constructor(channel: Channel, source: PackageSource) {
    this.#source = source
    const functions = {
      open: (choice: PackageChoice) => this.#open(choice),
      model: (request: ModelRequest) => this.#model(request),
      call: (call: MethodCall) => this.#call(call),
      stream: (call: MethodCall) => this.#stream(call),
      parts: (stream: number) => this.#streams[stream]?.parts(),
    }
    this.#gateway = new ChannelCalls(channel, functions, () => this.#close())
  }

  #close(): void {
    const reason = new Error('The use of the package has ended.')
    this.#gateway.end(reason)
    this.#end.abort(reason)
    for (const stream of this.#streams) stream.leave()
  }

  /** Loads the package. The result is the reason why it cannot be used, else undefined. */
  async #open({ package: name, factory, options }: PackageChoice): Promise<string | undefined> {
    const loaded = await loadFactory(this.#source, { package: name, factory })
    if (typeof loaded !== 'function') return loaded.problem
    this.#factory = loaded
    this.#options = { ...options, fetch: this.#fetch }
    return undefined
  }

  /** Creates a model. For a member of the model that is a function or a promise, its result is
   *  used. */
  async #model({ model: id, kind, members }: ModelRequest): Promise<ModelFound> {
    if (this.#factory === undefined) throw new TypeError('the package is not loaded')
    const { model, version, problem } = modelIn(this.#factory(this.#options), id, kind)
    const found: ModelFound = { handle: this.#models.push(model) - 1, version, problem, methods: [], members: {} }
    if (problem !== undefined) return found
    for (const { name, isMethod } of members) {
      const value = member(model, name)
      if (isMethod && typeof value === 'function') found.methods.push(name)
      else if (!isMethod) found.members[name] = await (typeof value === 'function' ? invoked(model, name, { modelId: id }) : value)
    }
    return found
  }

  async #call(call: MethodCall): Promise<object | undefined> {
    const result = await this.#begin(call)
    if (!isObject(result)) return undefined
    const value = picked(result, call.wanted)
    const vectors = call.vectors === undefined ? undefined : packedVectors(member(result, call.vectors))
    return call.vectors === undefined || vectors === undefined ? value : { ...value, [call.vectors]: vectors }
  }

  async #stream(call: MethodCall): Promise<number | undefined> {
    const stream = member(await this.#begin(call), 'stream')
    if (!(stream instanceof ReadableStream)) return undefined
    const answer = new AnswerStream(stream.getReader(), this.#gateway)
    if (this.#end.signal.aborted) answer.leave()
    return this.#streams.push(answer) - 1
  }

  #begin({ handle, method, argument, urls }: MethodCall): unknown {
    for (const url of urls) putUrl(argument, url)
    return invoked(this.#models[handle], method, { ...argument, abortSignal: this.#end.signal })
  }

  /** The `fetch` that the package receives: the gateway sends the request. */
  readonly #fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { url, method } = request
    // `request.signal` may stop following `init.signal` once the request object is no longer used,
    // so the original signal is used where there is one.
    const signal = init?.signal ?? request.signal
    const body = new Uint8Array(await request.arrayBuffer())
    const sent: ServiceRequest = { url, method, headers: [...request.headers], body }
    // The cast is safe: the gateway's function `fetch` returns this.
    const reply = (await this.#gateway.call('fetch', sent, signal)) as ServiceReply
    return new Response(reply.stream === undefined ? reply.body : this.#bodyOf(reply.stream, signal), {
      status: reply.status,
      headers: reply.headers,
    })
  }

  #bodyOf(stream: number, signal: AbortSignal): ReadableStream<Uint8Array> {
    const leave = () => void this.#gateway.call('leave', stream).catch(() => {})
    return new ReadableStream(
      {
        start: controller => {
          const abort = () => {
            controller.error(signal.reason)
            leave()
          }
          if (signal.aborted) abort()
          else signal.addEventListener('abort', abort, { once: true })
        },
        pull: async controller => {
          const chunk = await this.#gateway.call('chunk', stream)
          if (chunk instanceof Uint8Array) controller.enqueue(chunk)
          else controller.close()
        },
        cancel: leave,
      },
      { highWaterMark: 0 },
    )
  }
}

/** Reads the parts of an answer. A few are read before the gateway asks for them, so that one
 *  message can contain several. */
class AnswerStream {
  readonly #reader: ReadableStreamDefaultReader<unknown>
  readonly #gateway: ChannelCalls
  #parts: unknown[] = []
  #errors: StreamedParts['errors'] = []
  #failure: { error: unknown } | undefined
  #isAtEnd = false
  #changed = Promise.withResolvers<void>()
  #taken = Promise.withResolvers<void>()

  constructor(reader: ReadableStreamDefaultReader<unknown>, gateway: ChannelCalls) {
    this.#reader = reader
    this.#gateway = gateway
    void this.#readAll()
  }

  /** Returns the parts that have been read since the last call; waits for the first one. */
  async parts(): Promise<StreamedParts> {
    while (this.#parts.length === 0 && !this.#isAtEnd) await this.#changed.promise
    if (this.#parts.length === 0 && this.#failure !== undefined) throw this.#failure.error
    const sent = { parts: this.#parts, errors: this.#errors, isLast: this.#isAtEnd && this.#failure === undefined }
    this.#parts = []
    this.#errors = []
    this.#taken.resolve()
    return sent
  }

  leave(): void {
    this.#reader.cancel().catch(() => {})
  }

  async #readAll(): Promise<void> {
    try {
      for (let next = await this.#reader.read(); !next.done; next = await this.#reader.read()) await this.#take(next.value)
    } catch (error) {
      this.#failure = { error }
    }
    this.#isAtEnd = true
    this.#changed.resolve()
  }

  async #take(part: unknown): Promise<void> {
    const error = isObject(part) && part.type === 'error' ? Reflect.get(part, 'error') : undefined
    if (error instanceof Error) this.#errors.push({ at: this.#parts.length, error: this.#gateway.dataOf(error) })
    this.#parts.push(error instanceof Error ? { type: 'error' } : part)
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
    if (this.#parts.length < readAhead) return
    this.#taken = Promise.withResolvers()
    await this.#taken.promise
  }
}
