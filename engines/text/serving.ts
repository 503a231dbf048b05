/** All conversations of one text child: each gets a place in a lane that is long enough, in the order they came. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { converse, type Prepared, prepare } from './conversation.ts'
import { Lane } from './lane.ts'
import type { ChildCounts, FromChild, Report } from './messages.ts'
import type { OpenModel } from './model.ts'

/** Most conversations fit into a short lane; a long one costs as much memory as all of its places and is closed when it was not needed for a while. */
const shortContext = 2048
const shortPlaces = 4
const longLaneIdleMs = 60_000
/** Tokens an answer without a limit of its own gets room for at least, where the model holds them. */
const roomyAnswer = 1024

interface Waiting {
  id: number
  prepared: Prepared
  lane: Lane
}

export class Serving {
  readonly #opened: OpenModel
  readonly #send: (message: FromChild) => void
  readonly #lanes: [Lane, ...Lane[]]
  readonly #waiting: Waiting[] = []
  readonly #cancelled = new Set<number>()
  readonly #known = new Set<number>()
  readonly #counts = { steps: 0, tokens: 0, widest: 0, running: 0 }
  #items: Report[] = []
  #closing: NodeJS.Timeout | undefined

  constructor(opened: OpenModel, threads: number, send: (message: FromChild) => void) {
    this.#opened = opened
    this.#send = send
    const lane = (contextSize: number, places: number): Lane =>
      new Lane(opened.model, { contextSize, places, threads, onStep: width => this.#step(width) })
    const short = lane(Math.min(shortContext, opened.contextSize), shortPlaces)
    this.#lanes = opened.contextSize > shortContext ? [short, lane(opened.contextSize, 1)] : [short]
  }

  /** Makes the context that most conversations fit into. */
  warm(): Promise<void> {
    return this.#lanes[0].open()
  }

  async ask(id: number, request: TextRequest): Promise<void> {
    this.#known.add(id)
    this.#items.push({ kind: 'reading', id })
    this.#flush()
    try {
      const prepared = await prepare(request, this.#opened, () => this.#cancelled.has(id))
      if (this.#cancelled.has(id)) return this.#forget(id)
      this.#items.push({ kind: 'read', id })
      this.#flush()
      this.#waiting.push({ id, prepared, lane: this.#laneFor(prepared) })
      this.#next()
    } catch (error) {
      this.#fail(id, error)
    }
  }

  cancel(id: number): void {
    if (!this.#known.has(id)) return
    const at = this.#waiting.findIndex(waiting => waiting.id === id)
    if (at < 0) {
      this.#cancelled.add(id)
      return
    }
    this.#waiting.splice(at, 1)
    this.#forget(id)
    this.#flush()
  }

  #laneFor({ prompt, request }: Prepared): Lane {
    const room = prompt.length + (request.maxOutputTokens ?? roomyAnswer)
    return this.#lanes.find(lane => room <= lane.contextSize) ?? this.#lanes.at(-1) ?? this.#lanes[0]
  }

  #next(): void {
    for (const waiting of [...this.#waiting]) {
      if (waiting.lane.isFull) continue
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      void this.#run(waiting)
    }
  }

  async #run({ id, prepared, lane }: Waiting): Promise<void> {
    this.#counts.running += 1
    this.#items.push({ kind: 'started', id })
    this.#flush()
    try {
      const place = await lane.take(prepared.prompt)
      try {
        const result = await converse({
          prepared,
          opened: this.#opened,
          lane,
          place,
          isCancelled: () => this.#cancelled.has(id),
          onEvents: events => this.#items.push({ kind: 'events', id, events }),
          onToken: () => {
            this.#counts.tokens += 1
          },
        })
        this.#items.push({ kind: 'done', id, result })
      } finally {
        lane.give(place)
      }
    } catch (error) {
      this.#items.push(failure(id, error))
    }
    this.#counts.running -= 1
    this.#forget(id)
    this.#flush()
    this.#next()
    this.#closeIdleLane()
  }

  #step(width: number): void {
    this.#counts.steps += 1
    this.#counts.widest = Math.max(this.#counts.widest, width)
    this.#flush()
  }

  #fail(id: number, error: unknown): void {
    this.#items.push(failure(id, error))
    this.#forget(id)
    this.#flush()
  }

  #forget(id: number): void {
    this.#known.delete(id)
    this.#cancelled.delete(id)
  }

  #flush(): void {
    const items = this.#items
    this.#items = []
    const counts: ChildCounts = { ...this.#counts, waiting: this.#waiting.length, rssBytes: process.memoryUsage.rss() }
    this.#send({ items, counts })
  }

  #closeIdleLane(): void {
    const [, long] = this.#lanes
    if (!long?.isIdle) return
    clearTimeout(this.#closing)
    this.#closing = setTimeout(() => {
      if (long.isIdle) void long.close()
    }, longLaneIdleMs)
    this.#closing.unref()
  }
}

/** An error as the gateway can show it: ours with its sentence, any other hidden behind an `internal_error`. */
export function failure(id: number, error: unknown): Report {
  const known = error instanceof GatewayError ? error : undefined
  return {
    kind: 'failed',
    id,
    code: known?.code ?? 'internal_error',
    message: known?.message ?? 'The engine failed on this request.',
    ...(known?.field === undefined ? {} : { field: known.field }),
    stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }
}
