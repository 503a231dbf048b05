/** The answer of an upstream as it passes: cut into parts that may go out, counted, and held against what an answer has to be. */
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { AnswerVerdict } from '@generation-gateway/kit/requests/relay.ts'
import type { TextUsage } from '@generation-gateway/kit/requests/text.ts'
import { tokensInBytes } from '@generation-gateway/kit/requests/token-estimate.ts'
import type { AnswerNormalizer, RelayScan, Splice } from '../../contract/relay.ts'
import { JsonPlaces } from '../body/json-places.ts'
import { countsOfAnswer, tokensSaid } from './answer-counts.ts'
import { beginningOf } from './json-beginning.ts'
import type { ModelInAnswers } from './model-in-answers.ts'
import { normalAnswer, normalEvents } from './normal-bytes.ts'
import { fault, parsedAnswer } from './relay-answer.ts'
import { type Judge, StreamOpening } from './stream-opening.ts'
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
  /** What came in the place of an answer says so itself, or no answer was in it: nothing of it is counted. */
  readonly isFalse: boolean
  /** The part that may go out after this piece; undefined while there is none. */
  take(chunk: Buffer): Part | undefined
  /** The last part; undefined when there is none. To be called once the upstream has ended, until it gives none. */
  end(): Part | undefined
}

interface EventReading {
  isAdded: Splice['isAdded'] | undefined
  model: ModelInAnswers | undefined
  judge: Judge | undefined
  /** Absent: events pass as they are. */
  normalizer?: AnswerNormalizer | undefined
}

/** A stream of events. */
export class EventAnswer implements RelayedAnswer {
  readonly isStream = true
  isFalse = false
  problem: GatewayError | undefined
  readonly #isAdded: Splice['isAdded'] | undefined
  readonly #model: ModelInAnswers | undefined
  readonly #normalizer: AnswerNormalizer | undefined
  readonly #events = new WholeEvents()
  readonly #scan: StreamScan
  #isEmpty = true
  #hasEnded = false
  /** Until an answer has begun. */
  #opening: StreamOpening | undefined

  /** `isAdded`: of events that do not go out. `judge`: of the events before the first that is part of an answer; absent: any is. */
  constructor(scan: RelayScan, { isAdded, model, judge, normalizer }: EventReading) {
    this.#isAdded = isAdded
    this.#model = model
    this.#normalizer = normalizer
    this.#opening = judge && new StreamOpening(judge)
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
    return events.length === 0 ? undefined : this.#begun(events, false)
  }

  end(): Part | undefined {
    const rest = this.#hasEnded ? undefined : this.#events.rest()
    this.#hasEnded = true
    const part = rest && this.#begun(rest, true)
    if (part) return part
    if (this.#isEmpty) this.problem ??= fault('sent a stream without an event')
    else if (this.#opening) this.#fail(fault('sent a stream without an answer'))
    return undefined
  }

  #begun(events: Buffer, isLast: boolean): Part | undefined {
    this.#isEmpty = false
    if (this.#opening === undefined) return this.#part(events, isLast)
    const opening = this.#opening.take(events)
    if (this.#opening.problem) this.#fail(this.#opening.problem)
    if (opening === undefined) return undefined
    this.#opening = undefined
    return this.#part(opening, isLast)
  }

  #fail(problem: GatewayError): void {
    this.problem ??= problem
    this.isFalse = true
  }

  #part(events: Buffer, isLast: boolean): Part {
    const isMarked = this.#scan.read(events)
    const normal = this.#normalizer === undefined ? events : normalEvents(events, this.#normalizer)
    const asked = isMarked && this.#isAdded !== undefined ? withoutAdded(normal, this.#isAdded) : normal
    const bytes = this.#model === undefined ? asked : this.#model.inEvents(asked)
    return { bytes, sent: events, isEvents: true, isMarked, isLast }
  }
}

const openingBracket = 0x5b
/** Answers up to this size are judged as a whole before anything of them goes out, in one write. */
const judgedWhole = 256 * 1024
/** The same where answers are put in order, for which they have to be whole; larger ones pass as they are. */
const normalWhole = 8 * 1024 * 1024
/** So much of a larger one is read, at most, before an answer has to have begun in it. */
const longestBeginning = 2 * 1024 * 1024
/** Of JSON that came where a stream was asked for. */
const longestUnwanted = 64 * 1024

interface JsonReading {
  model: ModelInAnswers | undefined
  /** Absent: any object is an answer. */
  judge: Judge | undefined
  /** A stream was asked for: all that it can be is an error. */
  isUnwanted: boolean
  /** Absent: it passes as it is. */
  normalizer?: AnswerNormalizer | undefined
}

/** JSON. A large one goes out as it comes, once an answer has begun in it: it can only be cut when it turns out to be broken. */
export class JsonAnswer implements RelayedAnswer {
  readonly isStream = false
  isFalse = false
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
  readonly #judge: Judge | undefined
  readonly #isUnwanted: boolean
  /** Bytes at which its beginning is looked at next. */
  #lookAt: number

