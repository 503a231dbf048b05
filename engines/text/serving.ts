/** Serves all conversations of one child process. Each conversation gets a place in a lane (a
 *  llama.cpp context) that is long enough for it; accounts take turns (decision 0033). */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { FairQueue } from '@generation-gateway/kit/process/fair-queue.ts'
import { converse, countPrompt, type PreparedRequest, prepare } from './conversation.ts'
import { Lane } from './lane.ts'
import { Lockstep } from './lockstep.ts'
import type { ChildCounts, FromChild, Report, ToChild } from './messages.ts'
import type { OpenModel } from './model.ts'

/** Context length, in tokens, of the short lane, into which most conversations fit. A long lane
 *  (16,384 tokens by default) needs more memory than all places of the short one together, so it
 *  is closed when it has not been used for a while. */
const shortContext = 2048
/** Numbers of places in the short lane: `account` is the number that one account may have, `all`
 *  the total. The two additional places are for other accounts. */
const shortPlaces = { account: 4, all: 6 }
const longLaneIdleMs = 60_000
/** Number of tokens that are reserved for an answer without a limit, if the model's context has
 *  room for them. */
const roomyAnswer = 1024

/** All lanes that have the same context length. */
interface Lanes {
  contextSize: number
  /** The lanes, in the order in which they are filled. */
  all: readonly Lane[]
  /** Number of places that one account may have in all these lanes together. */
  accountPlaces: number
}

type AskMessage = Extract<ToChild, { kind: 'ask' }>

interface WaitingTurn {
  id: number
  account: string | undefined
  prepared: PreparedRequest
  lanes: Lanes
  /** Key by which waiting requests of an account are sorted: the number of tokens that the model
   *  had written when the request arrived, plus the tokens that the request may need. Short
   *  requests come first, but a long one is not overtaken forever. */
  dueAt: number
}

export class Serving {
  readonly #opened: OpenModel
  readonly #send: (message: FromChild) => void
  readonly #lanes: [Lanes, ...Lanes[]]
  readonly #lockstep = new Lockstep({ onStep: width => this.#step(width) })
  /** Requests are parsed one at a time. */
  readonly #reading = new FairQueue({ places: 1 })
  readonly #waiting: WaitingTurn[] = []
  readonly #cancelled = new Set<number>()
  readonly #known = new Set<number>()
  readonly #counts = { steps: 0, tokens: 0, widest: 0, running: 0 }
  #items: Report[] = []
  #closing: NodeJS.Timeout | undefined

  constructor(opened: OpenModel, threads: number, send: (message: FromChild) => void) {
    this.#opened = opened
    this.#send = send
    const lane = (contextSize: number, places: number): Lane => new Lane(opened.model, { contextSize, places, threads })
    const { contextSize } = opened
    const length = Math.min(shortContext, contextSize)
    const short = { contextSize: length, all: [lane(length, shortPlaces.all)], accountPlaces: shortPlaces.account }
    // The context of the second long lane is created only when an account uses the first one and
    // another account needs a long lane.
    const long = { contextSize, all: [lane(contextSize, 1), lane(contextSize, 1)], accountPlaces: 1 }
    this.#lanes = contextSize > shortContext ? [short, long] : [short]
  }

  /** Creates the context of the short lane, into which most conversations fit. */
  warm(): Promise<void> {
    return this.#lanes[0].all[0]?.open() ?? Promise.resolve()
  }

  async ask({ id, account, request, countsOnly }: AskMessage): Promise<void> {
    this.#known.add(id)
    using place = await this.#reading.take({ account, signal: neverAborted })
    if (this.#cancelled.has(id)) return this.#forget(id)
    this.#items.push({ kind: 'reading', id })
    this.#flush()
    try {
      const counting = { isCancelled: () => this.#cancelled.has(id), giveWay: () => place.giveWay() }
      if (countsOnly) return this.#counted(id, await countPrompt(request, this.#opened, counting))
      const prepared = await prepare(request, this.#opened, counting)
      if (this.#cancelled.has(id)) return this.#forget(id)
      this.#items.push({ kind: 'read', id })
      this.#flush()
      const { lanes, tokens } = this.#lanesFor(prepared)
      this.#waiting.push({ id, account, prepared, lanes, dueAt: this.#counts.tokens + tokens })
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

  #counted(id: number, inputTokens: number): void {
    const usage = { inputTokens, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }
    this.#items.push({ kind: 'done', id, result: { finish: 'stop', usage } })
    this.#forget(id)
    this.#flush()
  }

  #lanesFor({ prompt, request }: PreparedRequest): { lanes: Lanes; tokens: number } {
    const tokens = prompt.length + (request.maxOutputTokens ?? roomyAnswer)
    return { tokens, lanes: this.#lanes.find(({ contextSize }) => tokens <= contextSize) ?? this.#lanes.at(-1) ?? this.#lanes[0] }
  }

  #next(): void {
    for (;;) {
      let first: WaitingTurn | undefined
      for (const waiting of this.#waiting) if (laneWithRoom(waiting) && (!first || this.#goesBefore(waiting, first))) first = waiting
      const lane = first && laneWithRoom(first)
      if (!first || !lane) return
      this.#waiting.splice(this.#waiting.indexOf(first), 1)
      void this.#run(first, lane)
    }
  }

  /** True when request `one` goes before request `other`: the account with fewer running
   *  conversations comes first; when the numbers are equal, the request with the smaller
   *  `dueAt`. */
  #goesBefore(one: WaitingTurn, other: WaitingTurn): boolean {
    const difference = this.#runningOf(one.account) - this.#runningOf(other.account)
    return difference === 0 ? one.dueAt < other.dueAt : difference < 0
  }

  #runningOf(account: string | undefined): number {
    return this.#lanes.flatMap(({ all }) => all).reduce((sum, lane) => sum + lane.heldBy(account), 0)
  }

  async #run({ id, account, prepared }: WaitingTurn, lane: Lane): Promise<void> {
    this.#counts.running += 1
    this.#items.push({ kind: 'started', id })
    this.#flush()
    try {
      const place = await lane.take(account, prepared.prompt)
      try {
        const result = await converse({
          prepared,
          opened: this.#opened,
          lane,
          place,
          lockstep: this.#lockstep,
          account,
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
    if (!long?.all.some(({ isIdle }) => isIdle)) return
    clearTimeout(this.#closing)
    this.#closing = setTimeout(() => {
      for (const lane of long.all) if (lane.isIdle) void lane.close()
    }, longLaneIdleMs)
    this.#closing.unref()
  }
}

const neverAborted = new AbortController().signal

/** Returns a lane that has a free place for the conversation; undefined when there is none. The
 *  last free place is reserved for an account that has no place yet. */
function laneWithRoom({ account, lanes: { all, accountPlaces } }: WaitingTurn): Lane | undefined {
  const held = all.reduce((sum, lane) => sum + lane.heldBy(account), 0)
  const free = all.reduce((sum, lane) => sum + lane.free, 0)
  if (held >= accountPlaces || (held > 0 && free <= 1)) return undefined
  return all.find(lane => lane.free > 0)
}

/** Returns the report of an error for the gateway. A GatewayError keeps its code and message; any
 *  other error becomes `internal_error` without details. */
function failure(id: number, error: unknown): Report {
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
