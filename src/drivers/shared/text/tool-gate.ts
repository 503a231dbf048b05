/** Enforces the tool plan on the tool calls of a model. Drops calls of tools that are not allowed
 *  and calls beyond the allowed number. Unwraps the input of custom tools to raw text, and checks
 *  it against their grammars. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { noUsage, sumOfUsage, type TextEvent, type TextResult, type TextUsage } from '@generation-gateway/kit/requests/text.ts'
import { isBroken } from './tool-patterns.ts'
import type { ToolPlan } from './tool-plan.ts'
import { WrappedInput } from './wrapped-input.ts'

/** A tool call whose input did not match the grammar of its tool. */
export interface BrokenCall {
  callId: string
  name: string
  input: string
}

/** Requests the input of a tool call from the model once more. Resolves with the usage of that
 *  request and with the new input; the input is undefined when the model gave no usable one. */
export type Repair = (call: BrokenCall) => Promise<{ input: string | undefined; usage: TextUsage }>

type CallEvent = Extract<TextEvent, { type: 'call' }>

interface OpenCall {
  /** Index of the tool call in the answer to the caller; undefined for a dropped call. */
  index: number | undefined
  event: CallEvent
  wrapped: WrappedInput | undefined
  /** Input that is held back until the whole of it can be checked; undefined when the plan has
   *  no regular expression for the tool. */
  held: string | undefined
  isOver: boolean
}

/** Yields the events of one answer that the caller may see. Throws `upstream_error` when the answer
 *  contained nothing but tool calls that are not allowed. */
export async function* gated(
  source: AsyncGenerator<TextEvent, TextResult>,
  plan: ToolPlan,
  repair?: Repair,
): AsyncGenerator<TextEvent, TextResult> {
  const gate = new ToolGate(plan, repair)
  try {
    for (;;) {
      const step = await source.next()
      // Any event other than more input ends the tool call that is being written.
      if (gate.isWriting && (step.done || !isMoreOfCall(step.value))) yield* gate.settle()
      if (step.done) return gate.result(step.value)
      for (const event of gate.take(step.value)) yield event
    }
  } finally {
    // When the caller stops reading early, this ends the upstream's answer. After a complete answer
    // it has no effect.
    await source.return({ finish: 'stop', usage: noUsage })
  }
}

/** Returns true for an event that continues a tool call: a piece of its input, or members of the
 *  call that the protocol does not define (`carried`). */
function isMoreOfCall(event: TextEvent): boolean {
  return event.type === 'call-input' || event.type === 'carried'
}

class ToolGate {
  readonly #plan: ToolPlan
  readonly #calls = new Map<number, OpenCall>()
  #current: OpenCall | undefined
  #passed = 0
  #dropped = 0
  #hasSpoken = false
  #repair: Repair | undefined
  #usageOfRepair: TextUsage = noUsage

  constructor(plan: ToolPlan, repair: Repair | undefined) {
    this.#plan = plan
    this.#repair = repair
  }

  /** True when a wrapped tool call is being received; the rest of its text is emitted at its
   *  end. */
  get isWriting(): boolean {
    return this.#current?.wrapped !== undefined
  }

  take(event: TextEvent): TextEvent[] {
    if (event.type === 'call-input') return this.#input(event.index, event.delta)
    if (event.type === 'call') return this.#begin(event)
    if (event.type === 'carried' && event.call !== undefined) return this.#beside(event, event.call)
    if (event.type === 'text' || event.type === 'refusal') this.#hasSpoken ||= event.delta !== ''
    return [event]
  }

  /** Ends the tool call that is being written, and yields its remaining input. */
  async *settle(): AsyncGenerator<TextEvent, void, undefined> {
    const call = this.#current
    this.#current = undefined
    if (call?.wrapped === undefined || call.index === undefined) return
    call.isOver = true
    const rest = call.wrapped.end()
    const delta = call.held === undefined ? rest : await this.#checked(call, call.held + rest)
    if (delta !== '') yield { type: 'call-input', index: call.index, delta }
  }

  result({ finish, usage, ...rest }: TextResult): TextResult {
    if (this.#dropped > 0 && this.#passed === 0 && !this.#hasSpoken)
      throw new GatewayError('upstream_error', 'The upstream only called tools that were not allowed.')
    const isCallOrStop = finish === 'tool_calls' || finish === 'stop'
    return {
      ...rest,
      finish: isCallOrStop ? (this.#passed > 0 ? 'tool_calls' : 'stop') : finish,
      usage: sumOfUsage(usage, this.#usageOfRepair),
    }
  }

  #begin(event: CallEvent): TextEvent[] {
    const { allowed, onlyFirst, wrapped, patterns } = this.#plan
    const isDropped = (allowed !== undefined && !allowed.has(event.name)) || (onlyFirst && this.#passed > 0)
    const isWrapped = event.kind === 'function' && wrapped.has(event.name)
    const call: OpenCall = {
      index: isDropped ? undefined : this.#passed,
      event,
      wrapped: isWrapped ? new WrappedInput() : undefined,
      held: isWrapped && patterns.has(event.name) ? '' : undefined,
      isOver: false,
    }
    this.#calls.set(event.index, call)
    this.#current = call
    if (call.index === undefined) {
      this.#dropped++
      return []
    }
    this.#passed++
    return [{ ...event, index: call.index, kind: isWrapped ? 'custom' : event.kind }]
  }

  #beside(event: Extract<TextEvent, { type: 'carried' }>, place: number): TextEvent[] {
    const index = this.#calls.get(place)?.index
    return index === undefined ? [] : [{ ...event, call: index }]
  }

  #input(place: number, delta: string): TextEvent[] {
    const call = this.#calls.get(place)
    if (call?.index === undefined) return []
    if (call.isOver) throw new GatewayError('upstream_error', 'The upstream mixed up the inputs of its calls.')
    const text = call.wrapped === undefined ? delta : call.wrapped.push(delta)
    if (call.held !== undefined) call.held += text
    else if (text !== '') return [{ type: 'call-input', index: call.index, delta: text }]
    return []
  }

  /** Returns the input when it matches its grammar. Otherwise requests a better input from the
   *  model once. Returns the original input when the new one does not match either. An input that
   *  cannot be checked within the limits is returned unchanged. At most one input per answer is
   *  requested again: each repair sends the whole conversation, and a caller could write a grammar
   *  that no input matches. */
  async #checked({ event: { callId, name } }: OpenCall, input: string): Promise<string> {
    const pattern = this.#plan.patterns.get(name)
    const repair = this.#repair
    if (pattern === undefined || repair === undefined || !(await isBroken(pattern, input))) return input
    this.#repair = undefined
    const repaired = await repair({ callId, name, input })
    this.#usageOfRepair = repaired.usage
    return repaired.input !== undefined && !(await isBroken(pattern, repaired.input)) ? repaired.input : input
  }
}
