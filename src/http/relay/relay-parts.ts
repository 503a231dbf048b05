/** The parts of an upstream's answer on their way to the caller: each piece is checked, counted,
 *  and passed on as soon as it may be sent. */
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { AnswerVerdict } from '@generation-gateway/kit/requests/relay.ts'
import type { TextUsage } from '@generation-gateway/kit/requests/text.ts'
import { tokensInBytes } from '@generation-gateway/kit/requests/token-estimate.ts'
import type { AnswerNormalizer, RelayScan, Splice } from '../../contract/relay.ts'
import { JsonPlaces } from '../body/json-places.ts'
import { countsOfAnswer, estimatedTokens, membersRead, searchesOf } from './answer-counts.ts'
import { beginningOf } from './json-beginning.ts'
import type { ModelInAnswers } from './model-in-answers.ts'
import { normalAnswer, normalEvents } from './normal-bytes.ts'
import { fault, parsedAnswer } from './relay-answer.ts'
import { type AnswerJudge, StreamOpening } from './stream-opening.ts'
import { StreamScan } from './stream-scan.ts'
import { WholeEvents, withoutAdded } from './whole-events.ts'

/** A part of an answer that may be sent. */
export interface Part {
  bytes: Buffer
  /** The bytes as the upstream sent them. `bytes` differs from them where events that the caller
   *  did not request are removed, or the model name is replaced. */
  sent: Buffer
  /** The complete answer, when it was received before anything was sent: one character per byte
   *  (Latin-1), so that head and body are sent in one write. */
  whole?: string
  /** The value parsed from `whole`. Names, ids and numbers in it are right, but a text with
   *  non-ASCII characters is not, because `whole` is Latin-1. */
  answer?: unknown
  /** The `id` of an answer that is too large to be parsed; undefined until the id has arrived. */
  id?: string
  /** True when the part consists of whole events of a stream. */
  isEvents: boolean
  /** True when the part may contain token counts: whole events of which one has a `usage`
   *  member, or a complete answer. */
  isMarked: boolean
  /** True for the part that `end` returns. */
  isLast: boolean
}

export interface RelayedAnswer {
  readonly isStream: boolean
  /** Returns the token counts that the upstream reported. `hasEnded` is true when the answer has
   *  ended without an error. */
  usage(hasEnded: boolean): TextUsage | undefined
  /** Estimated number of output tokens that have arrived; 0 when the upstream sent an error, or
   *  bytes that are not the beginning of an answer. */
  readonly said: number
  /** Number of searches of the web that the answer has shown. */
  readonly searches: number
  /** The error, as soon as the bytes turn out not to be an answer; undefined before. */
  readonly problem: GatewayError | undefined
  /** Takes the next piece of the upstream's answer. Returns the part that may be sent now;
   *  undefined when nothing may be sent yet. */
  take(chunk: Buffer): Part | undefined
  /** Returns the part that is left after the upstream has ended; undefined when nothing is left,
   *  or when the answer has a `problem`. */
  end(): Part | undefined
}

interface EventReading {
  isAdded: Splice['isAdded'] | undefined
  model: ModelInAnswers | undefined
  judge: AnswerJudge | undefined
  /** Corrects events; when absent, events pass unchanged. */
  normalizer?: AnswerNormalizer | undefined
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
  /** Keeps the first events until one of them is part of an answer; undefined afterwards. */
  #opening: StreamOpening | undefined

  /** `isAdded` returns true for events that are not sent to the caller, because only the relay
   *  requested them. `judge` finds the first event that is part of an answer; without `judge`,
   *  every event counts as part of one. */
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

  get searches(): number {
    return this.#scan.searches
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
    else if (this.#opening) this.problem ??= fault('sent a stream without an answer')
    return undefined
  }

  #begun(events: Buffer, isLast: boolean): Part | undefined {
    this.#isEmpty = false
    if (this.#opening === undefined) return this.#part(events, isLast)
    const opening = this.#opening.take(events)
    this.problem ??= this.#opening.problem
    if (opening === undefined) return undefined
    this.#opening = undefined
    return this.#part(opening, isLast)
  }

  #part(events: Buffer, isLast: boolean): Part {
    const isMarked = this.#scan.read(events)
    const normal = this.#normalizer === undefined ? events : normalEvents(events, this.#normalizer)
    const requested = isMarked && this.#isAdded !== undefined ? withoutAdded(normal, this.#isAdded) : normal
    const bytes = this.#model === undefined ? requested : this.#model.inEvents(requested)
    return { bytes, sent: events, isEvents: true, isMarked, isLast }
  }
}

const openingBracket = 0x5b
const openingBrace = 0x7b
/** Largest answer in bytes that is received and checked completely before it is sent, in one
 *  write. */
const judgedWhole = 256 * 1024
/** Largest answer in bytes that is normalized. An answer can be normalized only as a whole, so a
 *  larger one is sent unchanged. */
const normalWhole = 8 * 1024 * 1024
/** An answer larger than `judgedWhole` is an error when this many bytes contain neither output nor
 *  an id. */
const longestBeginning = 2 * 1024 * 1024
/** Largest number of bytes that are read of a JSON body when a stream was requested. */
const longestUnwanted = 64 * 1024

