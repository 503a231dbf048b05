/** The answer of an upstream as it passes: cut into parts that may go out, counted, and held against what an answer has to be. */
import { type GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextUsage } from '@generation-gateway/kit/requests/text.ts'
import { tokensInBytes } from '@generation-gateway/kit/requests/token-estimate.ts'
import type { AnswerNormalizer, RelayScan, Splice } from '../../contract/relay.ts'
import { JsonPlaces } from '../body/json-places.ts'
import { countsOfAnswer, tokensSaid } from './answer-counts.ts'
import type { ModelInAnswers } from './model-in-answers.ts'
import { normalAnswer, normalEvents } from './normal-bytes.ts'
import { fault, parsedAnswer } from './relay-answer.ts'
import { StreamScan } from './stream-scan.ts'
import { WholeEvents, withoutAdded } from './whole-events.ts'

/** Something that may go out. */
export interface Part {
  bytes: Buffer
  /** What the upstream sent of it: `bytes` may lack events nobody asked for, and have our name for the model. */
  sent: Buffer
  /** The whole answer, when it is one: each byte as a character, so that it goes out in one write with the head. */
  whole?: string
  /** It was parsed from `whole`: its names, ids and numbers are right, its texts only where they are ASCII. */
  answer?: unknown
  /** Its own `id`, once it has come, of an answer that is too large to be parsed. */
  id?: string
  /** Whole events of a stream. */
  isEvents: boolean
  /** Whole events that have a usage member somewhere. */
  isMarked: boolean
  /** Nothing follows it. */
  isLast: boolean
}

export interface RelayedAnswer {
  readonly isStream: boolean
  /** What the upstream has counted; `hasEnded`: and its answer has ended in good order. */
  usage(hasEnded: boolean): TextUsage | undefined
  /** About how many tokens have been said. */
  readonly said: number
  /** Set once what came can be no answer. */
  readonly problem: GatewayError | undefined
  /** The part that may go out after this piece; undefined while there is none. */
  take(chunk: Buffer): Part | undefined
  /** The last part; undefined when there is none. To be called once the upstream has ended, until it gives none. */
  end(): Part | undefined
}

/** What is changed in an answer on its way. */
interface Changes {
  model: ModelInAnswers | undefined
  normalizer: AnswerNormalizer | undefined
}

/** A stream of events. */
export class EventAnswer implements RelayedAnswer {
  readonly isStream = true
  problem: GatewayError | undefined
  readonly #isAdded: Splice['isAdded'] | undefined
  readonly #model: ModelInAnswers | undefined
  readonly #normalizer: AnswerNormalizer | undefined
  readonly #events = new WholeEvents()
  readonly #scan: StreamScan
  #isEmpty = true
  #hasEnded = false

  /** `isAdded`: of events that do not go out. */
  constructor(scan: RelayScan, isAdded: Splice['isAdded'] | undefined, { model, normalizer }: Changes) {
    this.#isAdded = isAdded
    this.#model = model
    this.#normalizer = normalizer
    this.#scan = new StreamScan(scan)
  }

  usage(hasEnded: boolean): TextUsage | undefined {
    return this.#scan.usage(hasEnded)
  }

  get said(): number {
    return this.#scan.said
  }

