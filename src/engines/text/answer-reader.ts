/** Reads the text a model writes into events: text up to a stop string, and tool calls. */
import { randomInt } from 'node:crypto'
import type { TextEvent, TextTool, TokenLogprob } from '../../core/requests/text.ts'
import { callEnd, callStart, fenceEnd, fenceStart } from './grammar/answer-grammar.ts'

const header = /^\s*\{"name": "((?:[^"\\]|\\.)*)", "(arguments|input)": /
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

type State = 'text' | 'header' | 'arguments' | 'input' | 'trailer' | 'stopped'

/** Nothing of a stop string or of a call's marks ever comes out as text. */
export class AnswerReader {
  readonly #stops: readonly string[]
  readonly #tools: readonly TextTool[]
  #state: State = 'text'
  #pending = ''
  #events: TextEvent[] = []
  /** Calls after the first come out when they are whole: a small model in a loop repeats itself, and then the answer is over. */
  #held: TextEvent[] = []
  #calls = 0
  /** What was called so far, and the call being read. */
  readonly #made = new Set<string>()
  #current = ''
  #callEnd = callEnd
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** Log probabilities not yet sent, each with where its text ends. */
  #logprobs: { end: number; logprob: TokenLogprob }[] = []
  #read = 0
  #sent = 0

  /** Calls are looked for only when there are tools. */
  constructor(stops: readonly string[], tools: readonly TextTool[]) {
    this.#stops = stops
    this.#tools = tools
  }

  get calls(): number {
    return this.#calls
  }

  /** True once a stop string was met or a call was repeated: whatever comes later is not part of the answer. */
  get isStopped(): boolean {
    return this.#state === 'stopped'
  }

