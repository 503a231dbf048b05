/** Converts a response, streamed or whole, to neutral events
 *  (docs/vendors/openai-responses.md#response-object, #stream). */

import { type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { CarriedSource } from '@generation-gateway/kit/requests/carried.ts'
import type { TextEvent, TextFinish, TextResult } from '@generation-gateway/kit/requests/text.ts'
import { openaiUsage, usageFrom } from '@generation-gateway/kit/requests/usage/reported-usage.ts'
import { responsesSearches, SeenSearches, withSearches } from '@generation-gateway/kit/requests/usage/searches.ts'
import { countOf } from '../upstream/read-json.ts'
import { carriedOfItem } from './carried-members.ts'
import { tokenOf } from './chat-events.ts'

/** Identifies the item to which an event belongs: its index, or an id. llama.cpp does not send
 *  indexes, and for tool calls it sends only a `call_id`. */
type ItemKey = number | string

/** The state of an output item. */
interface Progress {
  /** Index of the item among the answer's tool calls; undefined for other items. */
  call: number | undefined
  /** True when a piece of the item has been emitted already. */
  isSaid: boolean
  isDone: boolean
}

/** Reads the events of one answer in order. An item whose content did not arrive in delta events is
 *  emitted as a whole at its end. */
export class ResponsesReader {
  readonly #items = new Map<ItemKey, Progress>()
  #calls = 0
  #result: TextResult | undefined
  readonly #searches = new SeenSearches()
  readonly #from: CarriedSource

  /** `from` identifies the target that sends the answer. It is stored with carried members, which
   *  the target requires back in the next turn. */
  constructor(from: CarriedSource) {
    this.#from = from
  }

  /** Returns the neutral events for `event`, an event of the stream with its `type`. An event that
   *  ends the answer sets the result. The caller checks for failures. */
  read(event: JsonObject): TextEvent[] {
    const place = placeOf(event)
    const delta = textOf(event.delta)
    switch (event.type) {
      case 'response.output_item.added':
        return this.#begin(place, objectOf(event.item))
      case 'response.output_text.delta':
        return this.#text(place, delta, event)
      case 'response.refusal.delta':
        return this.#piece(place, delta && { type: 'refusal', delta })
      case 'response.reasoning_summary_part.added':
        return countOf(event.summary_index) > 0 ? [{ type: 'reasoning', part: 'summary', delta: '\n\n' }] : []
      case 'response.reasoning_summary_text.delta':
        return this.#piece(place, delta && { type: 'reasoning', part: 'summary', delta })
      case 'response.reasoning_text.delta':
        return this.#piece(place, delta && { type: 'reasoning', part: 'content', delta })
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return this.#input(place, delta)
      case 'response.output_item.done':
        this.#searches.add(responsesSearches(event))
        return this.#end(place, objectOf(event.item))
      case 'response.completed':
      case 'response.incomplete':
        return this.whole(objectOf(event.response))
      default:
        return []
    }
  }

  /** Returns the neutral events of a whole response that were not emitted yet, and sets the
   *  result. */
  whole(response: JsonObject): TextEvent[] {
    const events = objectsOf(response.output).flatMap((item, index) => this.#end(this.#placeIn(item, index), item))
    this.#searches.add(responsesSearches(response))
    const usage = usageFrom(openaiUsage(objectOf(response.usage), response), countOf)
    this.#result = { finish: this.#finishOf(response), usage: withSearches(usage, this.#searches.count) }
    return events
  }

  /** Returns the reason for the end of the answer and its token usage; undefined while it has not
   *  ended. */
  result(): TextResult | undefined {
    return this.#result
  }

  /** Returns the key under which earlier events stored the item; otherwise the item's index. */
  #placeIn(item: JsonObject, index: number): ItemKey {
    const place = placeOf({ item })
    return this.#items.has(place) ? place : index
  }

  #finishOf(response: JsonObject): TextFinish {
    if (response.status !== 'incomplete') return this.#calls > 0 ? 'tool_calls' : 'stop'
    return objectOf(response.incomplete_details).reason === 'content_filter' ? 'content_filter' : 'length'
  }

  #progress(place: ItemKey): Progress {
    let progress = this.#items.get(place)
    if (progress === undefined) {
      progress = { call: undefined, isSaid: false, isDone: false }
      this.#items.set(place, progress)
    }
    return progress
  }

  #begin(place: ItemKey, item: JsonObject): TextEvent[] {
    const progress = this.#progress(place)
    if (progress.call !== undefined || progress.isDone) return []
    const kind = item.type === 'function_call' ? 'function' : item.type === 'custom_tool_call' ? 'custom' : undefined
    if (kind === undefined) return []
    progress.call = this.#calls++
    return [
      { type: 'call', index: progress.call, kind, callId: textOf(item.call_id) ?? textOf(item.id) ?? '', name: textOf(item.name) ?? '' },
    ]
  }

  #text(place: ItemKey, delta: string | undefined, event: JsonObject): TextEvent[] {
    const tokens = objectsOf(event.logprobs).map(tokenOf)
    return this.#piece(place, delta && { type: 'text', delta, ...(tokens.length > 0 && { logprobs: tokens }) })
  }

  #piece(place: ItemKey, event: TextEvent | '' | undefined): TextEvent[] {
    if (event === undefined || event === '') return []
    this.#progress(place).isSaid = true
    return [event]
  }

  #input(place: ItemKey, delta: string | undefined): TextEvent[] {
    const { call } = this.#progress(place)
    return call === undefined ? [] : this.#piece(place, delta && { type: 'call-input', index: call, delta })
  }

  #end(place: ItemKey, item: JsonObject): TextEvent[] {
    const progress = this.#progress(place)
    if (progress.isDone) return []
    const events = this.#begin(place, item)
    progress.isDone = true
    if (!progress.isSaid) events.push(...this.#saidWhole(item, progress.call))
    events.push(...this.#carried(item, progress.call))
    if (item.type === 'reasoning') events.push(reasoningEnd(item))
    return events
  }

  /** Returns a `carried` event with those members of a tool call, a reasoning item or a message
   *  that the protocol does not define. Returns an empty list when there are none. */
  #carried(item: JsonObject, call: number | undefined): TextEvent[] {
    if (call === undefined && item.type !== 'reasoning' && item.type !== 'message') return []
    const members = carriedOfItem(item)
    if (members === undefined) return []
    return [{ type: 'carried', ...(call === undefined ? {} : { call }), carried: { members, from: this.#from } }]
  }

  #saidWhole(item: JsonObject, call: number | undefined): TextEvent[] {
    if (call !== undefined) {
      const input = textOf(item.type === 'custom_tool_call' ? item.input : item.arguments)
      return input === undefined ? [] : [{ type: 'call-input', index: call, delta: input }]
    }
    const parts = [...objectsOf(item.summary), ...objectsOf(item.content)]
    return parts.flatMap(partEvents)
  }
}

function placeOf({ output_index: index, item_id: id, item }: JsonObject): ItemKey {
  const { id: own, call_id: callId } = objectOf(item)
  return typeof index === 'number' ? countOf(index) : (textOf(id) ?? textOf(own) ?? textOf(callId) ?? '')
}

function partEvents(part: JsonObject): TextEvent[] {
  const text = textOf(part.text)
  const refusal = textOf(part.refusal)
  if (part.type === 'refusal') return refusal === undefined ? [] : [{ type: 'refusal', delta: refusal }]
  if (text === undefined) return []
  if (part.type === 'summary_text') return [{ type: 'reasoning', part: 'summary', delta: text }]
  if (part.type === 'reasoning_text') return [{ type: 'reasoning', part: 'content', delta: text }]
  const tokens = objectsOf(part.logprobs).map(tokenOf)
  return [{ type: 'text', delta: text, ...(tokens.length > 0 && { logprobs: tokens }) }]
}

function reasoningEnd(item: JsonObject): TextEvent {
  const encrypted = textOf(item.encrypted_content)
  const id = textOf(item.id)
  return { type: 'reasoning-end', ...(encrypted !== undefined && { encrypted }), ...(id !== undefined && { id }) }
}