  take(chunk: Buffer): Part | undefined {
    const events = this.#events.take(chunk)
    if (this.#events.isTooLong) this.problem = fault('sent an event that is larger than 8 MB')
    return events.length === 0 ? undefined : this.#part(events, false)
  }

  end(): Part | undefined {
    const rest = this.#hasEnded ? undefined : this.#events.rest()
    this.#hasEnded = true
    if (rest) return this.#part(rest, true)
    if (this.#isEmpty) this.problem = fault('sent a stream without an event')
    return undefined
  }

  #part(events: Buffer, isLast: boolean): Part {
    this.#isEmpty = false
    const isMarked = this.#scan.read(events)
    const normal = this.#normalizer === undefined ? events : normalEvents(events, this.#normalizer)
    const asked = isMarked && this.#isAdded !== undefined ? withoutAdded(normal, this.#isAdded) : normal
    const bytes = this.#model === undefined ? asked : this.#model.inEvents(asked)
    return { bytes, sent: events, isEvents: true, isMarked, isLast }
  }
}

/** Answers up to this size are judged as a whole before anything of them goes out, in one write. */
const judgedWhole = 256 * 1024
/** The same where answers are put in order, for which they have to be whole; larger ones pass as they are. */
const normalWhole = 8 * 1024 * 1024

/** JSON. A large one goes out as it comes: it can only be cut when it turns out to be broken. */
export class JsonAnswer implements RelayedAnswer {
  readonly isStream = false
  problem: GatewayError | undefined
  readonly #scan: RelayScan
  readonly #model: ModelInAnswers | undefined
  readonly #normalizer: AnswerNormalizer | undefined
  #usage: TextUsage | undefined
  #pieces: Buffer[] = []
  #size = 0
  #said = 0
  #places: JsonPlaces | undefined
  #hasEnded = false

  constructor(scan: RelayScan, { model, normalizer }: Changes) {
    this.#scan = scan
    this.#model = model
    this.#normalizer = normalizer
  }

  usage(): TextUsage | undefined {
    return this.#usage
  }

  get said(): number {
    return this.#said + this.#pieces.reduce((tokens, piece) => tokens + tokensInBytes(piece), 0)
  }

  take(chunk: Buffer): Part | undefined {
    this.#size += chunk.length
    if (this.#places) return this.#pass(chunk, this.#places)
    this.#pieces.push(chunk)
    if (this.#size <= (this.#normalizer === undefined ? judgedWhole : normalWhole)) return undefined
    const begun = this.#joined()
    this.#pieces = []
    this.#places = this.#model
      ? new JsonPlaces(new Set(['id', 'usage', 'status', 'model']), 'model')
      : new JsonPlaces(new Set(['id', 'usage', 'status']))
    return this.#pass(begun, this.#places)
  }

  end(): Part | undefined {
    if (this.#hasEnded) return undefined
    this.#hasEnded = true
    return this.#places ? this.#endLarge(this.#places) : this.#whole()
  }

  #pass(sent: Buffer, places: JsonPlaces): Part | undefined {
    const hasBegun = places.isMarking
    places.feed(sent)
    this.#said += tokensInBytes(sent)
    if (places.isWrong) this.problem = fault('sent an answer that is no JSON object')
    const { id } = places.found
    const bytes = this.#model === undefined ? sent : this.#model.inPiece(sent, places.marks, hasBegun)
    return { bytes, sent, ...(typeof id === 'string' ? { id } : {}), isEvents: false, isMarked: false, isLast: false }
  }

  #endLarge(places: JsonPlaces): undefined {
    if (places.isWhole) this.#usage = countsOfAnswer(this.#scan, places.found)
    else this.problem = fault('broke off its answer')
  }

  #whole(): Part | undefined {
    const sent = this.#joined()
    const text = sent.toString('latin1')
    try {
      const answer = parsedAnswer(text)
      this.#usage = countsOfAnswer(this.#scan, answer)
      if (this.#usage === undefined || this.#usage.outputTokens === 0) this.#said = tokensSaid(this.#scan, JSON.parse(sent.toString()))
      this.#pieces = []
      const normal = this.#normalizer === undefined ? sent : normalAnswer(sent, this.#normalizer)
      const bytes = this.#model === undefined ? normal : this.#model.inAnswer(normal)
      const whole = bytes === sent ? text : bytes.toString('latin1')
      return { bytes, sent, whole, answer, isEvents: false, isMarked: true, isLast: true }
    } catch (error) {
      this.problem = toGatewayError(error)
      return undefined
    }
  }

  #joined(): Buffer {
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
  }
}
