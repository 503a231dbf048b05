/** The gateway's side of a child process for text: sends requests, forwards events, and restarts
 *  the process after a crash. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EnginePriority } from '@generation-gateway/kit/driver.ts'
import { type ErrorCode, errorCatalogue, GatewayError } from '@generation-gateway/kit/errors.ts'
import { childEnvironment, childOptions, givePriority, nodeWithLimits } from '@generation-gateway/kit/process/child-process.ts'
import { compileCache } from '@generation-gateway/kit/process/compile-cache.ts'
import { parentArgument, watchdogFlags } from '@generation-gateway/kit/process/watchdog.ts'
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import { EventQueue } from './event-queue.ts'
import type { ChildCounts, FromChild, ModelSettings, Report, ToChild } from './messages.ts'
import { countingLimits, type ModelLimits, refuseOversized } from './size.ts'

/** Largest number of processes to which a request is sent. A process may crash while a request
 *  waits in it; this limit keeps a request that causes the crash from crashing further
 *  processes. */
const mostTries = 2
/** Largest file in bytes that the process may write. It writes only Node's compiled code. */
const mostFileBytes = 64 * 2 ** 20

interface Pending {
  id: number
  account: string | undefined
  request: TextRequest
  countsOnly: boolean
  events: EventQueue<TextEvent, TextResult>
  isBeingRead: boolean
  isStarted: boolean
  tries: number
}

interface TextChildOptions {
  onLog(message: string): void
  /** Called whenever the last request has ended. */
  onIdle(): void
  silenceLimitMs: number
  priority: EnginePriority | undefined
}

export class TextChild {
  readonly model: ModelSettings
  readonly #options: TextChildOptions
  readonly #pending = new Map<number, Pending>()
  #process: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()
  #counts: ChildCounts | undefined
  #ids = 0
  #silence: NodeJS.Timeout | undefined
  #isBroken = false
  #isSilent = false
  #why = ''
  /** Limits of the model; set once the process has opened it, and constant afterwards. */
  #limits: ModelLimits | undefined
  /** True when the process is running and accepts requests. */
  #isReady = false

  constructor(model: ModelSettings, options: TextChildOptions) {
    this.model = model
    this.#options = options
  }

  /** Number of requests that are running or waiting. */
  get load(): number {
    return this.#pending.size
  }

