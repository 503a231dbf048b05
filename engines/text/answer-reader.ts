/** Parses the text that a model writes into events: text (up to a stop string) and tool calls. */
import { randomInt } from 'node:crypto'
import type { TextEvent, TextTool, TokenLogprob } from '@generation-gateway/kit/requests/text.ts'
import {
  type CallForm,
  callEnd,
  callOpenings,
  fence,
  namesBehind,
  type OpeningNode,
  type OpeningOptions,
  stepFrom,
} from './grammar/call-openings.ts'
import { ObjectScan } from './object-scan.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

type State = 'text' | 'object' | 'string' | 'closing' | 'behind' | 'misnamed' | 'stopped'

/** A place in the text where a tool call may begin. The text from there on is held back until it is
 *  clear whether it is a call. */
interface Candidate {
  start: number
  at: OpeningNode
  /** The texts that close the wrappers around the call (`]` of a list, the marks of a code fence),
   *  innermost first. */
  closers: string[]
  /** Set when the arguments came before the tool's name. The range is that of the arguments in the
   *  pending text; `end` is missing while they are incomplete. */
  unnamed?: { start: number; end?: number; scan: ObjectScan }
}

/** Splits a model's answer into text and tool calls. It emits no part of a stop string or of a call
 *  as text; JSON that is not a call of a declared tool is emitted unchanged. Every character is
 *  read at most twice, whatever the pieces in which the answer arrives. */
export class AnswerReader {
  readonly #stops: readonly string[]
  readonly #openings: OpeningNode | undefined
  readonly #names: OpeningNode
  #state: State = 'text'
  #pending = ''
  /** Position in `#pending` up to which calls have been searched; `#searched` is the same for stop
   *  strings. */
  #at = 0
  #searched = 0
  #candidate: Candidate | undefined
  /** True inside a code fence that belongs to the text. */
  #isInFence = false
  #events: TextEvent[] = []
  /** Events of the second and every further call, which are emitted only when the call is
   *  complete. A call that repeats an earlier one is dropped and ends the answer, because a
   *  small model may repeat a call in a loop. */
  #held: TextEvent[] = []
  #calls = 0
  /** `#made` has the complete calls as text, to detect repetitions; `#current` is the call that is
   *  being read. */
  readonly #made = new Set<string>()
  #current = ''
  #depth = 1
  /** The texts that close the wrappers around the calls, innermost first. */
  #closers: string[] = []
  #scan = new ObjectScan(0)
  #isInString = false
  /** Log probabilities that were not sent yet. `end` is the position in the answer at which the
   *  token's text ends. */
  #logprobs: { end: number; logprob: TokenLogprob }[] = []
  #read = 0
  #sent = 0

  /** Searches for tool calls only if `tools` is not empty. */
  constructor(stops: readonly string[], tools: readonly TextTool[], sought: OpeningOptions = {}) {
    this.#stops = stops
    this.#openings = tools.length === 0 ? undefined : callOpenings(tools, sought)
    this.#names = namesBehind(tools)
  }

  get calls(): number {
    return this.#calls
  }

  /** True when the answer is over because a stop string occurred or a call was repeated. */
  get isStopped(): boolean {
    return this.#state === 'stopped'
  }

  /** True when the answer begins with a call of an undeclared tool. Then the reader has emitted
   *  nothing, so the model can answer again. */
  get isMisnamed(): boolean {
    return this.#state === 'misnamed'
  }

