/** Corrects answers of other servers that would make clients of OpenAI's interface fail: missing
 *  indexes, ids and roles, repeated ids, and finish reasons that contradict the tool calls
 *  before them (docs/decisions/0037). */
import { randomUUID } from 'node:crypto'
import { isObject, type Json, type JsonObject, listOf, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { AnswerNormalizer } from '../../contract/relay.ts'
import { JsonProgress } from './json-progress.ts'

const finishes = new Set(['stop', 'length', 'tool_calls', 'content_filter', 'function_call'])
const cuts = new Set(['max_tokens', 'max_output_tokens', 'model_length'])
const counts = ['prompt_tokens', 'completion_tokens']

/** One tool call of a choice. */
interface Call {
  index: number
  /** Id of the call as the upstream sent it; undefined when it sent none. */
  id: string | undefined
  name: string
  /** True once a part of the call's arguments has arrived. `json` detects whether the arguments
   *  are complete. */
  hasInput: boolean
  json: JsonProgress
}

/** The state of one choice of a stream. */
interface Run {
  hasBegun: boolean
  calls: Call[]
  /** For each index that the upstream uses, the call to which further pieces with this index
   *  belong. */
  open: Map<number, Call>
  /** Largest index that the upstream has used; -1 before the first. */
  last: number
  /** The upstream's index of the first call with an id (key: the id), and of the first call with an
   *  id and a name (key: `placeKey` of both). */
  places: Map<string, number>
  ids: Set<string>
}

/** Corrects one answer; each answer needs an instance of its own. The methods change the objects
 *  in place, and return true when they have changed something. */
export class NormalChat implements AnswerNormalizer {
  readonly #model: string
  readonly #runs = new Map<number, Run>()
  #id: string | undefined
  #created: number | undefined
  #isChanged = false

  /** `model` is the name that an answer without a model name gets. */
  constructor(model: string) {
    this.#model = model
  }

  /** Corrects a chunk of a stream. Must be called for the chunks in order. */
  event(chunk: JsonObject): boolean {
    return this.#put(chunk, 'chat.completion.chunk', (choice, position) => this.#chunkChoice(choice, position))
  }

  /** Corrects a whole completion. */
  answer(completion: JsonObject): boolean {
    return this.#put(completion, 'chat.completion', (choice, position) => this.#wholeChoice(choice, position))
  }

  #put(answer: JsonObject, object: string, choiceOf: (choice: JsonObject, position: number) => void): boolean {
    // Only answers are corrected. An error body, or an object of any other kind, stays unchanged.
    if (answer.error != null || !(Array.isArray(answer.choices) || isObject(answer.usage))) return false
    this.#isChanged = false
    if (answer.object !== object) this.#set(answer, 'object', object)
    this.#head(answer)
    if (!Array.isArray(answer.choices)) this.#set(answer, 'choices', [])
    for (const [position, choice] of listOf(answer.choices).entries()) if (isObject(choice)) choiceOf(choice, position)
    if (isObject(answer.usage)) this.#usage(answer.usage)
    return this.#isChanged
  }

  #set(holder: JsonObject, name: string, value: Json): void {
    holder[name] = value
    this.#isChanged = true
  }

  #drop(holder: JsonObject, name: string): void {
    delete holder[name]
    this.#isChanged = true
  }

  #head(answer: JsonObject): void {
    // A chunk without an id or a creation time gets those of the first chunk.
    this.#id ??= textOf(answer.id) ?? `chatcmpl-${randomUUID().replaceAll('-', '')}`
    this.#created ??= typeof answer.created === 'number' ? answer.created : Math.floor(Date.now() / 1000)
    if (textOf(answer.id) === undefined) this.#set(answer, 'id', this.#id)
    if (typeof answer.created !== 'number') this.#set(answer, 'created', this.#created)
    if (typeof answer.model !== 'string' || answer.model === '') this.#set(answer, 'model', this.#model)
  }

  #usage(usage: JsonObject): void {
    for (const name of counts) if (typeof usage[name] !== 'number') this.#set(usage, name, 0)
    if (typeof usage.total_tokens === 'number') return
    this.#set(
      usage,
      'total_tokens',
      counts.reduce((sum, name) => sum + Number(usage[name]), 0),
    )
  }

  #chunkChoice(choice: JsonObject, position: number): void {
    const run = this.#run(this.#index(choice, position))
    if (!isObject(choice.delta)) {
      this.#set(choice, 'delta', isObject(choice.message) ? choice.message : {})
      delete choice.message
    }
    const delta = Object(choice.delta) as JsonObject
    if (!run.hasBegun && delta.role !== 'assistant') this.#set(delta, 'role', 'assistant')
    if (run.hasBegun && (delta.role === null || delta.role === '')) this.#drop(delta, 'role')
    run.hasBegun = true
    if (delta.content === null) this.#drop(delta, 'content')
    this.#withoutNoCalls(delta)
    for (const [at, piece] of listOf(delta.tool_calls).entries()) if (isObject(piece)) this.#piece(piece, at, run)
    if (choice.finish_reason === undefined) this.#set(choice, 'finish_reason', null)
    this.#finish(choice, run.calls.length > 0)
  }

  #wholeChoice(choice: JsonObject, position: number): void {
    const run = this.#run(this.#index(choice, position))
    if (!isObject(choice.message)) {
      this.#set(choice, 'message', isObject(choice.delta) ? choice.delta : {})
      delete choice.delta
    }
    const message = Object(choice.message) as JsonObject
    if (message.role !== 'assistant') this.#set(message, 'role', 'assistant')
    this.#withoutNoCalls(message)
    for (const [at, call] of listOf(message.tool_calls).entries()) if (isObject(call)) this.#wholeCall(call, at, run)
    const isSilent = run.calls.length > 0 || isObject(message.function_call) || typeof message.refusal === 'string'
    if (message.content === undefined || (message.content === null && !isSilent)) this.#set(message, 'content', isSilent ? null : '')
    if (choice.finish_reason === undefined || choice.finish_reason === null) this.#set(choice, 'finish_reason', 'stop')
    this.#finish(choice, run.calls.length > 0)
  }

  #index(choice: JsonObject, position: number): number {
    if (typeof choice.index !== 'number') this.#set(choice, 'index', position)
    return Number(choice.index)
  }

  #run(index: number): Run {
    let run = this.#runs.get(index)
    if (run === undefined) {
      run = { hasBegun: false, calls: [], open: new Map(), last: -1, places: new Map(), ids: new Set() }
      this.#runs.set(index, run)
    }
    return run
  }

  #withoutNoCalls(message: JsonObject): void {
    const { tool_calls: calls } = message
    if (calls === null || (Array.isArray(calls) && calls.length === 0)) this.#drop(message, 'tool_calls')
  }

  /** Corrects a piece of a tool call. The first piece of a call has the id and name of the call;
   *  later pieces only add input. */
  #piece(piece: JsonObject, position: number, run: Run): void {
    const named = isObject(piece.function) ? piece.function : isObject(piece.custom) ? piece.custom : undefined
    const id = textOf(piece.id)
    const name = textOf(named?.name)
    const place = typeof piece.index === 'number' ? piece.index : placeOf(run, { id, name, position })
    const open = run.open.get(place)
    const input = textOf(objectOf(piece.function).arguments) ?? ''
    if (open === undefined || isNext(open, { id, name, input })) {
      this.#begin(piece, { place, id, name: name ?? '', run })
    } else {
      if (piece.index !== open.index) this.#set(piece, 'index', open.index)
      // Clients concatenate the texts of all pieces. An id or type that is repeated in later pieces
      // is removed, because the client would otherwise see `call_1call_1`.
      for (const member of ['id', 'type']) if (piece[member] !== undefined) this.#drop(piece, member)
      if (named?.name !== undefined && (name === undefined || name === open.name)) this.#drop(named, 'name')
    }
    const call = run.open.get(place)
    if (call && input !== '') {
      call.hasInput = true
      call.json.add(input)
    }
    if (isObject(piece.function)) this.#arguments(piece.function, open === undefined)
  }

  #begin(piece: JsonObject, { place, id, name, run }: { place: number; id: string | undefined; name: string; run: Run }): void {
    const call: Call = { index: run.calls.length, id, name, hasInput: false, json: new JsonProgress() }
    run.calls.push(call)
    run.open.set(place, call)
    run.last = Math.max(run.last, place)
    if (id !== undefined) for (const key of [id, placeKey(id, name)]) if (!run.places.has(key)) run.places.set(key, place)
    if (piece.index !== call.index) this.#set(piece, 'index', call.index)
    this.#identify(piece, id, run)
  }

  #wholeCall(call: JsonObject, position: number, run: Run): void {
    run.calls.push({ index: position, id: textOf(call.id), name: '', hasInput: false, json: new JsonProgress() })
    this.#identify(call, textOf(call.id), run)
    if (isObject(call.function)) this.#arguments(call.function, true)
  }

  /** Sets the id and the type of a call. When another call of the choice already has the id, the
   *  call gets a new one. */
  #identify(call: JsonObject, id: string | undefined, { ids }: Run): void {
    const own = id === undefined || ids.has(id) ? `call_${randomUUID().replaceAll('-', '')}` : id
    ids.add(own)
    if (call.id !== own) this.#set(call, 'id', own)
    if (typeof call.type !== 'string' || call.type === '') this.#set(call, 'type', isObject(call.custom) ? 'custom' : 'function')
  }

  #arguments(called: JsonObject, isFirst: boolean): void {
    const { arguments: given } = called
    if (isObject(given) || Array.isArray(given)) this.#set(called, 'arguments', JSON.stringify(given))
    else if (given === null || (given === undefined && isFirst)) this.#set(called, 'arguments', '')
  }

  #finish(choice: JsonObject, hasCalls: boolean): void {
    const { finish_reason: given } = choice
    if (given === null) return
    const word = typeof given === 'string' ? given.toLowerCase() : 'stop'
    if (word === '') {
      this.#set(choice, 'finish_reason', null)
      return
    }
    const known = finishes.has(word) ? word : cuts.has(word) ? 'length' : word === 'tool_use' && hasCalls ? 'tool_calls' : 'stop'
    const finish = known === 'stop' && hasCalls ? 'tool_calls' : known
    if (finish !== given) this.#set(choice, 'finish_reason', finish)
  }
}