  constructor(scan: RelayScan, { model, judge, isUnwanted, normalizer }: JsonReading) {
    this.#scan = scan
    this.#model = model
    this.#normalizer = normalizer
    this.#judge = judge
    this.#isUnwanted = isUnwanted
    this.#lookAt = normalizer === undefined ? judgedWhole : normalWhole
  }

  usage(): TextUsage | undefined {
    return this.#usage
  }

  get said(): number {
    if (this.isFalse) return 0
    return this.#said + this.#pieces.reduce((tokens, piece) => tokens + tokensInBytes(piece), 0)
  }

  take(chunk: Buffer): Part | undefined {
    this.#size += chunk.length
    if (this.#places) return this.#pass(chunk, this.#places)
    this.#pieces.push(chunk)
    if (this.#isUnwanted && this.#size > longestUnwanted) this.#fail(unwanted())
    if (this.problem || this.#size <= this.#lookAt || !this.#hasBegun()) return undefined
    const begun = this.#joined()
    this.#pieces = []
    this.#places = new JsonPlaces(new Set(['id', 'usage', 'status']))
    return this.#pass(begun, this.#places)
  }

  end(): Part | undefined {
    if (this.#hasEnded) return undefined
    this.#hasEnded = true
    return this.#places ? this.#endLarge(this.#places) : this.#whole()
  }

  /** Whether an answer has begun in a large one. */
  #hasBegun(): boolean {
    if (!this.#judge) return true
    this.#lookAt *= 2
    const begun = beginningOf(this.#joined())
    if (!isObject(begun)) this.#fail(fault('sent an answer that is no JSON object'))
    else {
      const verdict = this.#judge(begun)
      if (verdict === 'answer') return true
      if (verdict instanceof GatewayError) this.#fail(verdict)
      // A response may repeat long instructions before its output.
      else if (this.#size > longestBeginning && typeof begun.id === 'string') return true
      else if (this.#size > longestBeginning) this.#fail(fault('sent 2 MB of JSON in which no answer begins'))
    }
    return false
  }

  #fail(problem: GatewayError): void {
    this.problem ??= problem
    this.isFalse = true
    this.#pieces = []
  }

  #pass(sent: Buffer, places: JsonPlaces): Part | undefined {
    places.feed(sent)
    this.#said += tokensInBytes(sent)
    if (places.isWrong) this.problem = fault('sent an answer that is no JSON object')
    const { id } = places.found
    const bytes = this.#model === undefined ? sent : this.#model.inPiece(sent)
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
      const wrong = this.#faultIn(answer, sent)
      if (wrong) {
        this.#fail(wrong)
        return undefined
      }
      this.#usage = countsOfAnswer(this.#scan, answer)
      if (this.#usage === undefined || this.#usage.outputTokens === 0) this.#said = tokensSaid(this.#scan, JSON.parse(sent.toString()))
      this.#pieces = []
      const normal = this.#normalizer === undefined ? sent : normalAnswer(sent, this.#normalizer)
      const bytes = this.#model === undefined ? normal : this.#model.inAnswer(normal)
      const whole = bytes === sent ? text : bytes.toString('latin1')
      return { bytes, sent, whole, answer, isEvents: false, isMarked: true, isLast: true }
    } catch (error) {
      const told = this.#errorInList(sent)
      if (told) this.#fail(told)
      else this.problem = toGatewayError(error)
      return undefined
    }
  }

  /** Why a whole answer is none. */
  #faultIn(answer: JsonObject, sent: Buffer): GatewayError | undefined {
    const verdict = this.#judge?.(answer) ?? 'answer'
    // Its words as they were meant, not byte by byte.
    if (verdict instanceof GatewayError) return inWords(this.#judge?.(JSON.parse(sent.toString()))) ?? verdict
    if (this.#isUnwanted) return unwanted()
    return verdict === 'answer' ? undefined : fault('sent an answer without a message or output')
  }

  /** Gemini's errors stand in a list. */
  #errorInList(sent: Buffer): GatewayError | undefined {
    if (!this.#judge || sent[0] !== openingBracket) return undefined
    const [first] = [beginningOf(sent)].flat()
    return isObject(first) ? inWords(this.#judge(first)) : undefined
  }

  #joined(): Buffer {
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
  }
}

function unwanted(): GatewayError {
  return fault('sent one JSON object where a stream was asked for')
}

function inWords(verdict: AnswerVerdict | undefined): GatewayError | undefined {
  return verdict instanceof GatewayError ? verdict : undefined
}
