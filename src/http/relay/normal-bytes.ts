/** Normalizes answers of targets with the setting `normalize`. JSON that the family corrects is
 *  serialized again; all other bytes are kept. */
import { isObject, type JsonObject, parsedJson } from '@generation-gateway/kit/json.ts'
import type { AnswerNormalizer } from '../../contract/relay.ts'
import { byteOrderMark, parsedEvent } from './stream-scan.ts'
import { eventsIn } from './whole-events.ts'

/** Returns the events. Those that the normalizer has corrected are serialized again; all others
 *  keep their bytes. */
export function normalEvents(events: Buffer, normalizer: AnswerNormalizer): Buffer {
  const sent = eventsIn(events)
  const normal = sent.map(event => normalEvent(event, normalizer))
  return normal.some((event, index) => event !== sent[index]) ? Buffer.concat(normal) : events
}

/** Returns an answer with the normalizer's corrections. Returns the same bytes when there is
 *  nothing to correct, or when the answer is not a JSON object. */
export function normalAnswer(json: Buffer, normalizer: AnswerNormalizer): Buffer {
  const answer = parsedJson(json.toString())
  const normal = isObject(answer) && normalizer.answer(answer) ? written(answer) : undefined
  return normal === undefined ? json : Buffer.from(normal)
}

function normalEvent(event: Buffer, normalizer: AnswerNormalizer): Buffer {
  const data = parsedEvent(event)
  const normal = isObject(data) && normalizer.event(data) ? written(data) : undefined
  if (normal === undefined) return event
  // The other lines of the event (name, id, comments) stay before its data.
  const others = event
    .toString()
    .replace(byteOrderMark, '')
    .split(/\r?\n/)
    .filter(line => line !== '' && !line.startsWith('data:'))
  return Buffer.from(`${[...others, `data: ${normal}`].join('\n')}\n\n`)
}

/** Returns the JSON text; undefined for a value that is nested too deep to be serialized, which
 *  is then sent unchanged. */
function written(value: JsonObject): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