  feed(text: string, logprobs: readonly TokenLogprob[] = []): TextEvent[] {
    this.#pending += text
    this.#read += text.length
    for (const logprob of logprobs) this.#logprobs.push({ end: this.#read, logprob })
    this.#events = []
    while (this.#step());
    return this.#events
  }

  /** The text that was held back because a stop string or a call might have begun. */
  end(): TextEvent[] {
    this.#events = []
    if (this.#state === 'text') this.#say(this.#pending.length)
    return this.#events
  }

  /** True when there may be more to read of what is pending. */
  #step(): boolean {
    switch (this.#state) {
      case 'text':
        return this.#readText()
      case 'header':
        return this.#readHeader()
      case 'arguments':
        return this.#readArguments()
      case 'input':
        return this.#readInput()
      case 'trailer':
        return this.#readTrailer()
      case 'stopped':
        return false
    }
  }

  #readText(): boolean {
    const callMarks = this.#tools.length === 0 ? [] : this.#sent === 0 ? [callStart, fenceStart] : [callStart]
    const marks = [...this.#stops, ...callMarks]
    const found = marks
      .map(mark => ({ mark, at: this.#pending.indexOf(mark) }))
      .filter(({ mark, at }) => at >= 0 && (mark !== fenceStart || at === 0))
      .sort((a, b) => a.at - b.at || b.mark.length - a.mark.length)[0]
    // A longer mark that begins earlier may still be unfinished.
    const held = heldFrom(this.#pending, marks)
    if (!found || held < found.at) {
      this.#say(held)
      return false
    }
    this.#say(found.at)
    this.#drop(found.mark.length)
    this.#state = callMarks.includes(found.mark) ? 'header' : 'stopped'
    this.#callEnd = found.mark === fenceStart ? fenceEnd : callEnd
    return true
  }

  #readHeader(): boolean {
    const found = header.exec(this.#pending)
    if (!found) return false
    const [all, quoted = '', member] = found
    this.#drop(all.length)
    const name = String(JSON.parse(`"${quoted}"`))
    const kind = member === 'input' ? 'custom' : 'function'
    this.#held.push({ type: 'call', index: this.#calls, kind, callId: newCallId(), name })
    this.#current = name
    this.#calls += 1
    this.#release()
    this.#state = member === 'input' ? 'input' : 'arguments'
    this.#depth = 0
    this.#isInString = false
    this.#isEscaped = false
    return true
  }

  /** JSON text up to the end of its outermost object. */
  #readArguments(): boolean {
    for (let at = 0; at < this.#pending.length; at += 1) {
      const char = this.#pending[at]
      if (this.#isEscaped) this.#isEscaped = false
      else if (this.#isInString && char === '\\') this.#isEscaped = true
      else if (char === '"') this.#isInString = !this.#isInString
      else if (!this.#isInString && char === '{') this.#depth += 1
      else if (!this.#isInString && char === '}') this.#depth -= 1
      if (this.#depth > 0) continue
      this.#input(this.#pending.slice(0, at + 1))
      this.#drop(at + 1)
      this.#state = 'trailer'
      return true
    }
    this.#input(this.#pending)
    this.#drop(this.#pending.length)
    return false
  }

  /** A JSON string, given on as the text it stands for. */
  #readInput(): boolean {
    let text = ''
    let at = 0
    while (at < this.#pending.length && this.#state === 'input') {
      const char = this.#pending[at] ?? ''
      if (char === '"') {
        if (this.#isInString) this.#state = 'trailer'
        this.#isInString = true
        at += 1
      } else if (char === '\\') {
        const letter = this.#pending[at + 1]
        const length = letter === 'u' ? 6 : 2
        if (letter === undefined || this.#pending.length < at + length) break
        text += letter === 'u' ? String.fromCharCode(Number.parseInt(this.#pending.slice(at + 2, at + 6), 16)) : (escapes[letter] ?? letter)
        at += length
      } else {
        text += char
        at += 1
      }
    }
    this.#input(text)
    this.#drop(at)
    return this.#state === 'trailer'
  }

  #readTrailer(): boolean {
    const end = this.#pending.indexOf(this.#callEnd)
    if (end < 0) return false
    this.#drop(end + this.#callEnd.length)
    if (this.#made.has(this.#current)) {
      this.#calls -= 1
      this.#state = 'stopped'
      return false
    }
    this.#made.add(this.#current)
    this.#events.push(...this.#held.splice(0))
    // Log probabilities are given for text only.
    this.#takeLogprobs()
    this.#state = 'text'
    return true
  }

  #input(delta: string): void {
    if (delta === '') return
    this.#current += delta
    this.#held.push({ type: 'call-input', index: this.#calls - 1, delta })
    this.#release()
  }

  #release(): void {
    if (this.#calls === 1) this.#events.push(...this.#held.splice(0))
  }

  #say(length: number): void {
    const delta = this.#pending.slice(0, length)
    this.#drop(length)
    // Between calls and after them stands only white space.
    if (delta === '' || (this.#calls > 0 && delta.trim() === '')) return
    const logprobs = this.#takeLogprobs()
    this.#events.push({ type: 'text', delta, ...(logprobs.length > 0 ? { logprobs } : {}) })
  }

  #takeLogprobs(): TokenLogprob[] {
    const taken: TokenLogprob[] = []
    while (this.#logprobs[0] && this.#logprobs[0].end <= this.#sent) taken.push(...this.#logprobs.splice(0, 1).map(entry => entry.logprob))
    return taken
  }

  #drop(length: number): void {
    this.#pending = this.#pending.slice(length)
    this.#sent += length
  }
}

/** From where on the text may be the beginning of a mark; its length when nowhere. */
function heldFrom(text: string, marks: readonly string[]): number {
  const longest = Math.max(0, ...marks.map(mark => mark.length))
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
    const rest = text.slice(at)
    if (marks.some(mark => mark.startsWith(rest))) return at
  }
  return text.length
}

/** `call_` and 24 random letters or digits. */
function newCallId(): string {
  return `call_${Array.from({ length: 24 }, () => letters[randomInt(letters.length)]).join('')}`
}
