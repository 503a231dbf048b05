/** Answers of targets with `normalize`: what their family puts right is written anew, all else keeps its bytes. */
import { isObject } from '@generation-gateway/kit/json.ts'
import type { AnswerNormalizer } from '../../contract/relay.ts'
import { parsedEvent } from './stream-scan.ts'
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
  return isObject(answer) && normalizer.answer(answer) ? Buffer.from(JSON.stringify(answer)) : json
}

function normalEvent(event: Buffer, normalizer: AnswerNormalizer): Buffer {
  const data = parsedEvent(event)
  if (!isObject(data) || !normalizer.event(data)) return event
  // Names, ids and comments of the event stay before its data.
  const others = event
    .toString()
    .split(/\r?\n/)
    .filter(line => line !== '' && !line.startsWith('data:'))
  return Buffer.from(`${[...others, `data: ${JSON.stringify(data)}`].join('\n')}\n\n`)
}
