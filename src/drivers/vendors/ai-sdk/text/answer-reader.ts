/** Converts the stream parts of language models of provider packages, versions v2 to v4 of the AI
 *  SDK's interface, to neutral events. */
import { randomUUID } from 'node:crypto'
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json, type JsonObject, objectOf, objectsOf, parsedJson, textOf } from '@generation-gateway/kit/json.ts'
import type { CarriedSource } from '@generation-gateway/kit/requests/carried.ts'
import type { TextEvent, TextFinish, TextResult, TextUsage } from '@generation-gateway/kit/requests/text.ts'
import { geminiUsage, messagesUsage, usageFrom } from '@generation-gateway/kit/requests/usage/reported-usage.ts'
import { countedSearches, groundingSearches, SeenSearches, withSearches } from '@generation-gateway/kit/requests/usage/searches.ts'
import { serviceTierOf } from '@generation-gateway/kit/requests/usage/service-tier.ts'
import {
  type ListedPart,
  markWith,
  metadataMember,
  noText,
  partsMember,
  type TextMark,
} from '../../../shared/text/packages/provider-parts.ts'
import { countOf } from '../../../shared/upstream/read-json.ts'
import { metadataOf } from './answer-parts.ts'

/** Thrown for a part of the stream of type `error`; `reported` is the error that the package put
 *  into it. */
export class StreamedError extends Error {
  readonly reported: unknown

  constructor(reported: unknown) {
    super('The provider package reported an error in its stream.')
    this.name = 'StreamedError'
    this.reported = reported
  }
}

interface Block {
  type: 'reasoning' | 'text'
  /** Position among the parts of the answer. */
  index: number
  mark: TextMark
  metadata: JsonObject | undefined
}

interface OpenCall {
  index: number
  callId: string
  hasInput: boolean
}

/** Matches the kinds of custom parts that only mark the beginning of an answer. */
const markers = /\.message_start$/

/** Name of the carried member (a member that the protocol does not define) that lists the web pages
 *  which an answer cites. */
const sourcesMember = 'sources'
const mostSources = 100
const longestTitle = 300
const longestLink = 2_000

const finishes: Readonly<Record<string, TextFinish>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
}

/** Reads the parts of one answer in order. */
export class AnswerReader {
  readonly #from: CarriedSource
  readonly #blocks = new Map<string, Block>()
  readonly #calls = new Map<string, OpenCall>()
  /** Ids of calls of tools that the service runs itself. */
  readonly #hidden = new Set<string>()
  #parts = 0
  /** Ended parts that have not been listed; they are listed when a later part has metadata. */
  #unlisted: ListedPart[] = []
  #sources = 0
  readonly #searches = new SeenSearches()
  readonly #model: string
  #charactersLeft: number
  #hasSpoken = false
  #hasFiles = false
  #result: TextResult | undefined
  /** Warnings of the package about the call, in the form of the package. */
  warnings: readonly JsonObject[] = []

  /** `from` identifies the target that sends the answer. It is stored with carried members, which
   *  the target requires back in the next turn. `mostCharacters` is the largest length of all texts
   *  of the answer together; `model` is the provider's name of the model. */
  constructor(from: CarriedSource, mostCharacters: number, model: string) {
    this.#from = from
    this.#model = model
    this.#charactersLeft = mostCharacters
  }

  /** Returns the events for a part. Throws a `StreamedError` for a part of type `error`, and
   *  `upstream_error` for an answer that broke off, is too long or is empty. */
  read(given: unknown): TextEvent[] {
    const part = objectOf(given)
    this.#charactersLeft -= textOf(part.delta)?.length ?? textOf(part.input)?.length ?? 0
    if (this.#charactersLeft < 0) throw new GatewayError('upstream_error', 'The provider package gave an answer that is too long.')
    const id = textOf(part.id) ?? ''
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
        return this.#grow('text', id, part)
      case 'text-end':
      case 'reasoning-end':
        return this.#endBlock(id, part)
      case 'reasoning-start':
      case 'reasoning-delta':
        return this.#grow('reasoning', id, part)
      case 'tool-input-start':
        return this.#beginCall(id, part)
      case 'tool-input-delta':
        return part.inputEncoding === 'text' ? [] : this.#input(id, textOf(part.delta))
      case 'tool-call':
        return this.#wholeCall(part)
      case 'custom':
        if (markers.test(String(part.kind))) return []
        return this.#list({ index: this.#parts++, type: 'part', part: hiddenPart(part) }, true)
      case 'tool-result':
        // OpenAI's package reports the action of each web search call. Only the action `search`
        // counts as a search.
        if (objectOf(objectOf(part.result).action).type === 'search') this.#searches.add([textOf(part.toolCallId) ?? ''])
        return this.#list({ index: this.#parts++, type: 'part', part: hiddenPart(part) }, true)
      case 'source':
        return this.#source(part)
      case 'file':
        this.#hasFiles = true
        return []
      case 'stream-start':
        this.warnings = objectsOf(part.warnings)
        return []
      case 'finish':
        return this.#finish(part)
      case 'error':
        throw new StreamedError(part.error)
      default:
        return []
    }
  }

