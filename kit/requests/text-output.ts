import { GatewayError } from '../errors.ts'
import { type Carried, CarriedRoom } from './carried.ts'
import type { TextEvent, TextItem } from './text.ts'

export interface TextOutput {
  /** Throws `upstream_error` for input of a call that never began. */
  add(event: TextEvent): void
  /** What has been said so far, in order; the last item may still grow. */
  items(): TextItem[]
}

type Message = Extract<TextItem, { type: 'message' }>
type Call = Extract<TextItem, { type: 'call' }>
type Reasoning = Extract<TextItem, { type: 'reasoning' }>

/** Gathers the events of one answer into items: runs of text become one part, a refusal is a part of its own, calls have their whole input.
 *  Text after a call or after reasoning begins a new message. Log probabilities are not kept. */
export function createTextOutput(): TextOutput {
  const items: TextItem[] = []
  const calls = new Map<number, Call>()
  /** The item that further text or reasoning joins; calls are found by their index instead, since several may grow at a time. */
  let open: Message | Reasoning | undefined
  let reasoningPart: 'summary' | 'content' | undefined
  const room = new CarriedRoom()
  /** Stood beside words that are still to come. */
  let ahead: Carried | undefined

  const begin = <Item extends Message | Reasoning>(item: Item): Item => {
    items.push(item)
    open = item
    reasoningPart = undefined
    if (ahead !== undefined) item.carried = ahead
    ahead = undefined
    return item
  }
  const carry = (item: Message | Reasoning | Call | undefined, piece: Carried): void => {
    const carried = room.join(item === undefined ? ahead : item.carried, piece)
    if (item === undefined) ahead = carried
    else if (carried === undefined) delete item.carried
    else item.carried = carried
  }
  const say = (type: 'text' | 'refusal', delta: string): void => {
    const { parts } = open?.type === 'message' ? open : begin<Message>({ type: 'message', role: 'assistant', parts: [] })
    const last = parts.at(-1)
    if (last?.type === type) last.text += delta
    else parts.push({ type, text: delta })
  }
  const openReasoning = (): Reasoning =>
    open?.type === 'reasoning' ? open : begin<Reasoning>({ type: 'reasoning', summary: [], content: [] })
  const reason = (part: 'summary' | 'content', delta: string): void => {
    const texts = openReasoning()[part]
    if (reasoningPart === part) texts[texts.length - 1] += delta
    else texts.push(delta)
    reasoningPart = part
  }
  const endReasoning = ({ encrypted, id }: Extract<TextEvent, { type: 'reasoning-end' }>): void => {
    // An end that tells nothing of reasoning that is over already must not split a message.
    if (open?.type !== 'reasoning' && encrypted === undefined && id === undefined) return
    const item = openReasoning()
    if (encrypted !== undefined) item.encrypted = encrypted
    if (id !== undefined) item.id = id
    open = undefined
  }
  const beginCall = ({ index, kind, callId, name }: Extract<TextEvent, { type: 'call' }>): void => {
    // An answer without a word before its calls: what stood beside it is reasoning that nobody can read.
    if (ahead !== undefined) begin<Reasoning>({ type: 'reasoning', summary: [], content: [] })
    const item: Call = { type: 'call', kind, callId, name, input: '' }
    items.push(item)
    calls.set(index, item)
    open = undefined
  }
  const growCall = (index: number, delta: string): void => {
    const item = calls.get(index)
    if (!item) throw new GatewayError('upstream_error', `The upstream sent input for call ${index}, which had not begun.`)
    item.input += delta
  }
  return {
    items: () => (ahead === undefined ? items : [...items, { type: 'reasoning', summary: [], content: [], carried: ahead }]),
    add: event => {
      switch (event.type) {
        case 'sampling':
          return
        case 'text':
        case 'refusal':
          return say(event.type, event.delta)
        case 'reasoning':
          return reason(event.part, event.delta)
        case 'reasoning-end':
          return endReasoning(event)
        case 'call':
          return beginCall(event)
        case 'call-input':
          return growCall(event.index, event.delta)
        case 'carried':
          return carry(event.call === undefined ? open : calls.get(event.call), event.carried)
      }
    },
  }
}
