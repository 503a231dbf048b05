/** Converts an answer in Gemini's protocol, streamed or whole, to neutral events. */
import { randomUUID } from 'node:crypto'
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { CarriedSource } from '@generation-gateway/kit/requests/carried.ts'
import { SpreadCounts } from '@generation-gateway/kit/requests/spread-counts.ts'
import type { TextEvent, TextFinish, TextResult, TokenLogprob } from '@generation-gateway/kit/requests/text.ts'
import { geminiUsage, usageFrom } from '@generation-gateway/kit/requests/usage/reported-usage.ts'
import { contentSearches, SeenSearches, withSearches } from '@generation-gateway/kit/requests/usage/searches.ts'
import { countOf } from '../../upstream/read-json.ts'

/** The neutral finish for each `finishReason`. A reason that is not listed means that the model
 *  has finished its answer. */
const finishes: Readonly<Record<string, TextFinish>> = {
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  LANGUAGE: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
}

/** Reads the pieces of one answer in order; a whole answer counts as one piece. Only the first
 *  candidate is read. */
export class GeminiReader {
  #calls = 0
  #finish: TextFinish | undefined
  readonly #usage = new SpreadCounts()
  readonly #searches = new SeenSearches()
  #isReasoning = false
  readonly #from: CarriedSource

  /** `from` identifies the target that sends the answer. It is stored with signatures, which the
   *  target requires back in the next turn. */
  constructor(from: CarriedSource) {
    this.#from = from
  }

  read(piece: JsonObject): TextEvent[] {
    this.#usage.add(piece.usageMetadata)
    this.#searches.add(contentSearches(piece))
    const events: TextEvent[] = []
    for (const candidate of objectsOf(piece.candidates)) {
      if (countOf(candidate.index) > 0) continue
      for (const part of objectsOf(objectOf(candidate.content).parts)) this.#readPart(part, candidate, events)
      const reason = textOf(candidate.finishReason)
      if (reason !== undefined) this.#finish = finishes[reason] ?? 'stop'
    }
    // The answer to a refused prompt has no candidate.
    if (textOf(objectOf(piece.promptFeedback).blockReason) !== undefined) this.#finish ??= 'content_filter'
    return events
  }

  whole(answer: JsonObject): TextEvent[] {
    return this.read(answer)
  }

  result(): TextResult | undefined {
    if (this.#finish === undefined) return undefined
    return {
      finish: this.#finish === 'stop' && this.#calls > 0 ? 'tool_calls' : this.#finish,
      usage: withSearches(usageFrom(geminiUsage(this.#usage.whole()), countOf), this.#searches.count),
    }
  }

  #readPart(part: JsonObject, candidate: JsonObject, events: TextEvent[]): void {
    const text = textOf(part.text)
    if (part.thought === true) {
      if (text !== undefined) events.push({ type: 'reasoning', part: 'summary', delta: text })
      this.#isReasoning ||= text !== undefined
      this.#carry(part, undefined, events)
      return
    }
    if (this.#isReasoning && (text !== undefined || isObject(part.functionCall))) {
      events.push({ type: 'reasoning-end' })
      this.#isReasoning = false
    }
    if (isObject(part.functionCall)) {
      this.#readCall(part, part.functionCall, events)
      return
    }
    const logprobs = logprobsOf(candidate.logprobsResult)
    if (text !== undefined) events.push({ type: 'text', delta: text, ...(logprobs && { logprobs }) })
    this.#carry(part, undefined, events)
  }

  #readCall(part: JsonObject, { id, name, args }: JsonObject, events: TextEvent[]): void {
    const called = textOf(name)
    if (called === undefined) return
    const index = this.#calls++
    const callId = textOf(id) ?? `call_${randomUUID().replaceAll('-', '')}`
    events.push({ type: 'call', index, kind: 'function', callId, name: called })
    this.#carry(part, index, events)
    events.push({ type: 'call-input', index, delta: JSON.stringify(isObject(args) ? args : {}) })
  }

  #carry({ thoughtSignature }: JsonObject, call: number | undefined, events: TextEvent[]): void {
    const signature = textOf(thoughtSignature)
    if (signature === undefined) return
    const carried = { members: { thoughtSignature: signature }, from: this.#from }
    events.push({ type: 'carried', carried, ...(call === undefined ? {} : { call }) })
  }
}

function logprobsOf(result: unknown): TokenLogprob[] | undefined {
  const { chosenCandidates, topCandidates } = objectOf(result)
  const chosen = objectsOf(chosenCandidates)
  const tops = objectsOf(topCandidates)
  return chosen.length === 0
    ? undefined
    : chosen.map((each, index) => ({ ...scoreOf(each), top: objectsOf(tops[index]?.candidates).map(scoreOf) }))
}

function scoreOf({ token, logProbability }: JsonObject): Omit<TokenLogprob, 'top'> {
  return { token: textOf(token) ?? '', logprob: typeof logProbability === 'number' ? logProbability : 0, bytes: null }
}
