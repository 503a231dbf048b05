/** Finds the token counts in an answer that passes as bytes, without parsing the rest of it. */
import type { TextUsage } from '../core/requests/text.ts'

const marker = Buffer.from('"usage"')
/** What is searched for: the search goes from one first byte to the next, and JSON is full of quotes. */
const word = marker.subarray(1)
const brace = 0x7b
const quote = 0x22
const newline = 0x0a
/** A counts object is a few hundred bytes; what claims to be longer is none. */
const longestCounts = 16 * 1024

/** Fed with every piece of one answer (JSON, or a stream of events). The last counts win. */
export class UsageScan {
  usage: TextUsage | undefined
  /** The end of what came before, when it may be the beginning of a counts object. */
  #tail: Buffer | undefined

  /** False when the piece has nothing of a usage member in it. */
  scan(piece: Buffer): boolean {
    const data = this.#tail === undefined ? piece : Buffer.concat([this.#tail, piece])
    let isMarked = this.#tail !== undefined
    this.#tail = undefined
    let from = 0
    for (;;) {
      const found = data.indexOf(word, from)
      if (found < 0) break
      const at = found - 1
      if (at < from || data[at] !== quote) {
        from = found + word.length
        continue
      }
      isMarked = true
      const open = skipColon(data, at + marker.length)
      const end = open < data.length && data[open] === brace ? closingBrace(data, open) : open
      if (end < 0 || open >= data.length) {
        if (data.length - at <= longestCounts) this.#tail = Buffer.from(data.subarray(at))
        return true
      }
      const usage = end > open ? countsOf(data.subarray(open, end)) : undefined
      if (usage) this.usage = usage
      from = Math.max(end, at + marker.length)
    }
    // A piece mostly ends with an event; else the marker itself may be cut in two.
    if (data[data.length - 1] === newline || data.length === 0) return isMarked
    this.#tail = Buffer.from(data.subarray(-marker.length + 1))
    return true
  }
}

function skipColon(data: Buffer, from: number): number {
  let at = from
  while (at < data.length && (data[at]! <= 0x20 || data[at] === 0x3a)) at += 1
  return at
}

/** Offset after the brace that closes the one at `open`; -1 while it has not come. */
function closingBrace(data: Buffer, open: number): number {
  let depth = 0
  for (let at = open; at < data.length; at++) {
    const code = data[at]!
    if (code === quote) {
      // Names and words of counts: short, and without escapes.
      do at += 1
      while (at < data.length && data[at] !== quote)
    } else if (code === brace) depth += 1
    else if (code === 0x7d) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}

/** The counts of both protocols; undefined for an object that has none. */
function countsOf(json: Buffer): TextUsage | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(json.toString('utf8'))
  } catch {
    return undefined
  }
  const usage = Object(parsed)
  const inputTokens = usage.prompt_tokens ?? usage.input_tokens
  const outputTokens = usage.completion_tokens ?? usage.output_tokens
  if (typeof inputTokens !== 'number' && typeof outputTokens !== 'number') return undefined
  return {
    inputTokens: count(inputTokens),
    outputTokens: count(outputTokens),
    cachedInputTokens: count((usage.prompt_tokens_details ?? usage.input_tokens_details)?.cached_tokens),
    reasoningTokens: count((usage.completion_tokens_details ?? usage.output_tokens_details)?.reasoning_tokens),
  }
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}
