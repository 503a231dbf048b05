/** Reads the whole events of a stream as they pass: the upstream's counts, and about how many tokens were said in case they never come. Only what is looked for is parsed: this is the hot path. */
import type { TextProtocol, TextUsage } from '../core/requests/text.ts'
import { tokensInBytes } from '../core/token-estimate.ts'
import { countsOfEvent } from './answer-counts.ts'
import { eventEnd } from './whole-events.ts'

/** Without the quote before it: the search goes from one first byte to the next, and JSON is full of quotes. */
const usageName = Buffer.from('usage"')
const deltaName = Buffer.from('delta"')
const quote = 0x22
const backslash = 0x5c
const brace = 0x7b
const newline = 0x0a
/** Members of a delta that no model has written. */
const unsaid = new Set(['role', 'type', 'id', 'encrypted_content'])

/** Fed with the whole events of one stream, in order. */
export class StreamScan {
  usage: TextUsage | undefined
  /** About how many tokens have been said; errs upward. */
  said = 0
  readonly #protocol: TextProtocol

  constructor(protocol: TextProtocol) {
    this.#protocol = protocol
  }

  /** True when the events have a usage member somewhere. */
  read(events: Buffer): boolean {
    for (let at = valueAt(events, deltaName, 0); at > 0; at = valueAt(events, deltaName, at)) this.said += saidAt(events, at)
    let isMarked = false
    for (let at = valueAt(events, usageName, 0); at > 0; at = valueAt(events, usageName, at)) {
      isMarked = true
      if (events[at] !== brace) continue
      // Somewhere in the event: whether it is at its own place, the whole event tells.
      const start = Math.max(events.lastIndexOf('\n\n', at), events.lastIndexOf('\n\r\n', at)) + 1
      const end = eventEnd(events, at)
      const usage = countsOfEvent(this.#protocol, parsedEvent(events.subarray(start, end)))
      if (usage) this.usage = usage
      at = end
    }
    return isMarked
  }
}

/** Offset of the value of the next member of this name; 0 when there is none. In a string the name's quotes would be escaped. */
function valueAt(data: Buffer, name: Buffer, from: number): number {
  for (let found = data.indexOf(name, from); found >= 0; found = data.indexOf(name, found + name.length)) {
    if (data[found - 1] !== quote) continue
    let at = skipBlank(data, found + name.length)
    if (data[at] !== 0x3a) continue
    at = skipBlank(data, at + 1)
    return at < data.length ? at : 0
  }
  return 0
}

function skipBlank(data: Buffer, from: number): number {
  let at = from
  while (at < data.length && (data[at] === 0x20 || data[at] === 0x09)) at += 1
  return at
}

/** The JSON of an event; undefined for one that is none. */
export function parsedEvent(event: Buffer): unknown {
  const lines = event.toString().split('\n')
  const data = lines.filter(line => line.startsWith('data:')).map(line => line.slice('data:'.length))
  try {
    return JSON.parse(data.join('\n'))
  } catch {
    return undefined
  }
}

/** Tokens of a delta: a text, or an object with texts. */
function saidAt(data: Buffer, at: number): number {
  if (data[at] === quote) return tokensInBytes(data, { start: at + 1, end: stringEnd(data, at) - 1, isJson: true })
  return data[at] === brace ? saidInObject(data, at) : 0
}

function saidInObject(data: Buffer, from: number): number {
  let tokens = 0
  let depth = 0
  let name = ''
  for (let at = from; at < data.length; at++) {
    const code = data[at]!
    if (code === brace) depth += 1
    else if (code === 0x7d) {
      depth -= 1
      if (depth === 0) return tokens
    } else if (code === newline) return tokens
    else if (code === quote) {
      const end = stringEnd(data, at)
      const isName = data[skipBlank(data, end)] === 0x3a
      if (isName) name = data.toString('latin1', at + 1, end - 1)
      // Sound is no text: a piece of it counts as one.
      else if (name === 'data') tokens += 1
      else if (!unsaid.has(name)) tokens += tokensInBytes(data, { start: at + 1, end: end - 1, isJson: true })
      at = end - 1
    }
  }
  return tokens
}

/** Offset after the closing quote of the string that begins at `start`. */
function stringEnd(data: Buffer, start: number): number {
  for (let at = start + 1; at < data.length; at++) {
    const code = data[at]
    if (code === quote) return at + 1
    if (code === backslash) at += 1
  }
  return data.length
}
