import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { preciseNow } from './answers.ts'
import { requestText } from './load-loop.ts'
import type { StreamCounts, StreamsJob } from './load-process.ts'

const eventEnd = Buffer.from('\n\n')
const sentAtMark = Buffer.from('"t":"')
/** The send time is parsed in one of every 16 pieces of a stream. To parse it in every piece would
 *  cost more CPU time than to receive the pieces. */
const sampleEvery = 16
const slowReadEveryMs = 50

/** Streams that the load generator has open. It counts their events and discards them. */
export class LoadedStreams {
  readonly #sockets: Socket[] = []
  #events = 0
  #bytes = 0
  #pieces = 0
  #answered = 0
  #failures = 0
  #closed = 0
  #firstFailure = ''
  #delays: number[] = []

  /** Resolves when the head of every stream has arrived. The connections are opened in groups,
   *  because the queue of the server for new connections is limited. */
  async open(job: StreamsJob): Promise<void> {
    const request = requestText(job)
    for (let opened = 0; opened < job.streams; ) {
      for (let index = 0; index < 50 && opened < job.streams; index++, opened++) this.#openOne(job, request)
      await this.#until(() => this.#answered >= opened, job.streams)
    }
  }

  counts(): StreamCounts {
    const delays = this.#delays.sort((a, b) => a - b)
    this.#delays = []
    const at = (share: number) => delays[Math.floor(delays.length * share)] ?? 0
    return {
      at: preciseNow(),
      streams: this.#answered - this.#closed,
      events: this.#events,
      bytes: this.#bytes,
      failures: this.#failures,
      firstFailure: this.#firstFailure,
      delayP50: at(0.5),
      delayP99: at(0.99),
    }
  }

  drop(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #openOne(job: StreamsJob, request: Buffer): void {
    const socket = connect({ host: '127.0.0.1', port: job.port, noDelay: true }, () => socket.write(request))
    this.#sockets.push(socket)
    let isAnswered = false
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#closed += 1
    })
    socket.on('data', (chunk: Buffer) => {
      if (!isAnswered) this.#noteHead(chunk)
      isAnswered = true
      this.#note(chunk)
      if (job.isSlow) readLater(socket)
    })
  }

  #noteHead(chunk: Buffer): void {
    this.#answered += 1
    const head = chunk.toString('latin1', 0, 400)
    if (/^HTTP\/1\.1 2/.test(head) && /text\/event-stream/i.test(head)) return
    this.#failures += 1
    this.#firstFailure ||= head
  }

  #note(chunk: Buffer): void {
    this.#bytes += chunk.length
    for (let at = chunk.indexOf(eventEnd); at >= 0; at = chunk.indexOf(eventEnd, at + 2)) this.#events += 1
    this.#pieces += 1
    if (this.#pieces % sampleEvery !== 0) return
    const mark = chunk.indexOf(sentAtMark)
    if (mark >= 0) this.#delays.push(preciseNow() - Number.parseFloat(chunk.toString('latin1', mark + sentAtMark.length, mark + 30)))
  }

  async #until(isReached: () => boolean, streams: number): Promise<void> {
    for (let waitedMs = 0; !isReached(); waitedMs += 2) {
      if (waitedMs > 30_000) throw new Error(`${this.#answered} of ${streams} streams were answered within 30 s`)
      await sleep(2)
    }
  }
}

/** Pauses the socket after each piece, so that it reads about a megabyte a second. */
function readLater(socket: Socket): void {
  socket.pause()
  setTimeout(() => socket.resume(), slowReadEveryMs)
}
