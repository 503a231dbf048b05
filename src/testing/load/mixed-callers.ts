/** The callers in the test with mixed load. Some read an answer to its end, others disconnect
 *  earlier. Each counts what it has received. */
import type { IncomingMessage } from 'node:http'
import { begin } from '../relay-gateway.ts'
import { word } from './counting-answers.ts'
import type { CountingUpstream } from './counting-upstream.ts'
import type { MixedCall } from './mixed-calls.ts'

export interface CallOutcome {
  call: MixedCall
  /** HTTP status; 0 when no response head arrived. */
  status: number
  requestId: string
  /** Number of words (tokens) of the answer that were received. */
  words: number
  /** True when the answer arrived completely and is not an error. */
  isComplete: boolean
  /** The code of the error, when the answer is one. */
  code: string
  responseId: string
  /** Start of the call on the clock of `performance.now()`. */
  beganAt: number
  endedAt: number
}

const inStream = new RegExp(`"(?:delta|content)":"((?:${word})+)"`, 'g')
const inWhole = new RegExp(`"(?:text|content)":"((?:${word})+)"`, 'g')

/** Makes the call to the gateway; never throws. */
export async function makeCall(url: string, call: MixedCall, upstream: CountingUpstream): Promise<CallOutcome> {
  const leaving = new AbortController()
  const outcome: CallOutcome = {
    call,
    status: 0,
    requestId: '',
    words: 0,
    isComplete: false,
    code: '',
    responseId: '',
    beganAt: performance.now(),
    endedAt: 0,
  }
  if (call.leaves === 'before-head') void upstream.arrived(call.index).then(() => leaving.abort())
  const path = call.protocol === 'chat' ? 'chat/completions' : 'responses'
  try {
    const body = JSON.stringify(call.body)
    const response = await begin(`${url}/v1/ai/${call.endpoint}/${path}`, { body, key: call.key.secret, signal: leaving.signal })
    outcome.status = response.statusCode ?? 0
    outcome.requestId = String(response.headers['x-request-id'])
    await read(response, outcome)
  } catch {
    // The caller has disconnected, or the gateway was killed. The part of the answer that was
    // received until then counts.
  }
  outcome.endedAt = performance.now()
  return outcome
}

async function read(response: IncomingMessage, outcome: CallOutcome): Promise<void> {
  const { call } = outcome
  const leavesAt = { 'before-head': 0, 'first-event': 1, 'before-usage': call.answer.words * call.answer.answers, never: Infinity }
  const most = response.statusCode === 200 ? leavesAt[call.leaves ?? 'never'] : Number.POSITIVE_INFINITY
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk
      if (wordsIn(text, call.isStream) >= most) break
    }
  } finally {
    outcome.words = wordsIn(text, call.isStream)
    outcome.code = /"code":"(\w+)"/.exec(text)?.[1] ?? ''
    outcome.responseId = /"id":"(resp_\w+)"/.exec(text)?.[1] ?? ''
  }
  outcome.isComplete = response.complete && outcome.status === 200 && !/"error":\{/.test(text)
}

function wordsIn(text: string, isStream: boolean): number {
  let words = 0
  for (const [, said = ''] of text.matchAll(isStream ? inStream : inWhole)) words += said.length / word.length
  return words
}

/** Reads a stored response; returns false when it could not be read. */
export async function readResponse(url: string, { endpoint, key, id }: { endpoint: string; key: string; id: string }): Promise<boolean> {
  try {
    const response = await begin(`${url}/v1/ai/${endpoint}/responses/${id}`, { method: 'GET', key })
    response.resume()
    for await (const _ of response);
    return response.statusCode === 200 && response.complete
  } catch {
    return false
  }
}
