/** Keeps the first events of a stream until one of them is part of an answer. When an error
 *  comes first, the target has failed and nothing of its stream is sent. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type JsonObject, parsedJson } from '@generation-gateway/kit/json.ts'
import type { AnswerVerdict } from '@generation-gateway/kit/requests/relay.ts'
import { fault } from './relay-answer.ts'
import { byteOrderMark } from './stream-scan.ts'
import { eventEnd } from './whole-events.ts'

/** Decides whether an object that came with a successful status is an answer, an error or
 *  neither. */
export type AnswerJudge = (value: JsonObject) => AnswerVerdict

/** Most bytes of comments and events without content that may precede the first event of the
 *  answer. */
const longestOpening = 1024 * 1024

/** Takes the events of one stream, until `take` returns some for the first time. */
export class StreamOpening {
  problem: GatewayError | undefined
  readonly #judge: AnswerJudge
  #held: Buffer[] = []
  #bytes = 0

  constructor(judge: AnswerJudge) {
    this.#judge = judge
  }

  /** Returns all events so far as soon as one of them is part of an answer. Returns undefined
   *  before that, and when `problem` is set. */
  take(events: Buffer): Buffer | undefined {
    for (let start = 0, end = 0; start < events.length; start = end) {
      end = eventEnd(events, start)
      const verdict = this.#verdictOn(events.toString('utf8', start, end), this.#bytes + start === 0)
      if (verdict instanceof GatewayError) {
        this.problem = verdict
        this.#held = []
        return undefined
      }
      if (verdict === 'answer') return this.#held.length === 0 ? events : Buffer.concat([...this.#held, events])
    }
    this.#held.push(events)
    this.#bytes += events.length
    if (this.#bytes > longestOpening) this.problem = fault('sent 1 MB of a stream in which no answer begins')
    return undefined
  }

  #verdictOn(event: string, isFirst: boolean): AnswerVerdict {
    const lines = (isFirst ? event.replace(byteOrderMark, '') : event).split(/\r?\n/)
    const data = lines.filter(line => line.startsWith('data:')).map(line => line.slice('data:'.length))
    if (data.length === 0) return 'nothing'
    const text = data.join('\n').trim()
    const isError = lines.some(line => /^event: ?error\s*$/.test(line))
    if (text === '[DONE]') return isError ? this.#judge({ type: 'error' }) : fault('ended its stream without an answer')
    const value = parsedJson(text)
    const first: unknown = Array.isArray(value) ? value[0] : value
    if (isError) return this.#judge({ type: 'error', ...(isObject(first) ? first : { message: text }) })
    // Data that is not a JSON object is not checked; it counts as part of the answer.
    return isObject(first) ? this.#judge(first) : 'answer'
  }
}
