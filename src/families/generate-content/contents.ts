/** Translates the contents of a body into neutral items. Calls, responses and thoughts become items
 *  of their own, not parts of messages. */
import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'
import { anySourceOf, type CarriedMembers, mostCarriedCharacters } from '@generation-gateway/kit/requests/carried.ts'
import type { TextItem, TextPart } from '@generation-gateway/kit/requests/text.ts'
import { type Path, refusal } from '../shared/refusal.ts'
import { limitSealed, sealedCalls } from '../shared/sealed-reasoning.ts'
import { OpenCalls } from './open-calls.ts'
import { fileOf, partsOf } from './parts.ts'
import type { Content, Part } from './schema.ts'
import { reasoningIn } from './signature.ts'

type Reasoning = Extract<TextItem, { type: 'reasoning' }>
type Message = Extract<TextItem, { type: 'message' }>

/** Returns the conversation. Throws `invalid_request`, which names the part that cannot be
 *  translated. */
export function itemsOf(contents: readonly Content[], path: Path): TextItem[] {
  const reader = new ContentReader(path)
  for (const [index, content] of contents.entries()) reader.read(content, [...path, index])
  return reader.items()
}

/** Returns the parts of a content that may have only text. Throws `invalid_request`, which names
 *  the first part that is not text. */
export function textsOf({ parts = [] }: Content, path: Path): TextPart[] {
  return parts.flatMap((part, index) => {
    const place = [...path, 'parts', index]
    const found = partsOf(part, place)
    if (found.some(each => each.type !== 'text')) throw refusal(place, 'is not a text.', 'unsupported')
    return found
  })
}

class ContentReader {
  /** Place of the contents in the body. */
  readonly #path: Path
  /** Number of signatures that this gateway made. */
  #sealed = 0
  readonly #items: TextItem[] = []
  readonly #callIds = new Set<string>()
  readonly #open = new OpenCalls()
  /** The next number that may be free for the id of a call (`call_<number>`). The search begins
   *  here or at the number of calls, whichever is larger. */
  #nextId = 0

  constructor(path: Path) {
    this.#path = path
  }

  read({ role = 'user', parts = [] }: Content, path: Path): void {
    if (role !== 'user' && role !== 'model' && role !== 'function')
      throw refusal([...path, 'role'], `is ${JSON.stringify(role.slice(0, 100))}; it must be user, model or function.`, 'unsupported')
    let message: Message | undefined
    for (const [index, part] of parts.entries()) {
      const place = [...path, 'parts', index]
      if (role === 'model') this.#answerPart(part, place)
      else if (part.functionResponse) {
        this.#items.push(this.#resultOf(part.functionResponse, [...place, 'functionResponse']))
        message = undefined
      } else {
        const found = partsOf(part, place)
        if (message) message.parts.push(...found)
        else if (found.length > 0) {
          message = { type: 'message', role: 'user', parts: found }
          this.#items.push(message)
        }
      }
    }
  }

