import { GatewayError } from '../../errors.ts'
import { CarriedBudget, type CarriedMembers } from '../carried.ts'
import type { TextEvent, TextItem } from '../text.ts'

type Message = Extract<TextItem, { type: 'message' }>
type Call = Extract<TextItem, { type: 'call' }>
type Reasoning = Extract<TextItem, { type: 'reasoning' }>

/** Collects the events of one answer into items. Consecutive text becomes one part of a message; a
 *  refusal is a part of its own; a tool call contains its complete input. Text after a tool call or
 *  after reasoning starts a new message. Log probabilities are dropped. */
export class TextOutput {
  readonly #items: TextItem[] = []
  readonly #calls = new Map<number, Call>()
  /** The message or reasoning item that further text or reasoning extends. Tool calls are found
   *  by their index instead, since several may grow at the same time. */
  #open: Message | Reasoning | undefined
  #reasoningPart: 'summary' | 'content' | undefined
  readonly #room = new CarriedBudget()
  /** Carried data that arrived before the text or the reasoning to which it belongs. */
  #ahead: CarriedMembers | undefined

  /** Returns the items so far, in order; the last one and tool calls may still grow. */
  items(): TextItem[] {
    const ahead = this.#ahead
    return ahead === undefined ? this.#items : [...this.#items, { type: 'reasoning', summary: [], content: [], carried: ahead }]
  }

  /** Adds an event. Throws `upstream_error` for input of a tool call that never began. */
  add(event: TextEvent): void {
    switch (event.type) {
      case 'sampling':
        break
      case 'text':
      case 'refusal':
        this.#say(event.type, event.delta)
        break
      case 'reasoning':
        this.#reason(event.part, event.delta)
        break
      case 'reasoning-end':
        this.#endReasoning(event)
        break
      case 'call':
        this.#beginCall(event)
        break
      case 'call-input':
        this.#growCall(event.index, event.delta)
        break
      case 'carried':
        this.#carry(event.call === undefined ? this.#open : this.#calls.get(event.call), event.carried)
        break
    }
  }

  #begin<Item extends Message | Reasoning>(item: Item): Item {
    this.#items.push(item)
    this.#open = item
    this.#reasoningPart = undefined
    if (this.#ahead !== undefined) item.carried = this.#ahead
    this.#ahead = undefined
    return item
  }

  #carry(item: Message | Reasoning | Call | undefined, piece: CarriedMembers): void {
    const carried = this.#room.join(item === undefined ? this.#ahead : item.carried, piece)
    if (item === undefined) this.#ahead = carried
    else if (carried === undefined) delete item.carried
    else item.carried = carried
  }

  #say(type: 'text' | 'refusal', delta: string): void {
    const { parts } = this.#open?.type === 'message' ? this.#open : this.#begin<Message>({ type: 'message', role: 'assistant', parts: [] })
    const last = parts.at(-1)
    if (last?.type === type) last.text += delta
    else parts.push({ type, text: delta })
  }

  #openReasoning(): Reasoning {
    return this.#open?.type === 'reasoning' ? this.#open : this.#begin<Reasoning>({ type: 'reasoning', summary: [], content: [] })
  }

  #reason(part: 'summary' | 'content', delta: string): void {
    const texts = this.#openReasoning()[part]
    if (this.#reasoningPart === part) texts[texts.length - 1] += delta
    else texts.push(delta)
    this.#reasoningPart = part
  }

  #endReasoning({ encrypted, id }: Extract<TextEvent, { type: 'reasoning-end' }>): void {
    // When no reasoning is open, an end event without data is ignored. It would otherwise end the
    // message that is open and split it in two.
    if (this.#open?.type !== 'reasoning' && encrypted === undefined && id === undefined) return
    const item = this.#openReasoning()
    if (encrypted !== undefined) item.encrypted = encrypted
    if (id !== undefined) item.id = id
    this.#open = undefined
  }

  #beginCall({ index, kind, callId, name }: Extract<TextEvent, { type: 'call' }>): void {
    // Carried data arrived, but no text or reasoning followed before this tool call. They are
    // stored in an empty reasoning item.
    if (this.#ahead !== undefined) this.#begin<Reasoning>({ type: 'reasoning', summary: [], content: [] })
    const item: Call = { type: 'call', kind, callId, name, input: '' }
    this.#items.push(item)
    this.#calls.set(index, item)
    this.#open = undefined
  }

  #growCall(index: number, delta: string): void {
    const item = this.#calls.get(index)
    if (!item) throw new GatewayError('upstream_error', `The upstream sent input for call ${index}, which had not begun.`)
    item.input += delta
  }
}