/** Returns the index for a piece that has none. A piece with neither id nor name only adds
 *  input: it gets its `position` in its list when a call has this index, else the index of the
 *  last call. Any other piece gets the index of the call with the same id (and the same name, if
 *  the piece has one), else a new one. */
function placeOf(run: Run, { id, name, position }: { id: string | undefined; name: string | undefined; position: number }): number {
  const fresh = run.last + 1
  if (id === undefined && name === undefined) return position > 0 && run.open.has(position) ? position : Math.max(0, fresh - 1)
  // The pieces in one list belong to different calls, so the second and later ones get a new index.
  // A piece with a name but without an id begins a new call as well.
  if (position > 0 || id === undefined) return fresh
  const known = run.places.get(name === undefined ? id : placeKey(id, name))
  // The index is used only if the call that is open at this index now has the same id.
  return known !== undefined && run.open.get(known)?.id === id ? known : fresh
}

function placeKey(id: string, name: string): string {
  return `${id}\n${name}`
}

/** Returns true when a piece begins a new call although its index is that of an open call. This
 *  is necessary because some servers give all calls the index 0, and some also give all of them
 *  the same id. */
function isNext(open: Call, { id, name, input }: { id: string | undefined; name: string | undefined; input: string }): boolean {
  if (name === undefined) return false
  if (id !== undefined && open.id !== undefined && id !== open.id) return true
  return open.hasInput && (name !== open.name || (input !== '' && open.json.isWhole))
}
