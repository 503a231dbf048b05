/** The gateway's side of one text child: sends requests, hands out events, starts the process again after a crash. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type ErrorCode, errorCatalogue, GatewayError } from '../../core/errors.ts'
import type { TextEvent, TextRequest, TextResult } from '../../core/requests/text.ts'
import { childEnvironment, lowerPriority } from '../child-process.ts'
import { EventQueue } from './event-queue.ts'
import type { ChildCounts, FromChild, ModelSettings, Report, ToChild } from './messages.ts'

/** A child that says nothing for this long while it has work is taken for hung. */
const silenceLimitMs = 120_000
/** A request is handed to at most so many processes: one that kills them before it is even started must not do so for ever. */
const mostTries = 2

interface Pending {
  id: number
  request: TextRequest
  events: EventQueue<TextEvent, TextResult>
  isStarted: boolean
  tries: number
}

export class TextChild {
  readonly model: ModelSettings
  readonly #onLog: (message: string) => void
  readonly #onIdle: () => void
  readonly #pending = new Map<number, Pending>()
  #process: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()
  #counts: ChildCounts | undefined
  #ids = 0
  #silence: NodeJS.Timeout | undefined
  #isBroken = false
  #why = ''

  /** `onIdle` is told whenever the last request has ended. */
  constructor(model: ModelSettings, options: { onLog(message: string): void; onIdle(): void }) {
    this.model = model
    this.#onLog = options.onLog
    this.#onIdle = options.onIdle
  }

  /** Requests that run or wait. */
  get load(): number {
    return this.#pending.size
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** What the process last said of itself. */
  get counts(): ChildCounts | undefined {
    return this.#counts
  }

  ask(request: TextRequest): { events: EventQueue<TextEvent, TextResult>; leave(): void } {
    this.#ids += 1
    const pending: Pending = { id: this.#ids, request, events: new EventQueue(), isStarted: false, tries: 0 }
    this.#pending.set(pending.id, pending)
    if (this.#process) this.#hand(pending)
    else this.#start()
    return { events: pending.events, leave: () => this.#leave(pending) }
  }

  /** Ends the process; what still runs or waits fails with `draining`. */
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
    const child = fork(fileURLToPath(new URL('./process.ts', import.meta.url)), {
      serialization: 'advanced',
      // Read only; no network, no workers. The right to start a process is for the library's trial of its binary and is given up before the model is opened.
      execArgv: [
        '--permission',
        '--allow-fs-read=*',
        '--allow-addons',
        '--allow-child-process',
        '--disable-warning=SecurityWarning',
        '--max-old-space-size=512',
      ],
      // The library never looks for a download.
      env: childEnvironment({ NODE_LLAMA_CPP_SKIP_DOWNLOAD: 'true', UV_THREADPOOL_SIZE: '4' }),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#process = child
    this.#why = ''
    lowerPriority(child.pid)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#onLog(text.slice(0, 2000)))
    // Only process.ts speaks on this channel, and only in FromChild.
    child.on('message', message => this.#take(message as FromChild))
    this.#ended = new Promise(resolve => {
      const end = (how: string): void => {
        if (this.#process === child) this.#end(how)
        resolve()
      }
      child.once('exit', (code, signal) => end(signal ? `it was ended by ${signal}` : `it ended with code ${code}`))
      child.once('error', error => {
        this.#onLog(`the text engine's process: ${error.message}`)
        if (child.pid === undefined) end('it could not be started')
      })
    })
    this.#send({ kind: 'open', model: this.model })
    this.#watch()
    for (const pending of this.#pending.values()) this.#hand(pending)
  }

  #hand(pending: Pending): void {
    pending.tries += 1
    this.#send({ kind: 'ask', id: pending.id, request: pending.request })
    this.#watch()
  }

  #send(message: ToChild): void {
    // A channel that is gone is followed by the exit, which settles everything.
    if (this.#process?.connected) this.#process.send(message, () => undefined)
  }

  #take({ items, counts }: FromChild): void {
    this.#counts = counts
    for (const item of items) this.#report(item)
    this.#watch()
  }

  #report(item: Report): void {
    if (item.kind === 'ready') return
    if (item.kind === 'broken') {
      this.#isBroken = true
      this.#failAll(() => new GatewayError('capability_unavailable', item.message))
      this.#kill('its model cannot be used')
      return
    }
    const pending = this.#pending.get(item.id)
    if (!pending) return
    if (item.kind === 'started') pending.isStarted = true
    else if (item.kind === 'events') pending.events.push(item.events)
    else {
      this.#pending.delete(item.id)
      if (item.kind === 'done') pending.events.finish(item.result)
      else pending.events.fail(asError(item))
      if (this.#pending.size === 0) this.#rest()
    }
  }

  /** The process is gone: what ran in it fails, what waited goes to a new one. */
  #end(how: string): void {
    this.#process = undefined
    this.#counts = undefined
    clearTimeout(this.#silence)
    for (const pending of [...this.#pending.values()]) {
      if (!pending.isStarted && pending.tries < mostTries && !this.#isBroken) continue
      this.#pending.delete(pending.id)
      pending.events.fail(new GatewayError('internal_error', `The engine process ended during the answer: ${this.#why || how}.`))
    }
    this.#isBroken = false
    if (this.#pending.size > 0) this.#start()
    else this.#rest()
  }

  #rest(): void {
    clearTimeout(this.#silence)
    this.#onIdle()
  }

  #watch(): void {
    clearTimeout(this.#silence)
    if (this.#pending.size === 0) return
    this.#silence = setTimeout(() => this.#kill(`it was silent for ${silenceLimitMs / 1000} seconds`), silenceLimitMs)
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

function asError(item: Extract<Report, { kind: 'failed' }>): GatewayError {
  // A key of the catalogue is an error code.
  const code = item.code in errorCatalogue ? (item.code as ErrorCode) : 'internal_error'
  const cause = new Error('The engine process threw.')
  cause.stack = item.stack
  return new GatewayError(code, item.message, { cause, ...(item.field === undefined ? {} : { field: item.field }) })
}