  /** Returns the reason for the end of the answer and its token usage. Throws `upstream_error` when
   *  the answer has not ended. */
  result(): TextResult {
    if (this.#result === undefined) throw brokenOff()
    return this.#result
  }

  #grow(type: Block['type'], id: string, part: JsonObject): TextEvent[] {
    const key = `${type} ${id}`
    const block = this.#blocks.get(key) ?? { type, index: this.#parts++, mark: noText, metadata: undefined }
    this.#blocks.set(key, block)
    const delta = textOf(part.delta) ?? ''
    block.metadata = metadataOf(part.providerMetadata) ?? block.metadata
    if (delta === '') return []
    block.mark = markWith(block.mark, delta)
    this.#hasSpoken = true
    return [type === 'text' ? { type, delta } : { type, part: 'content', delta }]
  }

  #endBlock(id: string, part: JsonObject): TextEvent[] {
    const type = part.type === 'text-end' ? 'text' : 'reasoning'
    const block = this.#blocks.get(`${type} ${id}`)
    if (block === undefined) return []
    this.#blocks.delete(`${type} ${id}`)
    const { index, mark } = block
    const metadata = metadataOf(part.providerMetadata) ?? block.metadata
    const events = this.#list({ index, type, ...mark, ...defined({ metadata }) }, metadata !== undefined)
    return type === 'text' ? events : [...events, { type: 'reasoning-end' }]
  }

  /** Remembers an ended part. When `isNeeded` is true, returns the event that lists this part and
   *  all unlisted parts before it. */
  #list(part: ListedPart, isNeeded: boolean): TextEvent[] {
    this.#unlisted.push(part)
    if (!isNeeded) return []
    const parts = this.#unlisted
    this.#unlisted = []
    // The cast is safe: parts consist of JSON.
    return [{ type: 'carried', carried: { members: { [partsMember]: parts as Json[] }, from: this.#from } }]
  }

  /** Returns the event for a web page that the answer cites. */
  #source({ sourceType, url, title }: JsonObject): TextEvent[] {
    const link = textOf(url)
    if (sourceType !== 'url' || link === undefined || link.length > longestLink || this.#sources >= mostSources) return []
    const source = { index: this.#sources++, url: link, ...defined({ title: textOf(title)?.slice(0, longestTitle) }) }
    return [{ type: 'carried', carried: { members: { [sourcesMember]: [source] }, from: this.#from } }]
  }

  #beginCall(id: string, { toolName, providerExecuted }: JsonObject): TextEvent[] {
    if (providerExecuted === true) {
      this.#hidden.add(id)
      return []
    }
    const call = { index: this.#calls.size, callId: id === '' ? `call_${randomUUID().replaceAll('-', '')}` : id, hasInput: false }
    this.#calls.set(id, call)
    this.#hasSpoken = true
    this.#list({ index: this.#parts++, type: 'call', id: call.callId }, false)
    return [{ type: 'call', index: call.index, kind: 'function', callId: call.callId, name: textOf(toolName) ?? '' }]
  }

  #input(id: string, delta: string | undefined): TextEvent[] {
    const call = this.#calls.get(id)
    if (call === undefined || delta === undefined) return []
    call.hasInput = true
    return [{ type: 'call-input', index: call.index, delta }]
  }

  #wholeCall(part: JsonObject): TextEvent[] {
    const id = textOf(part.toolCallId) ?? ''
    if (part.providerExecuted === true || this.#hidden.has(id))
      return this.#list({ index: this.#parts++, type: 'part', part: hiddenPart(part) }, true)
    const events = this.#calls.has(id) ? [] : this.#beginCall(id, part)
    const call = this.#calls.get(id)
    if (call?.hasInput === false) events.push(...this.#input(id, inputText(part.input)))
    const metadata = metadataOf(part.providerMetadata)
    if (call !== undefined && metadata !== undefined)
      events.push({ type: 'carried', call: call.index, carried: { members: { [metadataMember]: metadata }, from: this.#from } })
    return events
  }

  #finish({ finishReason, usage, providerMetadata }: JsonObject): TextEvent[] {
    // In v2 of the interface, the reason is a text; since v3, it is an object.
    const reason = textOf(objectOf(finishReason).unified) ?? textOf(finishReason) ?? 'other'
    if (reason === 'interrupted') throw brokenOff()
    if (reason === 'error') throw new GatewayError('upstream_error', 'The upstream service ended its answer with an error.')
    const hasSaidNothing = !this.#hasSpoken && this.#parts === 0
    if (hasSaidNothing && this.#hasFiles)
      throw new GatewayError('upstream_error', 'The model answered with only a file, which a conversation cannot contain.')
    if (hasSaidNothing && finishes[reason] === undefined)
      throw new GatewayError('upstream_error', 'The upstream service sent an answer without a message.')
    const finish = finishes[reason] ?? 'stop'
    const stopText = stopTextIn(providerMetadata)
    const grounding = Object.values(objectOf(providerMetadata)).map(each => objectOf(objectOf(each).groundingMetadata))
    this.#searches.add(groundingSearches(grounding, this.#model))
    const counts = { ...usageOf(objectOf(usage)), ...furtherUsage(objectOf(usage), objectOf(providerMetadata)) }
    this.#result = {
      finish: finish === 'stop' && stopText === undefined && this.#calls.size > 0 ? 'tool_calls' : finish,
      usage: withSearches(counts, this.#searches.count),
      ...defined({ stopText }),
    }
    return []
  }
}

/** Returns the token counts. In v2 of the interface they are numbers; since v3, they are
 *  objects. */
function usageOf({ inputTokens: input, outputTokens: output, reasoningTokens, cachedInputTokens }: JsonObject): TextUsage {
  const sum = (...counts: unknown[]) => counts.reduce<number>((total, count) => total + countOf(count), 0)
  const { total: inputTotal, noCache, cacheRead, cacheWrite } = objectOf(input)
  const { total: outputTotal, text, reasoning } = objectOf(output)
  const cacheWriteTokens = countOf(cacheWrite)
  return {
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    inputTokens: isObject(input) ? countOf(inputTotal) || sum(noCache, cacheRead, cacheWrite) : countOf(input),
    cachedInputTokens: countOf(isObject(input) ? cacheRead : cachedInputTokens),
    outputTokens: isObject(output) ? countOf(outputTotal) || sum(text, reasoning) : countOf(output),
    reasoningTokens: countOf(isObject(output) ? reasoning : reasoningTokens),
  }
}

/** Returns the usage for which the interface has no field: tokens that a cache keeps for an
 *  hour, searches, the service tier, and the tokens of steps (`iterations`) that Anthropic's
 *  totals leave out. They are read from the provider's own counts and metadata. */
function furtherUsage({ raw }: JsonObject, metadata: JsonObject): Partial<TextUsage> {
  const providers = Object.values(metadata).map(objectOf)
  const counts = objectOf(raw ?? providers.map(({ usage }) => usage).find(isObject))
  const { longCacheWriteTokens, tier } = messagesUsage(counts)
  const searches = countOf(countedSearches(counts))
  const named = providers.map(({ serviceTier }) => serviceTierOf(serviceTier)).find(each => each !== undefined)
  return {
    ...(Array.isArray(counts.iterations) && usageFrom(messagesUsage(counts), countOf)),
    ...(countOf(longCacheWriteTokens) > 0 && { longCacheWriteTokens: countOf(longCacheWriteTokens) }),
    ...(searches > 0 && { searches }),
    ...defined({ tier: tier ?? named ?? geminiUsage(counts).tier }),
  }
}

/** Returns the text at which the answer ended, as the packages of Anthropic and Bedrock report
 *  it. */
function stopTextIn(metadata: unknown): string | undefined {
  const reported = Object.values(objectOf(metadata)).map(provider => textOf(objectOf(provider).stopSequence))
  return reported.find(text => text !== undefined)
}

function inputText(input: unknown): string {
  if (typeof input === 'string') return input === '' ? '{}' : input
  return JSON.stringify(input ?? {})
}

/** Returns a part of the stream that callers do not see, as a part of a prompt. */
function hiddenPart(part: JsonObject): JsonObject {
  const { type, toolCallId, toolName, input, kind, result, isError } = part
  const providerOptions = metadataOf(part.providerMetadata)
  const own = jsonOf({ type, toolCallId, toolName, kind })
  if (type === 'tool-call')
    return { ...own, input: parsedJsonOf(inputText(input)), providerExecuted: true, ...defined({ providerOptions }) }
  if (type !== 'tool-result') return { ...own, ...defined({ providerOptions }) }
  const output = { type: isError === true ? 'error-json' : 'json', value: jsonOf({ result }).result ?? null }
  return { ...own, output, ...defined({ providerOptions }) }
}

function parsedJsonOf(text: string): Json {
  return jsonOf({ value: parsedJson(text) }).value ?? text
}

/** Returns a copy of the members that consists only of JSON, because a package may send any
 *  objects. */
function jsonOf(members: object): JsonObject {
  return objectOf(parsedJson(JSON.stringify(members)))
}

function brokenOff(): GatewayError {
  return new GatewayError('upstream_error', 'The upstream service ended its answer in the middle.')
}
