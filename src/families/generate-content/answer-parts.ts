/** Converts the model's output to the parts of an answer. Data that the target requires back in
 *  the next turn goes into the signature of the next part, because clients keep the signature of
 *  a text or of a call even when they drop thoughts. */

import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type JsonObject, parsedJson, textOf } from '@generation-gateway/kit/json.ts'
import { CarriedBudget, type CarriedMembers } from '@generation-gateway/kit/requests/carried.ts'
import type { TextEvent } from '@generation-gateway/kit/requests/text.ts'
import { callIsOver, callNotBegun } from '../shared/answer-runs.ts'
import type { SealedReasoning } from '../shared/sealed-reasoning.ts'
import type { AnswerPart } from './reply-schema.ts'
import { signatureOf } from './signature.ts'

type CallEvent = Extract<TextEvent, { type: 'call' }>

interface Call {
  event: CallEvent
  input: string
  /** Signature that a target of this protocol sent for the call. */
  signature?: string
  carried?: CarriedMembers | undefined
}

export class AnswerParts {
  readonly #showsThoughts: boolean
  /** Reasoning that has not ended; undefined outside of reasoning. */
  #thinking: { text: string; isSummary: boolean } | undefined
  /** Reasoning that has ended, and carried members, which no signature contains yet. */
  #ended: SealedReasoning | undefined
  #carried: CarriedMembers | undefined
  /** Signature that a target of this protocol sent, and that no part has yet. */
  #signature: string | undefined
  readonly #calls = new Map<number, Call>()
  /** Calls that have not become parts. A call becomes one part, so its input must be complete. */
  #waiting: Call[] = []
  readonly #room = new CarriedBudget()
  /** True once the model has refused to answer. */
  hasRefused = false
  /** Name of a called function whose input is not a JSON object. */
  brokenCall: string | undefined

  constructor(showsThoughts: boolean) {
    this.#showsThoughts = showsThoughts
  }

  /** Returns the parts that one event of the model completes. Throws `upstream_error` for input of
   *  a call that has not begun, or that has become a part. */
  take(event: TextEvent): AnswerPart[] {
    switch (event.type) {
      case 'sampling':
        return []
      case 'text':
      case 'refusal':
        this.hasRefused ||= event.type === 'refusal'
        return event.delta === '' ? [] : [...this.#endThinking({}), ...this.#endCalls(), this.#signed({ text: event.delta })]
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
        this.#growCall(this.#callAt(event.index), event.delta)
        return []
    }
  }

  /** Returns the parts that are left when the answer has ended. */
  end(): AnswerPart[] {
    const parts = [...this.#endThinking({}), ...this.#endCalls(true)]
    const rest = this.#signed({ text: '' })
    return rest.thoughtSignature === undefined ? parts : [...parts, rest]
  }

  #think({ part, delta }: Extract<TextEvent, { type: 'reasoning' }>): AnswerPart[] {
    const parts = this.#endCalls()
    this.#thinking ??= { text: '', isSummary: true }
    this.#thinking.isSummary &&= part === 'summary'
    this.#thinking.text += delta
    return this.#showsThoughts && delta !== '' ? [...parts, { text: delta, thought: true }] : parts
  }

  #endThinking({ encrypted, id }: { encrypted?: string; id?: string }): AnswerPart[] {
    const thinking = this.#thinking
    this.#thinking = undefined
    if (thinking === undefined && encrypted === undefined) return []
    const earlier = this.#ended
    // A signature can contain the encrypted data of only one piece of reasoning, so the earlier
    // piece is put into a part of its own.
    const parts = earlier?.encrypted === undefined ? [] : [this.#signed({ text: '' })]
    const texts = [...(this.#ended?.texts ?? []), ...(thinking ? [thinking.text] : [])]
    this.#ended = { texts, ...(thinking?.isSummary ? { isSummary: true } : {}), ...defined({ encrypted, id }) }
    return parts
  }

  #carry({ call, carried }: Extract<TextEvent, { type: 'carried' }>): void {
    const signature = carried.from?.protocol === 'generate-content' ? textOf(carried.members.thoughtSignature) : undefined
    const owner = call === undefined ? undefined : this.#callAt(call)
    if (signature !== undefined) {
      if (owner) owner.signature = signature
      else this.#signature = signature
    } else if (owner) owner.carried = this.#room.join(owner.carried, carried)
    else this.#carried = this.#room.join(this.#carried, carried)
  }

  #beginCall(event: CallEvent): AnswerPart[] {
    const parts = this.#endThinking({})
    const call: Call = { event, input: '' }
    this.#calls.set(event.index, call)
    this.#waiting.push(call)
    return parts
  }

  #growCall(call: Call, delta: string): void {
    if (delta.trim() !== '' && !this.#waiting.includes(call)) throw callIsOver()
    call.input += delta
  }

  #callAt(index: number): Call {
    const call = this.#calls.get(index)
    if (!call) throw callNotBegun(index)
    return call
  }

  /** Returns the waiting calls as parts. Returns nothing as long as the input of one of them is
   *  incomplete. At the end of the answer, calls whose input is not a JSON object are left out. */
  #endCalls(isEnd = false): AnswerPart[] {
    const calls = this.#waiting
    const inputs = calls.map(argsOf)
    if (!isEnd && inputs.includes(undefined)) return []
    this.#waiting = []
    const carried = calls.flatMap(({ event, carried: members }) => (members ? [[event.callId, members] as const] : []))
    if (carried.length > 0) this.#carried = { members: {}, ...this.#carried, calls: Object.fromEntries(carried) }
    return calls.flatMap(({ event: { callId: id, name }, signature }, index) => {
      const args = inputs[index]
      if (args === undefined) this.brokenCall ??= name
      this.#signature = signature ?? this.#signature
      return args === undefined ? [] : [this.#signed({ functionCall: { id, name, args } })]
    })
  }

  /** Returns the part with a signature. This is the signature that the target sent. Without one, it
   *  is a signature of the gateway with all data that no earlier signature contains; when there is
   *  no such data, the part stays unchanged. */
  #signed(part: AnswerPart): AnswerPart {
    const carried = this.#carried
    const reasoning = this.#ended ?? (carried ? { texts: [] } : undefined)
    const signature = this.#signature ?? (reasoning && signatureOf({ ...reasoning, ...defined({ carried }) }))
    this.#signature = undefined
    this.#ended = undefined
    this.#carried = undefined
    return signature === undefined ? part : { ...part, thoughtSignature: signature }
  }
}

/** Returns the arguments of a call, `{}` for an empty input; undefined when they are incomplete
 *  or not a JSON object. */
function argsOf({ event, input }: Call): JsonObject | undefined {
  if (event.kind === 'custom') return { input }
  const value = parsedJson(input.trim() === '' ? '{}' : input)
  return isObject(value) ? value : undefined
}
