/** Converts a chat completion, streamed or whole, to neutral events
 *  (docs/vendors/openai-chat.md#completion, #chunks). */

import { randomUUID } from 'node:crypto'
import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { CarriedMembers, CarriedSource } from '@generation-gateway/kit/requests/carried.ts'
import type { TextEvent, TextFinish, TextResult, TokenLogprob } from '@generation-gateway/kit/requests/text.ts'
import { openaiUsage, usageFrom } from '@generation-gateway/kit/requests/usage/reported-usage.ts'
import { chatSearches, SeenSearches, withSearches } from '@generation-gateway/kit/requests/usage/searches.ts'
import { countOf } from '../upstream/read-json.ts'
import { carriedOfCall, carriedOfMessage } from './carried-members.ts'

interface OpenCall {
  index: number
  /** The upstream's id of the tool call, when it gave one. The id is needed to distinguish tool
   *  calls, because some servers give every tool call the index 0. */
  id: string | undefined
  key: 'function' | 'custom'
}

const finishes: Record<string, TextFinish> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
}

/** Reads the chunks of one answer in order; a whole completion counts as one chunk. Only the first
 *  choice is read. */
export class ChatReader {
  readonly #calls = new Map<number, OpenCall>()
  #count = 0
  #finish: TextFinish | undefined
  #usage: JsonObject = {}
  #tier: string | undefined
  readonly #searches = new SeenSearches()
  #isReasoning = false
  readonly #from: CarriedSource

  /** `from` identifies the target that sends the answer. It is stored with carried members, which
   *  the target requires back in the next turn. */
  constructor(from: CarriedSource) {
    this.#from = from
  }

  read(chunk: JsonObject): TextEvent[] {
    if (isObject(chunk.usage)) this.#usage = chunk.usage
    this.#tier = textOf(chunk.service_tier) ?? this.#tier
    this.#searches.add(chatSearches(chunk))
    const events: TextEvent[] = []
    for (const choice of objectsOf(chunk.choices)) {
      if (choice.index !== undefined && choice.index !== 0) continue
      this.#readDelta(objectOf(choice.delta ?? choice.message), choice, events)
      const finish = textOf(choice.finish_reason)
      // Some servers use finish reasons of their own (`eos`, `end_turn`). All of these mean that
      // the model has finished its answer, which is `stop`.
      if (finish !== undefined) this.#finish = finishes[finish] ?? 'stop'
    }
    return events
  }

  whole(completion: JsonObject): TextEvent[] {
    return this.read(completion)
  }

  /** Must be called at `[DONE]`: an answer without a finish reason then counts as complete. */
  done(): void {
    this.#finish ??= 'stop'
  }

  /** Returns the reason for the end of the answer and its token usage; undefined while it has not
   *  ended. Token counts that the upstream did not report are 0. */
  result(): TextResult | undefined {
    if (this.#finish === undefined) return undefined
    const usage = usageFrom(openaiUsage(this.#usage, defined({ service_tier: this.#tier })), countOf)
    return {
      finish: this.#finish === 'stop' && this.#count > 0 ? 'tool_calls' : this.#finish,
      usage: withSearches(usage, this.#searches.count),
    }
  }

  #readDelta(delta: JsonObject, choice: JsonObject, events: TextEvent[]): void {
    const plain = textOf(delta.reasoning_content)
    const reasoning = plain ?? textOf(delta.reasoning) ?? partsText(delta.content, 'thinking')
    this.#carry(events, { beside: carriedOfMessage(delta), isNamed: plain === undefined && textOf(delta.reasoning) !== undefined })
    if (reasoning !== undefined) events.push({ type: 'reasoning', part: 'content', delta: reasoning })
    this.#isReasoning ||= reasoning !== undefined
    const begun = events.length
    const text = textOf(delta.content) ?? partsText(delta.content, 'text')
    const logprobs = logprobsOf(choice.logprobs)
    if (text !== undefined || logprobs !== undefined) events.push({ type: 'text', delta: text ?? '', ...(logprobs && { logprobs }) })
    const refusal = textOf(delta.refusal)
    if (refusal !== undefined) events.push({ type: 'refusal', delta: refusal })
    for (const [position, call] of objectsOf(delta.tool_calls).entries()) this.#readCall(call, position, events)
    if (!this.#isReasoning || events.length === begun) return
    events.splice(begun, 0, { type: 'reasoning-end' })
    this.#isReasoning = false
  }

  /** Adds a `carried` event. `beside` has the members that the protocol does not define. `isNamed`
   *  is true when the upstream sends its reasoning in the member `reasoning` instead of
   *  `reasoning_content`; the event then notes that name. */
  #carry(events: TextEvent[], { beside, isNamed }: { beside: JsonObject | undefined; isNamed: boolean }): void {
    if (beside === undefined && !(isNamed && !this.#isReasoning)) return
    events.push({ type: 'carried', carried: { ...this.#carried(beside ?? {}), ...(isNamed ? { reasoningIn: 'reasoning' } : {}) } })
  }

  #carried(members: JsonObject): CarriedMembers {
    return { members, from: this.#from }
  }

  #readCall(call: JsonObject, position: number, events: TextEvent[]): void {
    const key = isObject(call.custom) ? 'custom' : 'function'
    const said = objectOf(call[key])
    const place = typeof call.index === 'number' ? call.index : position
    let open = this.#calls.get(place)
    const id = textOf(call.id)
    const name = textOf(said.name)
    if (open === undefined || (name !== undefined && id !== undefined && id !== open.id)) {
      // A piece without a name continues a tool call whose beginning never arrived, so the piece is
      // ignored.
      if (name === undefined) return
      open = { index: this.#count++, id, key }
      this.#calls.set(place, open)
      events.push({ type: 'call', index: open.index, kind: key, callId: id ?? `call_${randomUUID().replaceAll('-', '')}`, name })
    }
    const beside = carriedOfCall(call)
    if (beside !== undefined) events.push({ type: 'carried', call: open.index, carried: this.#carried(beside) })
    const input = open.key === 'custom' ? said.input : said.arguments
    const delta = isObject(input) ? JSON.stringify(input) : textOf(input)
    if (delta !== undefined) events.push({ type: 'call-input', index: open.index, delta })
  }
}

/** Returns the joined texts of all parts of one type in a list of parts. Some servers send parts of
 *  the type `thinking`, which contain a list of parts themselves. */
function partsText(content: unknown, type: 'text' | 'thinking'): string | undefined {
  const parts = objectsOf(content).filter(part => part.type === type)
  return textOf(parts.map(part => textOf(part[type]) ?? partsText(part[type], 'text') ?? '').join(''))
}

function logprobsOf(value: unknown): TokenLogprob[] | undefined {
  const tokens = objectsOf(objectOf(value).content)
  return tokens.length === 0 ? undefined : tokens.map(tokenOf)
}

/** Returns one token with its probabilities. OpenAI's chat and Responses protocols use the same
 *  form for it. */
export function tokenOf(token: JsonObject): TokenLogprob {
  return { ...scoreOf(token), top: objectsOf(token.top_logprobs).map(scoreOf) }
}

function scoreOf({ token, logprob, bytes }: JsonObject): Omit<TokenLogprob, 'top'> {
  return {
    token: textOf(token) ?? '',
    logprob: typeof logprob === 'number' ? logprob : 0,
    bytes: Array.isArray(bytes) ? bytes.map(Number) : null,
  }
}
