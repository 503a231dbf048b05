import { GatewayError } from '../errors.ts'
import { type Carried, CarriedRoom } from './carried.ts'
import type { TextEvent, TextItem } from './text.ts'

type Message = Extract<TextItem, { type: 'message' }>
type Call = Extract<TextItem, { type: 'call' }>
type Reasoning = Extract<TextItem, { type: 'reasoning' }>

/** Gathers the events of one answer into items: runs of text become one part, a refusal is a part of its own, calls have their whole input.
 *  Text after a call or after reasoning begins a new message. Log probabilities are not kept. */
export class TextOutput {
  readonly #items: TextItem[] = []
  readonly #calls = new Map<number, Call>()
  /** The item that further text or reasoning joins; calls are found by their index instead, since several may grow at a time. */
  #open: Message | Reasoning | undefined
  #reasoningPart: 'summary' | 'content' | undefined
  readonly #room = new CarriedRoom()
  /** Stood beside words that are still to come. */
  #ahead: Carried | undefined

  /** What has been said so far, in order; the last item may still grow. */
  items(): TextItem[] {
    const ahead = this.#ahead
    return ahead === undefined ? this.#items : [...this.#items, { type: 'reasoning', summary: [], content: [], carried: ahead }]
  }

  /** Throws `upstream_error` for input of a call that never began. */
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

  #carry(item: Message | Reasoning | Call | undefined, piece: Carried): void {
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
    // An end that says nothing of reasoning that is over already must not split a message.
    if (this.#open?.type !== 'reasoning' && encrypted === undefined && id === undefined) return
    const item = this.#openReasoning()
    if (encrypted !== undefined) item.encrypted = encrypted
    if (id !== undefined) item.id = id
    this.#open = undefined
  }

  #beginCall({ index, kind, callId, name }: Extract<TextEvent, { type: 'call' }>): void {
    // An answer without a word before its calls: what stood beside it is reasoning that nobody can read.
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
