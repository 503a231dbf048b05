import { Worker } from 'node:worker_threads'
import { errorMessage, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { StoreSignal } from '../../core/ports/store.ts'
import type { Answer, OperationName, Operations } from '../sql/operations.ts'
import { closedStore, type PendingCall, pendingCall, settleCalls } from '../sql/pending-call.ts'
import type { Writer } from '../sql/writer.ts'
import type { WriterOptions, WriterReply, WriterRequest } from './messages.ts'

/** Number of requests that may be sent to the writer thread without an answer: two are enough to
 *  keep it busy. Further calls are collected and share the next request. */
const requestsInFlight = 2
const callsPerRequest = 256

/** The main thread's interface to the writer thread, which it starts and ends. Sends the calls
 *  of one turn of the event loop together, up to `callsPerRequest` in one message. */
export class WriterClient implements Writer {
  readonly #worker: Worker
  readonly #onSignals: (signals: StoreSignal[]) => void
  readonly #queued: PendingCall[] = []
  readonly #sent: PendingCall[] = []
  readonly #opened = Promise.withResolvers<void>()
  readonly #closed = Promise.withResolvers<void>()
  #inFlight = 0
  #flushPlanned = false
  #isClosing = false
  #failure: string | undefined

  /** `onSignals` is called after each commit that has signals, after its callers have been
   *  answered. */
  constructor(options: WriterOptions, onSignals: (signals: StoreSignal[]) => void) {
    this.#onSignals = onSignals
    this.#worker = new Worker(new URL('./writer/writer.ts', import.meta.url), { workerData: options })
    this.#worker.on('message', (message: WriterReply) => this.#receive(message))
    this.#worker.on('error', error => this.#breakDown(errorMessage(error)))
    this.#worker.on('exit', () => {
      if (!this.#isClosing) this.#breakDown('the writer thread ended')
      this.#closed.resolve()
    })
  }

  /** Resolves when the database is open and migrated. Throws `store_unavailable`. */
  opened(): Promise<void> {
    return this.#opened.promise
  }

  run<Name extends OperationName>(name: Name, input: Operations[Name]['input']): Promise<Operations[Name]['output']> {
    const failure = this.#refusal()
    if (failure !== undefined) return Promise.reject(failure)
    const { pending, output } = pendingCall(name, input)
    this.#queued.push(pending)
    this.#planFlush()
    return output
  }

  /** True when the disk has failed, or the writer thread has ended by an error. */
  get isBroken(): boolean {
    return this.#failure !== undefined
  }

  assertWritable(): void {
    const refusal = this.#refusal()
    if (refusal !== undefined) throw refusal
  }

  isAway(): boolean {
    return false
  }

  /** Writes the waiting calls, then closes the database and ends the thread. A second call
   *  resolves at the same time as the first. */
  close(): Promise<void> {
    if (!this.#isClosing) {
      this.#isClosing = true
      this.#flush(Number.POSITIVE_INFINITY)
      this.#post({ kind: 'close' })
    }
    return this.#closed.promise
  }

  #refusal(): GatewayError | undefined {
    if (this.#failure !== undefined) return broken(this.#failure)
    return this.#isClosing ? closedStore() : undefined
  }

  #planFlush(): void {
    if (this.#queued.length === 0 || this.#flushPlanned || this.#inFlight >= requestsInFlight) return
    this.#flushPlanned = true
    setImmediate(() => {
      this.#flushPlanned = false
      this.#flush(requestsInFlight)
    })
  }

  #flush(limit: number): void {
    while (this.#queued.length > 0 && this.#inFlight < limit) {
      const batch = this.#queued.splice(0, callsPerRequest)
      this.#sent.push(...batch)
      this.#inFlight += 1
      this.#post({ kind: 'calls', calls: batch.map(waiting => waiting.call) })
    }
  }

  #post(request: WriterRequest): void {
    this.#worker.postMessage(request)
  }

  #receive(reply: WriterReply): void {
    if (reply.kind === 'ready') this.#opened.resolve()
    else if (reply.kind === 'refused') this.#refuseToOpen(reply.message)
    else if (reply.kind === 'broken') this.#breakDown(reply.message)
    else if (reply.kind === 'done') {
      this.#inFlight -= reply.requests
      this.#answer(reply.answers)
      if (reply.signals.length > 0) this.#onSignals(reply.signals)
      this.#planFlush()
    } else if (reply.kind === 'failed') {
      this.#inFlight -= reply.requests
      this.#fail(reply)
      this.#planFlush()
    }
  }

  #refuseToOpen(message: string): void {
    this.#isClosing = true
    this.#opened.reject(new GatewayError('store_unavailable', `The store cannot be opened: ${message}`))
  }

  #fail({ fault, calls, message }: Extract<WriterReply, { kind: 'failed' }>): void {
    if (fault === 'broken') this.#breakDown(message)
    else this.#rejectSent(calls, refusals[fault](message))
  }

  #answer(answers: Answer[]): void {
    settleCalls(this.#sent.splice(0, answers.length), answers)
  }

  #rejectSent(count: number, error: GatewayError): void {
    for (const waiting of this.#sent.splice(0, count)) waiting.reject(error)
  }

  /** Refuses all writes from now on, until the program restarts. */
  #breakDown(message: string): void {
    this.#failure ??= message
    const error = broken(this.#failure)
    this.#opened.reject(error)
    this.#rejectSent(this.#sent.length, error)
    for (const waiting of this.#queued.splice(0)) waiting.reject(error)
  }
}

/** The errors for the calls of a transaction that has written nothing, by the kind of fault that
 *  ended it. */
const refusals: Readonly<Record<'busy' | 'no-memory' | 'disk-full', (cause: string) => GatewayError>> = {
  busy: cause => new GatewayError('store_unavailable', 'Another process uses the store.', { cause }),
  'no-memory': cause => new GatewayError('store_unavailable', 'The store has too little memory; nothing was written.', { cause }),
  'disk-full': cause => new GatewayError('disk_full', 'The disk is full; nothing was written.', { cause }),
}

function broken(failure: string): GatewayError {
  return new GatewayError('store_unavailable', `The store has stopped writing until restart: ${failure}.`)
}