interface JsonReading {
  model: ModelInAnswers | undefined
  /** Decides whether an object is an answer; when absent, every object counts as one. */
  judge: AnswerJudge | undefined
  /** True when a stream was requested: a JSON body is then never an answer, but may contain an
   *  error. */
  isUnwanted: boolean
  /** Corrects the answer; when absent, the answer passes unchanged. */
  normalizer?: AnswerNormalizer | undefined
}

/** A JSON answer. A large answer is sent as it arrives, once its beginning is known to be an
 *  answer. If a later part proves broken, the gateway can only cut the connection. */
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
  #searches = 0
  #places: JsonPlaces | undefined
  #hasEnded = false
  readonly #judge: AnswerJudge | undefined
  readonly #isUnwanted: boolean
  /** Size in bytes at which the beginning of the answer is checked next. */
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
    if (this.#scan.hasText === false) return 0
    const arrived = beginAsObject(this.#pieces) ? this.#pieces : []
    return this.#said + arrived.reduce((tokens, piece) => tokens + tokensInBytes(piece), 0)
  }

  get searches(): number {
    return this.#places ? searchesOf(this.#scan, this.#places.found) : this.#searches
  }

  take(chunk: Buffer): Part | undefined {
    this.#size += chunk.length
    if (this.#places) return this.#pass(chunk, this.#places)
    this.#pieces.push(chunk)
    if (this.#isUnwanted && this.#size > longestUnwanted) this.#fail(unwantedText())
    if (this.problem || this.#size <= this.#lookAt || !this.#hasBegun()) return undefined
    const begun = this.#joined()
    this.#pieces = []
    this.#places = new JsonPlaces(membersRead(this.#scan))
    return this.#pass(begun, this.#places)
  }

  end(): Part | undefined {
    if (this.#hasEnded) return undefined
    this.#hasEnded = true
    return this.#places ? this.#endLarge(this.#places) : this.#whole()
  }

  /** Returns true once the bytes so far show that the body is an answer, so that it can be sent
   *  as it arrives. Records a failure when the body is an error or not an object, or when
   *  neither an answer nor an id appears in its first 2 MB. Otherwise the answer is checked
   *  again at twice the size. */
  #hasBegun(): boolean {
    if (!this.#judge) return true
    this.#lookAt *= 2
    const begun = beginningOf(this.#joined())
    if (!isObject(begun)) this.#fail(fault('sent an answer that is no JSON object'))
    else {
      const verdict = this.#judge(begun)
      if (verdict === 'answer') return true
      if (verdict instanceof GatewayError) this.#fail(verdict)
      // A response may repeat long instructions of the caller before its output, and even before
      // its id.
      else if (this.#size > longestBeginning && (typeof begun.id === 'string' || begun.object === 'response')) return true
      else if (this.#size > longestBeginning) this.#fail(fault('sent 2 MB of JSON in which no answer begins'))
    }
    return false
  }

  #fail(problem: GatewayError): void {
    this.problem ??= problem
    // The output tokens are estimated from the pieces, so none are counted for a failed answer.
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
      this.#searches = searchesOf(this.#scan, answer)
      if (this.#usage === undefined || this.#usage.outputTokens === 0) this.#said = estimatedTokens(this.#scan, JSON.parse(sent.toString()))
      this.#pieces = []
      const normal = this.#normalizer === undefined ? sent : normalAnswer(sent, this.#normalizer)
      const bytes = this.#model === undefined ? normal : this.#model.inAnswer(normal)
      const whole = bytes === sent ? text : bytes.toString('latin1')
      return { bytes, sent, whole, answer, isEvents: false, isMarked: true, isLast: true }
    } catch (error) {
      const reported = this.#errorInList(sent)
      if (reported) this.#fail(reported)
      else this.problem = toGatewayError(error)
      return undefined
    }
  }

  /** Returns the error for a complete body that is not an answer; undefined when the body is an
   *  answer. */
  #faultIn(answer: JsonObject, sent: Buffer): GatewayError | undefined {
    const verdict = this.#judge?.(answer) ?? 'answer'
    // `answer` was parsed from Latin-1, so its texts may be wrong. The body is parsed again as
    // UTF-8 to get the right error message.
    if (verdict instanceof GatewayError) return inWords(this.#judge?.(JSON.parse(sent.toString()))) ?? verdict
    if (this.#isUnwanted) return unwantedText()
    return verdict === 'answer' ? undefined : fault('sent an answer without a message or output')
  }

  /** Returns the error inside a JSON list; Gemini sends its errors in a list. Undefined when the
   *  body is not such a list. */
  #errorInList(sent: Buffer): GatewayError | undefined {
    if (!this.#judge || sent[0] !== openingBracket) return undefined
    const [first] = [beginningOf(sent)].flat()
    return isObject(first) ? inWords(this.#judge(first)) : undefined
  }

  #joined(): Buffer {
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
  }
}

/** Returns true when the first byte that is not blank opens a JSON object. */
function beginAsObject(pieces: readonly Buffer[]): boolean {
  for (const piece of pieces) {
    const first = piece.find(byte => byte > 0x20)
    if (first !== undefined) return first === openingBrace
  }
  return false
}

function unwantedText(): GatewayError {
  return fault('sent one JSON object where a stream was asked for')
}

function inWords(verdict: AnswerVerdict | undefined): GatewayError | undefined {
  return verdict instanceof GatewayError ? verdict : undefined
}
