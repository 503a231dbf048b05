/** Reads the whole events of a stream on their way to the caller: finds the token counts of the
 *  upstream, and estimates the output tokens in case no counts come. Only the needed members are
 *  parsed, because this code runs for every event. */

import { parsedJson } from '@generation-gateway/kit/json.ts'
import { isTextAt, JsonScanner, type JsonVisitor } from '@generation-gateway/kit/json-scanner.ts'
import { SpreadCounts } from '@generation-gateway/kit/requests/spread-counts.ts'
import type { TextUsage } from '@generation-gateway/kit/requests/text.ts'
import { tokensInJson } from '@generation-gateway/kit/requests/token-estimate.ts'
import { SeenSearches, withSearches } from '@generation-gateway/kit/requests/usage/searches.ts'
import { type AnswerCounts, memberName, type RelayScan, type ShownSearches } from '../../contract/relay.ts'
import { countsOf, countsOfEvent, endedAnswer } from './answer-counts.ts'
import { eventEnd } from './whole-events.ts'

const usageName = memberName('usage')
/** Name of the member that holds a piece of the model's text. All protocols that send pieces use
 *  the same name. */
const deltaName = memberName('delta').closed
const quote = 0x22
const brace = 0x7b
const colon = 0x3a
const content = 'content'
const ofFour = ['text', 'type']
/** Names of members in a delta that do not contain text of the model. */
const notText = new Set(['role', 'type', 'id', 'status', 'call_id', 'encrypted_content', 'signature', 'thoughtSignature', 'stop_reason'])

/** Takes the events of one stream, in order and only as whole events. */
export class StreamScan {
  readonly #scan: RelayScan
  readonly #countsName: Buffer
  readonly #words = new SaidWords()
  #usage: TextUsage | undefined
  readonly #joined = new SpreadCounts()
  readonly #searches = new SeenSearches()
  /** True when the event with the counts had no text. The counts then cover the whole answer. */
  #isLast = false
  /** Estimate of the output tokens that had arrived when the counts came. */
  #counted = 0
  #inDeltas = 0
  #inItems = 0

  constructor(scan: RelayScan) {
    this.#scan = scan
    this.#countsName = (scan.counts?.in ?? usageName).closed
  }

  /** Estimated number of output tokens that have arrived; rather too high than too low. */
  get said(): number {
    // Some servers send whole items instead of deltas; text that comes in both forms counts once.
    return Math.max(this.#inDeltas, this.#inItems)
  }

  /** Returns the token counts of the upstream; undefined when there are none, or when text came
   *  after them. Counts in an event with text may be running counts (servers send them with
   *  `continuous_usage_stats`, which a caller may request), so these are returned only when the
   *  stream has ended without an error. */
  usage(hasEnded: boolean): TextUsage | undefined {
    const isWhole = this.said <= this.#counted && (this.#isLast || hasEnded)
    return isWhole && this.#usage ? withSearches(this.#usage, this.searches) : undefined
  }

  /** Number of searches of the web that the events so far have shown. */
  get searches(): number {
    return this.#searches.count
  }

  /** Reads the events; returns true when they contain token counts. */
  read(events: Buffer): boolean {
    const usageName = this.#countsName
    /** Offset after the last event with token counts. Text after that offset is not covered by
     *  the counts. */
    let counted = 0
    for (let name = nameAt(events, usageName, 0); name > 0; ) {
      const at = valueAfter(events, name + usageName.length)
      if (events[at] !== brace) {
        name = nameAt(events, usageName, at)
        continue
      }
      const end = eventEnd(events, at)
      this.#countSaid(counted === 0 ? events.subarray(0, end) : events.subarray(counted, end))
      counted = end
      this.#takeUsage(events, at)
      name = nameAt(events, usageName, end)
    }
    this.#countSaid(counted === 0 ? events : events.subarray(counted))
    if (this.#scan.searches !== undefined) this.#findSearches(events, this.#scan.searches)
    return counted > 0
  }

  #findSearches(events: Buffer, { marks, in: searchesIn }: ShownSearches): void {
    for (const { closed } of marks) {
      for (let mark = quotedAt(events, closed, 0); mark > 0; ) {
        const { event, end } = eventAround(events, mark)
        this.#searches.add(searchesIn(Object(endedAnswer(this.#scan, event) ?? event)))
        mark = quotedAt(events, closed, end)
      }
    }
  }

  /** Takes the token counts from the event at offset `at`. The whole event is parsed, because a
   *  member named `usage` may also be at a place where the protocol has no counts. */
  #takeUsage(events: Buffer, at: number): void {
    const { event } = eventAround(events, at)
    const { counts } = this.#scan
    if (counts?.ofEvent) {
      this.#join(counts, counts.ofEvent(Object(event)))
      return
    }
    const usage = countsOfEvent(this.#scan, event)
    if (!usage) return
    this.#usage = usage
    this.#isLast = this.#scan.inside !== undefined || !hasWords(Object(event)[this.#scan.said])
    this.#counted = this.said
  }

  #join(counts: AnswerCounts, part: ReturnType<NonNullable<AnswerCounts['ofEvent']>>): void {
    if (part === undefined) return
    this.#joined.add(part.counts)
    this.#usage = countsOf(this.#joined.whole(), {}, counts.read)
    this.#isLast = part.isLast
    this.#counted = this.said
  }