  /** Returns the number of requests of one account that run or wait. */
  loadOf(account: string | undefined): number {
    let load = 0
    for (const pending of this.#pending.values()) if (pending.account === account) load += 1
    return load
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** The counts that the process sent last; undefined before it has sent any. */
  get counts(): ChildCounts | undefined {
    return this.#counts
  }

  /** Starts the process and opens the model before the first request. */
  open(): void {
    if (this.#process) return
    this.#start()
    this.#send({ kind: 'warm' })
  }

  /** Sends a request. `events` are the events of the answer. `leave` cancels the request;
   *  `hasBegun` returns true once the model has begun to work on it. With `countsOnly`, the
   *  answer has no events, and its result has the number of input tokens. Throws
   *  `context_length_exceeded` for a request that is certainly too long for the model. */
  ask(
    request: TextRequest,
    { account, countsOnly = false }: { account?: string | undefined; countsOnly?: boolean } = {},
  ): { events: EventQueue<TextEvent, TextResult>; leave(): void; hasBegun(): boolean } {
    this.#ids += 1
    const work = { id: this.#ids, account, request, countsOnly, events: new EventQueue<TextEvent, TextResult>() }
    const pending: Pending = { ...work, isBeingRead: false, isStarted: false, tries: 0 }
    if (this.#limits) refuseTooMuch(pending, this.#limits)
    this.#pending.set(pending.id, pending)
    if (!this.#process) this.#start()
    else if (this.#isReady) this.#hand(pending)
    this.#watch()
    return { events: pending.events, leave: () => this.#leave(pending), hasBegun: () => pending.isStarted }
  }

  /** Stops the process; running and waiting requests fail with `draining`. */
  async stop(): Promise<void> {
    for (const pending of this.#pending.values()) pending.events.fail(new GatewayError('draining', 'The engine is stopping.'))
    this.#pending.clear()
    this.#kill('the gateway is stopping')
    await this.#ended
  }

  #leave(pending: Pending): void {
    if (!this.#pending.delete(pending.id)) return
    this.#send({ kind: 'cancel', id: pending.id })
    if (this.#pending.size === 0) this.#rest()
  }

  #start(): void {
    this.#why = ''
    this.#isSilent = false
    this.#isReady = false
    const child = this.#startProcess()
    if (!child) return
    this.#process = child
    givePriority(child.pid, this.#options.priority)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#options.onLog(text.slice(0, 2000)))
    // Only process.ts sends on this channel, and only messages of the type FromChild.
    child.on('message', message => this.#take(message as FromChild))
    this.#ended = new Promise(resolve => {
      const end = (how: string): void => {
        if (this.#process === child) this.#end(how)
        resolve()
      }
      child.once('exit', (code, signal) => end(signal ? `it was ended by ${signal}` : `it ended with code ${code}`))
      child.once('error', error => {
        this.#options.onLog(`the text engine's process: ${error.message}`)
        if (child.pid === undefined) end(`it could not be started: ${error.message}`)
      })
    })
    this.#send({ kind: 'open', model: this.model })
    this.#watch()
  }

  /** Returns the process. When the operating system refuses it at once, for want of memory for
   *  example, returns undefined, and this counts as the end of a process. */
  #startProcess(): ChildProcess | undefined {
    try {
      return forkProcess()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#options.onLog(`the text engine's process: ${reason}`)
      this.#end(`it could not be started: ${reason}`)
      return undefined
    }
  }

  /** Called when the process has reported the model's limits. Requests that are too long fail; all
   *  others are sent to the process. */
  #open(limits: ModelLimits): void {
    this.#limits = limits
    this.#isReady = true
    for (const pending of [...this.#pending.values()]) {
      try {
        refuseTooMuch(pending, limits)
        this.#hand(pending)
      } catch (error) {
        this.#pending.delete(pending.id)
        pending.events.fail(error)
      }
    }
    if (this.#pending.size === 0) this.#rest()
  }

  #hand(pending: Pending): void {
    const { id, account, request, countsOnly } = pending
    this.#send({ kind: 'ask', id, account, request, countsOnly })
  }

  #send(message: ToChild): void {
    // An error of a closed channel is ignored, because the exit event follows and settles every
    // request.
    if (this.#process?.connected) this.#process.send(message, () => undefined)
  }

  #take({ items, counts }: FromChild): void {
    this.#counts = counts
    for (const item of items) this.#report(item)
    this.#watch()
  }

  #report(item: Report): void {
    if (item.kind === 'ready') {
      this.#open(item.limits)
      return
    }
    if (item.kind === 'broken') {
      this.#isBroken = true
      this.#failAll(() => new GatewayError('capability_unavailable', item.message))
      this.#kill('its model cannot be used')
      return
    }
    const pending = this.#pending.get(item.id)
    if (!pending) return
    if (item.kind === 'reading') pending.isBeingRead = true
    else if (item.kind === 'read') pending.isBeingRead = false
    else if (item.kind === 'started') pending.isStarted = true
    else if (item.kind === 'events') pending.events.push(item.events)
    else {
      this.#pending.delete(item.id)
      if (item.kind === 'done') pending.events.finish(item.result)
      else pending.events.fail(asError(item))
      if (this.#pending.size === 0) this.#rest()
    }
  }

  /** Handles the end of the process. Requests that had begun fail, and so does a request whose
   *  parsing may have made the process hang. All other requests are sent to a new process,
   *  unless `mostTries` processes have ended while they were pending, or the model cannot be
   *  used at all. */
  #end(how: string): void {
    this.#process = undefined
    this.#counts = undefined
    clearTimeout(this.#silence)
    for (const pending of [...this.#pending.values()]) {
      pending.tries += 1
      const isCause = this.#isSilent && (pending.isBeingRead || pending.isStarted)
      if (!isCause && !pending.isStarted && pending.tries < mostTries && !this.#isBroken) {
        pending.isBeingRead = false
        continue
      }
      this.#pending.delete(pending.id)
      pending.events.fail(isCause ? this.#timeout() : this.#death(how))
    }
    this.#isBroken = false
    if (this.#pending.size > 0) this.#start()
    else this.#rest()
  }

  /** Returns the error for a process that has sent nothing for too long. Any request that the
   *  process had begun is possibly the one that keeps the process busy, so none of these requests
   *  is retried. */
  #timeout(): GatewayError {
    return new GatewayError('engine_timeout', `The engine said nothing for ${this.#options.silenceLimitMs / 1000} seconds.`)
  }

  #death(how: string): GatewayError {
    return new GatewayError('internal_error', `The engine process ended during the answer: ${this.#why || how}.`)
  }

  #rest(): void {
    clearTimeout(this.#silence)
    this.#options.onIdle()
  }

  #watch(): void {
    clearTimeout(this.#silence)
    if (this.#pending.size === 0) return
    const { silenceLimitMs } = this.#options
    this.#silence = setTimeout(() => {
      this.#isSilent = true
      this.#kill(`it was silent for ${silenceLimitMs / 1000} seconds`)
    }, silenceLimitMs)
    this.#silence.unref()
  }

  #failAll(error: () => GatewayError): void {
    for (const pending of this.#pending.values()) pending.events.fail(error())
    this.#pending.clear()
  }

  #kill(why: string): void {
    this.#why = why
    this.#process?.kill('SIGKILL')
  }
}

function forkProcess(): ChildProcess {
  const { flags, environment } = compileCache()
  return fork(fileURLToPath(new URL('./process.ts', import.meta.url)), parentArgument(), {
    ...childOptions,
    // The process may read files, may write only its compiled code, and has no network. The
    // library needs a child process to test its own binary, and the watchdog needs a thread; the
    // process drops both permissions before it opens the model.
    ...nodeWithLimits({ fileBytes: mostFileBytes }, [
      '--permission',
      '--allow-fs-read=*',
      '--allow-addons',
      '--allow-child-process',
      ...flags,
      ...watchdogFlags,
      '--disable-warning=SecurityWarning',
      '--max-old-space-size=512',
    ]),
    // The library must not download anything. One thread draws all tokens: llama.cpp sorts the
    // results of a step when they are first read, so two threads would read each other's
    // half-sorted results.
    env: childEnvironment({ NODE_LLAMA_CPP_SKIP_DOWNLOAD: 'true', UV_THREADPOOL_SIZE: '1', ...environment }),
  })
}

function refuseTooMuch({ request, countsOnly }: Pending, limits: ModelLimits): void {
  refuseOversized(request, countsOnly ? countingLimits(limits) : limits)
}

function asError(item: Extract<Report, { kind: 'failed' }>): GatewayError {
  // The keys of `errorCatalogue` are the error codes.
  const code = item.code in errorCatalogue ? (item.code as ErrorCode) : 'internal_error'
  const cause = new Error('The engine process threw.')
  cause.stack = item.stack
  return new GatewayError(code, item.message, { cause, ...(item.field === undefined ? {} : { field: item.field }) })
}
