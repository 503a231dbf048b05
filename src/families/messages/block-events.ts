/** Converts the model's output to the events of a streamed message. Only one block is open at a
 *  time: it ends before the next one begins. */

import { defined } from '@generation-gateway/kit/defined.ts'
import { type JsonObject, parsedJson } from '@generation-gateway/kit/json.ts'
import { CarriedBudget, type CarriedMembers } from '@generation-gateway/kit/requests/carried.ts'
import type { TextEvent } from '@generation-gateway/kit/requests/text.ts'
import { callIsOver, callNotBegun } from '../shared/answer-runs.ts'
import { sealed } from '../shared/sealed-reasoning.ts'
import type { AnswerBlock, MessageEvent } from './reply-schema.ts'

/** How thinking is shown to the caller. `omitted`: a thinking block has a signature and no text.
 *  `hidden`: there are no thinking blocks, except that data which the target requires in the next
 *  turn is sent as with `omitted`. */
export type ThinkingDisplay = 'shown' | 'omitted' | 'hidden'

type CallEvent = Extract<TextEvent, { type: 'call' }>

interface Call {
  event: CallEvent
  input: string
}

interface Thinking {
  texts: string
  isSummary: boolean
}

type OpenBlock = { type: 'text' } | { type: 'thinking' } | { type: 'tool_use'; call: Call }

export class BlockEvents {
  readonly #display: ThinkingDisplay
  #index = -1
  #open: OpenBlock | undefined
  /** Reasoning whose block has not ended; undefined outside of reasoning. */
  #thinking: Thinking | undefined
  /** Data that the target requires back in the next turn, and that has not been sent to the caller
   *  in a signature yet. */
  #carried: CarriedMembers | undefined
  readonly #carriedOfCalls = new Map<string, CarriedMembers>()
  readonly #room = new CarriedBudget()
  readonly #calls = new Map<number, Call>()
  /** Calls that began while the JSON of another unfinished call was incomplete or empty. Their
   *  blocks are sent when the next block begins or the answer ends. */
  #waiting: Call[] = []
  /** True once the model has refused to answer. */
  hasRefused = false

  constructor(display: ThinkingDisplay) {
    this.#display = display
  }

  /** Returns the events for one event of the model. Throws `upstream_error` for input of a call
   *  that has not begun, or whose block has ended. */
  take(event: TextEvent): MessageEvent[] {
    switch (event.type) {
      case 'sampling':
        return []
      case 'text':
      case 'refusal':
        this.hasRefused ||= event.type === 'refusal'
        return event.delta === '' ? [] : this.#say(event.delta)
      case 'reasoning':
        return this.#think(event)
      case 'reasoning-end':
        return this.#endThinking(event)
      case 'carried':
        this.#carry(event)
        return []
      case 'call':
        return this.#beginCall(event)
      case 'call-input':
        return this.#growCall(event.index, event.delta)
    }
  }