  #countSaid(events: Buffer): void {
    let name = nameAt(events, deltaName, 0)
    if (name === 0) this.#countWhole(events)
    while (name > 0) {
      const end = this.#words.read(events, valueAfter(events, name + deltaName.length))
      this.#inDeltas += this.#words.tokens
      name = nameAt(events, deltaName, end)
    }
  }

  /** Counts the text of events that carry whole items instead of deltas. */
  #countWhole(events: Buffer): void {
    const { whole } = this.#scan
    if (whole.event !== undefined && !events.includes(whole.event)) return
    const wanted = whole.in.closed
    for (let name = nameAt(events, wanted, 0); name > 0; ) {
      const end = this.#words.read(events, valueAfter(events, name + wanted.length))
      this.#inItems += this.#words.tokens
      name = nameAt(events, wanted, end)
    }
  }
}

function hasWords(said: unknown): boolean {
  return Array.isArray(said) && said.length > 0
}

/** Returns the offset of the next member with this name, without the quote before the name; 0
 *  when there is none. */
export function nameAt(data: Buffer, name: Buffer, from: number): number {
  let found = quotedAt(data, name, from)
  while (found > 0 && data[skipBlank(data, found + name.length)] !== colon) found = quotedAt(data, name, found + name.length)
  return found
}

/** Returns the offset of the next string that is this word, without the quote before it; 0 when
 *  there is none. A word inside a string cannot match, because its quotes would be escaped. */
function quotedAt(data: Buffer, word: Buffer, from: number): number {
  for (let found = data.indexOf(word, from); found >= 0; found = data.indexOf(word, found + word.length))
    if (data[found - 1] === quote) return found
  return 0
}

/** Returns the offset of the value that follows a member name; `end` is the offset after the
 *  name. */
function valueAfter(data: Buffer, end: number): number {
  return skipBlank(data, skipBlank(data, end) + 1)
}

/** Returns the event around the offset `at`, parsed, and the offset after it. */
export function eventAround(events: Buffer, at: number): { event: unknown; end: number } {
  const start = Math.max(events.lastIndexOf('\n\n', at), events.lastIndexOf('\n\r\n', at)) + 1
  const end = eventEnd(events, at)
  return { event: parsedEvent(events.subarray(start, end)), end }
}

/** Matches a byte order mark, with which some streams begin. */
export const byteOrderMark = /^\uFEFF/

/** Returns the parsed data of an event; undefined when it is not JSON. */
export function parsedEvent(event: Buffer): unknown {
  return parsedJson(dataOf(event))
}

/** Returns the data of an event; empty when the event has none. */
export function dataOf(event: Buffer): string {
  const lines = event.toString().replace(byteOrderMark, '').split('\n')
  const data = lines.filter(line => line.startsWith('data:')).map(line => line.slice('data:'.length))
  return data.join('\n')
}

/** Estimates the tokens of a delta, which is a string or an object that contains strings. */
class SaidWords implements JsonVisitor {
  readonly #scanner = new JsonScanner(this)
  #name = ''
  tokens = 0

  /** Reads the one JSON value that begins at `start`, and returns the offset after it. */
  read(events: Buffer, start: number): number {
    this.#scanner.reset()
    this.#name = ''
    this.tokens = 0
    return this.#scanner.feed(events, start)
  }

  key(bytes: Buffer, start: number, end: number): void {
    this.#name = nameIn(bytes, start, end)
  }

  text(start: number, end: number, chunk: Buffer): void {
    if (this.#scanner.isKey) return
    // Audio data is not text; each piece of it counts as one token.
    if (this.#name === 'data') this.tokens += 1
    else if (!notText.has(this.#name)) this.tokens += tokensInJson(chunk, start, end)
  }

  end(): void {
    if (this.#scanner.depth === 0) this.#scanner.stop()
  }
}

function skipBlank(json: Buffer, from: number): number {
  let at = from
  while (at < json.length && json[at]! <= 0x20) at += 1
  return at
}

/** Returns the name of a member in the bytes. For the most frequent names, no new string is
 *  created. */
function nameIn(data: Buffer, start: number, end: number): string {
  const length = end - start
  if (length === content.length && data[start] === 0x63 && data[start + 1] === 0x6f) return content
  if (length === 4 && data[start] === 0x74) for (const name of ofFour) if (isTextAt(name, data, start)) return name
  return data.toString('latin1', start, end)
}