  items(): TextItem[] {
    const carried = sealedCalls(this.#items.flatMap(item => (item.type === 'reasoning' ? [item] : [])))
    if (carried.size === 0) return this.#items
    return this.#items.map(item => {
      const members = item.type === 'call' ? carried.get(item.callId) : undefined
      return members === undefined ? item : { ...item, carried: members }
    })
  }

  #answerPart(part: Part, path: Path): void {
    const signature = this.#signatureOf(part, [...path, 'thoughtSignature'])
    if (part.thought === true) this.#think(part.text ?? '', signature)
    else if (part.functionCall) this.#items.push(this.#callOf(part.functionCall, signature))
    else this.#say(part, signature, path)
  }

  /** Returns the carried member for a signature that a target made. For a signature that this
   *  gateway made, adds the reasoning that it contains as an item and returns undefined. The
   *  signature contains the thoughts of the parts before it, too, so the new item replaces the item
   *  of these parts. */
  #signatureOf({ thoughtSignature }: Part, path: Path): CarriedMembers | undefined {
    if (!thoughtSignature) return undefined
    const { length } = thoughtSignature
    const opened = reasoningIn(thoughtSignature, says => refusal(path, says))
    if (opened) limitSealed(++this.#sealed, says => refusal(this.#path, says))
    if (opened) {
      const { texts, isSummary, ...rest } = opened
      if (texts.length > 0 && isOnlyThoughts(this.#items.at(-1))) this.#items.pop()
      this.#items.push({ type: 'reasoning', summary: isSummary ? texts : [], content: isSummary ? [] : texts, ...rest })
      return undefined
    }
    if (length > mostCarriedCharacters) throw refusal(path, `has ${length} characters; at most ${mostCarriedCharacters}.`)
    return { members: { thoughtSignature }, from: anySourceOf('generate-content') }
  }

  #think(text: string, carried: CarriedMembers | undefined): void {
    const last = this.#items.at(-1)
    if (isOnlyThoughts(last)) last.summary = [last.summary.join('') + text]
    else this.#items.push({ type: 'reasoning', summary: text === '' ? [] : [text], content: [] })
    if (carried) Object.assign(this.#items.at(-1) ?? {}, { carried })
  }

  /** Adds text to the model's message. Successive texts become one, because a client may send back
   *  a streamed answer in pieces. */
  #say(part: Part, carried: CarriedMembers | undefined, path: Path): void {
    const last = this.#items.at(-1)
    const parts = partsOf(part, path)
    const other = parts.find(each => each.type !== 'text')
    if (other) throw refusal(path, `is ${other.type}; this model takes text, thoughts and calls in a content of role model.`, 'unsupported')
    let message = last?.type === 'message' && last.role === 'assistant' ? last : undefined
    if (parts.length > 0 && !message) {
      message = { type: 'message', role: 'assistant', parts: [] }
      this.#items.push(message)
    }
    for (const each of parts) addText(message?.parts ?? [], each)
    if (!carried) return
    if (message) message.carried = carried
    else this.#items.push({ type: 'reasoning', summary: [], content: [], carried })
  }

  #callOf({ id, name, args }: NonNullable<Part['functionCall']>, carried: CarriedMembers | undefined): TextItem {
    const callId = id || this.#newId()
    this.#callIds.add(callId)
    this.#open.add(callId, name)
    return { type: 'call', kind: 'function', callId, name, input: JSON.stringify(args ?? {}), ...(carried ? { carried } : {}) }
  }

  #newId(): string {
    this.#nextId = Math.max(this.#nextId, this.#callIds.size)
    while (this.#callIds.has(`call_${this.#nextId}`)) this.#nextId++
    return `call_${this.#nextId}`
  }

  #resultOf({ id, name, response = {}, parts = [] }: NonNullable<Part['functionResponse']>, path: Path): TextItem {
    const isKnown = id !== undefined && this.#callIds.has(id)
    const callId = isKnown ? id : this.#open.takeByName(name)
    if (callId === undefined)
      throw refusal([...path, 'name'], `is ${JSON.stringify(name.slice(0, 100))}; no earlier content has an open call of this function.`)
    if (isKnown) this.#open.takeById(id)
    const { text, isError } = outcomeOf(response)
    const files = parts.flatMap(({ inlineData }, index) =>
      inlineData ? [fileOf(inlineData, {}, [...path, 'parts', index, 'inlineData'])] : [],
    )
    const output: string | TextPart[] = files.length === 0 ? text : [{ type: 'text', text }, ...files]
    return { type: 'result', kind: 'function', callId, output, ...(isError ? { isError } : {}) }
  }
}

/** Returns true for an item that has thoughts only, and no data of a signature. */
function isOnlyThoughts(item: TextItem | undefined): item is Reasoning {
  return (
    item?.type === 'reasoning' &&
    item.carried === undefined &&
    item.encrypted === undefined &&
    item.id === undefined &&
    item.content.length === 0
  )
}

function addText(parts: TextPart[], part: TextPart): void {
  const last = parts.at(-1)
  if (last?.type === 'text' && part.type === 'text') last.text += part.text
  else parts.push(part)
}

/** Returns a response as text. A text `output`, or an `error`, that is the only member stands
 *  for the whole response; any other response becomes JSON. */
function outcomeOf(response: JsonObject): { text: string; isError: boolean } {
  const [name, ...others] = Object.keys(response)
  const text = others.length === 0 && name !== undefined ? response[name] : undefined
  if (name === 'output' && typeof text === 'string') return { text, isError: false }
  if (name === 'error') return { text: typeof text === 'string' ? text : JSON.stringify(text ?? null), isError: true }
  return { text: JSON.stringify(isObject(response) ? response : {}), isError: false }
}
