/** Answers of targets with `normalize`: what their family puts right is written anew, all else keeps its bytes. */
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'
import type { AnswerNormalizer } from '../../contract/relay.ts'
import { byteOrderMark, parsedEvent } from './stream-scan.ts'
import { eventEnd } from './whole-events.ts'

/** The whole events of a stream, with those written anew that were not in order. */
export function normalEvents(events: Buffer, normalizer: AnswerNormalizer): Buffer {
  const passed: Buffer[] = []
  let isChanged = false
  for (let start = 0; start < events.length; ) {
    const end = eventEnd(events, start)
    const event = events.subarray(start, end)
    const normal = normalEvent(event, normalizer)
    isChanged ||= normal !== event
    passed.push(normal)
    start = end
  }
  return isChanged ? Buffer.concat(passed) : events
}

/** A whole answer; the same bytes when it was in order, or is no JSON object. */
export function normalAnswer(json: Buffer, normalizer: AnswerNormalizer): Buffer {
  let answer: unknown
  try {
    answer = JSON.parse(json.toString())
  } catch {
    return json
  }
  const normal = isObject(answer) && normalizer.answer(answer) ? written(answer) : undefined
  return normal === undefined ? json : Buffer.from(normal)
}

function normalEvent(event: Buffer, normalizer: AnswerNormalizer): Buffer {
  const data = parsedEvent(event)
  const normal = isObject(data) && normalizer.event(data) ? written(data) : undefined
  if (normal === undefined) return event
  // Names, ids and comments of the event stay before its data.
  const others = event
    .toString()
    .replace(byteOrderMark, '')
    .split(/\r?\n/)
    .filter(line => line !== '' && !line.startsWith('data:'))
  return Buffer.from(`${[...others, `data: ${normal}`].join('\n')}\n\n`)
}

/** Its JSON; undefined for what is too deep to be written, which passes as it is. */
function written(value: JsonObject): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