  /** Returns the events that end all blocks which are still open or waiting. */
  end(): MessageEvent[] {
    const events = [...this.#endThinking({}), ...this.#endCalls(), ...this.#close()]
    if (this.#carried !== undefined || this.#carriedOfCalls.size > 0) events.push(...this.#signature({ texts: '', isSummary: false }))
    return events
  }

  #say(text: string): MessageEvent[] {
    const events: MessageEvent[] = []
    if (this.#open?.type !== 'text')
      events.push(...this.#beforeBlock(), this.#start({ type: 'text' }, { type: 'text', text: '', citations: null }))
    events.push(this.#delta({ type: 'text_delta', text }))
    return events
  }

  #think({ part, delta }: Extract<TextEvent, { type: 'reasoning' }>): MessageEvent[] {
    const events = this.#thinking === undefined ? [...this.#endCalls(), ...this.#close()] : []
    this.#thinking ??= { texts: '', isSummary: true }
    this.#thinking.isSummary &&= part === 'summary'
    this.#thinking.texts += delta
    if (this.#display !== 'shown') return events
    if (this.#open?.type !== 'thinking') events.push(this.#startThinking())
    events.push(this.#delta({ type: 'thinking_delta', thinking: delta }))
    return events
  }

  #endThinking({ encrypted, id }: { encrypted?: string; id?: string }): MessageEvent[] {
    const thinking = this.#thinking ?? (encrypted === undefined ? undefined : { texts: '', isSummary: false })
    if (thinking === undefined) return []
    const events = this.#thinking === undefined ? [...this.#endCalls(), ...this.#close()] : []
    this.#thinking = undefined
    const isNeeded = encrypted !== undefined || this.#carried !== undefined
    return this.#display === 'hidden' && !isNeeded ? events : [...events, ...this.#signature(thinking, defined({ encrypted, id }))]
  }

  /** Returns the events that end a thinking block. Its signature contains all data that the target
   *  requires in the next turn. When no thinking block is open, the first event begins one. */
  #signature({ texts, isSummary }: Thinking, sealing: { encrypted?: string; id?: string } = {}): MessageEvent[] {
    const events = this.#open?.type === 'thinking' ? [] : [this.#startThinking()]
    const calls = this.#carriedOfCalls.size === 0 ? undefined : Object.fromEntries(this.#carriedOfCalls)
    const carried = calls === undefined ? this.#carried : { members: {}, ...this.#carried, calls }
    const isShown = this.#display === 'shown' || texts === ''
    const signature = sealed({ texts: isShown ? [] : [texts], ...(isSummary ? { isSummary } : {}), ...defined({ carried }), ...sealing })
    this.#carried = undefined
    this.#carriedOfCalls.clear()
    return [...events, this.#delta({ type: 'signature_delta', signature }), ...this.#close()]
  }

  #carry({ call, carried }: Extract<TextEvent, { type: 'carried' }>): void {
    if (call === undefined) {
      this.#carried = this.#room.join(this.#carried, carried)
      return
    }
    const id = this.#calls.get(call)?.event.callId
    if (id === undefined) return
    const joined = this.#room.join(this.#carriedOfCalls.get(id), carried)
    if (joined === undefined) this.#carriedOfCalls.delete(id)
    else this.#carriedOfCalls.set(id, joined)
  }

  #beginCall(event: CallEvent): MessageEvent[] {
    const call: Call = { event, input: '' }
    this.#calls.set(event.index, call)
    if (this.#unended().some(({ input }) => parsedJson(input) === undefined)) {
      this.#waiting.push(call)
      return []
    }
    return [...this.#beforeBlock(), this.#startCall(call)]
  }

  #growCall(index: number, delta: string): MessageEvent[] {
    const call = this.#calls.get(index)
    if (!call) throw callNotBegun(index)
    if (delta.trim() !== '' && !this.#unended().includes(call)) throw callIsOver()
    call.input += delta
    return this.#open?.type === 'tool_use' && this.#open.call === call && delta !== '' ? [this.#input(delta)] : []
  }

  /** Returns the calls whose blocks have not ended. */
  #unended(): Call[] {
    return [...(this.#open?.type === 'tool_use' ? [this.#open.call] : []), ...this.#waiting]
  }

  /** Returns the events of the waiting calls. */
  #endCalls(): MessageEvent[] {
    const waiting = this.#waiting
    this.#waiting = []
    return waiting.flatMap(call => [...this.#close(), this.#startCall(call), ...(call.input === '' ? [] : [this.#input(call.input)])])
  }

  /** Returns the events that must come before a new block with text or a call. */
  #beforeBlock(): MessageEvent[] {
    const events = [...this.#endThinking({}), ...this.#endCalls(), ...this.#close()]
    if (this.#carried !== undefined) events.push(...this.#signature({ texts: '', isSummary: false }))
    return events
  }

  #startThinking(): MessageEvent {
    return this.#start({ type: 'thinking' }, { type: 'thinking', thinking: '', signature: '' })
  }

  #startCall(call: Call): MessageEvent {
    const { callId: id, name } = call.event
    return this.#start({ type: 'tool_use', call }, { type: 'tool_use', id, name, input: {} })
  }

  #start(open: OpenBlock, content_block: AnswerBlock): MessageEvent {
    this.#open = open
    this.#index += 1
    return { type: 'content_block_start', index: this.#index, content_block }
  }

  #input(partial_json: string): MessageEvent {
    return this.#delta({ type: 'input_json_delta', partial_json })
  }

  #delta(delta: JsonObject): MessageEvent {
    return { type: 'content_block_delta', index: this.#index, delta }
  }

  #close(): MessageEvent[] {
    if (this.#open === undefined) return []
    this.#open = undefined
    return [{ type: 'content_block_stop', index: this.#index }]
  }
}