  feed(text: string, logprobs: readonly TokenLogprob[] = []): TextEvent[] {
    this.#pending += text
    this.#read += text.length
    for (const logprob of logprobs) this.#logprobs.push({ end: this.#read, logprob })
    this.#events = []
    while (this.#step());
    return this.#events
  }

  /** Ends the answer. Returns the text that was held back because it could have begun a stop string
   *  or a call. A call that is cut off here is dropped if it has begun with the call mark or has
   *  named its tool. */
  end(): TextEvent[] {
    this.#events = []
    const candidate = this.#candidate
    const isHalfCall = candidate?.at.isNamed || candidate?.closers.includes(callEnd)
    if (this.#state === 'text') this.#say(candidate && isHalfCall ? candidate.start : this.#pending.length)
    return this.#events
  }

  /** Parses one step of the pending text. Returns true when another step may be possible without
   *  more text. */
  #step(): boolean {
    switch (this.#state) {
      case 'text':
        return this.#readText()
      case 'object':
        return this.#readObject()
      case 'string':
        return this.#readString()
      case 'closing':
        return this.#readClosing()
      case 'behind':
        return this.#readBehind()
      case 'misnamed':
      case 'stopped':
        return false
    }
  }

  #readText(): boolean {
    while (this.#openings && this.#state === 'text' && this.#at < this.#pending.length) {
      const char = String.fromCodePoint(this.#pending.codePointAt(this.#at) ?? 0)
      const form = this.#walk(this.#openings, char)
      if (form) return this.#beginCall(form)
      this.#at += char.length
    }
    if (this.#state === 'misnamed') return false
    if (!this.#stopBefore(this.#candidate?.start ?? this.#pending.length, this.#pending.length)) {
      this.#searched = this.#pending.length
      this.#say(Math.min(this.#candidate?.start ?? this.#pending.length, heldFrom(this.#pending, this.#stops)))
    }
    return false
  }

  /** Advances the search for a call by one character. Returns the form of the call when the call is
   *  recognised: at the first character of its input, or, if the arguments came before the name, at
   *  the last character of its object. Otherwise undefined. */
  #walk(openings: OpeningNode, char: string): CallForm | undefined {
    const candidate = this.#candidate
    if (candidate?.unnamed && candidate.unnamed.end === undefined) {
      if (candidate.unnamed.scan.isEnd(char)) {
        candidate.unnamed.end = this.#at + 1
        candidate.at = this.#names
      }
      return undefined
    }
    if (candidate) {
      const { opens } = candidate.at
      if (opens?.char === char && opens.form === 'undeclared') {
        this.#state = 'misnamed'
        return undefined
      }
      if (opens?.char === char && typeof opens.form === 'object' && this.#isWhole(candidate)) return opens.form
      if (opens?.char === char && opens.form === 'unnamed') {
        candidate.unnamed = { start: this.#at, scan: new ObjectScan(0) }
        candidate.unnamed.scan.isEnd(char)
        return undefined
      }
      const next = stepFrom(candidate.at, char)
      if (next && !(next.isUndeclared && this.#sent + candidate.start > 0)) return this.#enter(candidate, next)
      this.#giveUp(candidate)
    }
    const begun = stepFrom(openings, char)
    if (begun) this.#enter({ start: this.#at, at: openings, closers: this.#closers }, begun)
    return undefined
  }

  /** False only for a call whose arguments came before the name and are not valid JSON. Such
   *  arguments are checked here, because perhaps no grammar made the model write valid JSON. */
  #isWhole({ unnamed }: Candidate): boolean {
    return unnamed === undefined || isJson(this.#pending.slice(unnamed.start, unnamed.end))
  }

  #enter(candidate: Candidate, next: OpeningNode): undefined {
    this.#candidate = candidate
    if (next.closer === fence && this.#isInFence) {
      this.#isInFence = false
      this.#giveUp(candidate)
      return
    }
    if (next.closer !== undefined && next !== candidate.at) candidate.closers = [next.closer, ...candidate.closers]
    candidate.at = next
  }

  #giveUp({ start, closers }: Candidate): void {
    this.#isInFence ||= closers.includes(fence)
    this.#closers = []
    this.#searched = Math.min(this.#searched, start)
    this.#candidate = undefined
  }

  /** Ends the answer if a stop string begins before position `most` and ends at or before `end`.
   *  Returns whether it does. */
  #stopBefore(most: number, end: number): boolean {
    const places = this.#stops
      .map(stop => ({ stop, at: this.#pending.indexOf(stop, Math.max(0, this.#searched - stop.length + 1)) }))
      .filter(({ stop, at }) => at >= 0 && at < most && at + stop.length <= end)
      .map(({ at }) => at)
    if (places.length === 0) return false
    this.#say(Math.min(...places))
    this.#state = 'stopped'
    return true
  }

  #beginCall({ tool, input, depth }: CallForm): boolean {
    const candidate = this.#candidate
    if (!candidate || this.#stopBefore(candidate.start, this.#at)) return false
    const { start, closers, unnamed } = candidate
    const whole = unnamed && this.#pending.slice(unnamed.start, unnamed.end)
    const inputAt = this.#at - start
    this.#candidate = undefined
    this.#say(start)
    this.#drop(inputAt)
    this.#held.push({ type: 'call', index: this.#calls, kind: tool.kind, callId: newCallId(), name: tool.name })
    this.#current = tool.name
    this.#calls += 1
    this.#release()
    this.#closers = closers
    this.#depth = depth
    this.#isInString = false
    this.#scan = new ObjectScan(whole === undefined ? 0 : depth)
    this.#state = whole !== undefined ? 'closing' : input === 'object' ? 'object' : 'string'
    if (whole !== undefined) this.#input(whole)
    return true
  }

  #readObject(): boolean {
    const end = this.#scan.endIn(this.#pending)
    const length = end ?? this.#pending.length
    this.#input(this.#pending.slice(0, length))
    this.#drop(length)
    if (end !== undefined) this.#close()
    return end !== undefined
  }

  #close(): void {
    this.#scan = new ObjectScan(this.#depth)
    this.#state = 'closing'
  }

  /** Reads a JSON string (the text input of a call) and emits its contents. */
  #readString(): boolean {
    let text = ''
    let at = 0
    while (at < this.#pending.length && this.#state === 'string') {
      const char = this.#pending[at] ?? ''
      if (char === '"') {
        if (this.#isInString) this.#close()
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
    return this.#state === 'closing'
  }

  /** Reads the rest of the call's JSON object after its input. */
  #readClosing(): boolean {
    const end = this.#scan.endIn(this.#pending)
    this.#drop(end ?? this.#pending.length)
    if (end === undefined) return false
    if (this.#made.has(this.#current)) {
      this.#calls -= 1
      this.#state = 'stopped'
      return false
    }
    this.#made.add(this.#current)
    this.#events.push(...this.#held.splice(0))
    // Log probabilities of the tokens of a call are dropped, because they are reported for text
    // only.
    this.#takeLogprobs()
    this.#state = 'behind'
    return true
  }

  /** Reads the text after a call: white space and commas, the texts that close wrappers, and
   *  further calls. */
  #readBehind(): boolean {
    this.#drop(this.#pending.length - this.#pending.replace(/^[\s,]+/, '').length)
    const [closer] = this.#closers
    if (closer?.startsWith(this.#pending) && closer !== this.#pending) return false
    if (this.#pending === '') return false
    if (closer !== undefined && this.#pending.startsWith(closer)) {
      this.#drop(closer.length)
      this.#closers = this.#closers.slice(1)
      return true
    }
    // A `{` may begin another call in the same list or code fence. Any other character ends them,
    // and text follows.
    if (!this.#pending.startsWith('{')) {
      this.#isInFence ||= this.#closers.includes(fence)
      this.#closers = []
    }
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
    // White space between calls and after them is dropped.
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
    this.#at = Math.max(0, this.#at - length)
    this.#searched = Math.max(0, this.#searched - length)
    const candidate = this.#candidate
    if (!candidate) return
    candidate.start -= length
    if (!candidate.unnamed) return
    candidate.unnamed.start -= length
    if (candidate.unnamed.end !== undefined) candidate.unnamed.end -= length
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the position from which the end of the text may be the beginning of one of the marks, so
 *  it must be held back. Returns the length of the text when nothing must be held back. */
function heldFrom(text: string, marks: readonly string[]): number {
  const longest = Math.max(0, ...marks.map(mark => mark.length))
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
    const rest = text.slice(at)
    if (marks.some(mark => mark.startsWith(rest))) return at
  }
  return text.length
}

/** Returns `call_` and 24 random letters or digits. */
function newCallId(): string {
  return `call_${Array.from({ length: 24 }, () => letters[randomInt(letters.length)]).join('')}`
}
