import type { TextEvent, TextUsage, ToolKind } from '@generation-gateway/kit/requests/text.ts'
import { tierNameOf } from '@generation-gateway/kit/requests/usage/service-tier.ts'
import type { ReplyFrame } from '../../contract/replies.ts'
import { brokenOff, callNotBegun, type RunEvent } from '../shared/answer-runs.ts'
import { type Answer, finishReason, logprobsOf, usageOf } from './answer.ts'
import { callWith, messageMembers, sealedDetail } from './carried.ts'
import type { CallDelta, ChatLogprobs, Chunk, Delta, FinishReason } from './reply-schema.ts'

/** The state of one choice while its chunks are sent. */
interface Run {
  hasBegun: boolean
  kinds: ToolKind[]
  /** Number of encrypted pieces of reasoning so far. */
  sealed: number
  usage?: TextUsage
}

/** Yields the frames of a streamed completion: for each choice its role, content and finish reason;
 *  then the token counts if requested, and at the end `[DONE]`. The service tier is known only when
 *  an answer ends, so chunks with content say `default`, and chunks with a finish reason or token
 *  counts say which tier served the answer. Yields nothing before the first event, so that an
 *  earlier error can still be answered with an HTTP status. Throws the errors of `events`, and
 *  `upstream_error` for a choice that does not end. */
export async function* chunksOf(answer: Answer, events: AsyncIterable<RunEvent>): AsyncGenerator<ReplyFrame> {
  const runs: Run[] = Array.from({ length: answer.count }, () => ({ hasBegun: false, kinds: [], sealed: 0 }))
  const head = {
    id: answer.id,
    object: 'chat.completion.chunk',
    created: answer.created,
    model: answer.model,
    service_tier: 'default',
  } satisfies Omit<Chunk, 'choices'>
  const tail = answer.includesUsage ? { usage: null } : {}
  const frame = (data: Chunk): ReplyFrame => ({ data })
  const chunk = (index: number, delta: Delta, logprobs: ChatLogprobs | null = null) =>
    frame({ ...head, choices: [{ index, delta, logprobs, finish_reason: null }], ...tail })
  const lastChunk = (index: number, finish: FinishReason, usage: TextUsage) =>
    frame({
      ...head,
      service_tier: tierNameOf([usage]),
      choices: [{ index, delta: {}, logprobs: null, finish_reason: finish }],
      ...tail,
    })
  for await (const { index, event } of events) {
    const run = runs[index]
    if (!run) continue
    if (!run.hasBegun) {
      run.hasBegun = true
      yield chunk(index, { role: 'assistant', content: '', refusal: null })
    }
    if (event.type === 'finish') {
      run.usage = event.result.usage
      yield lastChunk(index, finishReason(event.result.finish, answer), run.usage)
      continue
    }
    const delta = deltaOf(event, run, answer.isLegacy)
    if (delta) yield chunk(index, delta, event.type === 'text' ? logprobsOf(event.logprobs) : null)
  }
  const usages = runs.map(usageOfRun)
  if (answer.includesUsage) yield frame({ ...head, service_tier: tierNameOf(usages), choices: [], usage: usageOf(usages) })
  yield { data: '[DONE]' }
}

/** Returns the delta for an event; undefined for an event that this protocol cannot express. */
function deltaOf(event: TextEvent, run: Run, isLegacy: boolean): Delta | undefined {
  switch (event.type) {
    case 'sampling':
      return undefined
    case 'text':
      return { content: event.delta }
    case 'refusal':
      return { refusal: event.delta }
    case 'reasoning':
      return { reasoning_content: event.delta }
    case 'reasoning-end':
      return event.encrypted === undefined ? undefined : { reasoning_details: [sealedDetail(event.encrypted, event.id, run.sealed++)] }
    case 'carried':
      return carriedDelta(event, isLegacy)
    case 'call':
      run.kinds[event.index] = event.kind
      return isLegacy ? { function_call: { name: event.name, arguments: '' } } : { tool_calls: [beginningOf(event)] }
    case 'call-input':
      return isLegacy ? { function_call: { arguments: event.delta } } : { tool_calls: [continuationOf(event, run)] }
  }
}

function carriedDelta({ call, carried }: Extract<TextEvent, { type: 'carried' }>, isLegacy: boolean): Delta | undefined {
  if (call !== undefined) return isLegacy ? undefined : { tool_calls: [callWith<CallDelta>({ index: call }, carried)] }
  const members = messageMembers(carried)
  return Object.keys(members).length === 0 ? undefined : members
}

function beginningOf({ index, kind, callId, name }: Extract<TextEvent, { type: 'call' }>): CallDelta {
  const call = { index, id: callId, type: kind }
  return kind === 'custom' ? { ...call, custom: { name, input: '' } } : { ...call, function: { name, arguments: '' } }
}

function continuationOf({ index, delta }: Extract<TextEvent, { type: 'call-input' }>, run: Run): CallDelta {
  const kind = run.kinds[index]
  if (kind === undefined) throw callNotBegun(index)
  return kind === 'custom' ? { index, custom: { input: delta } } : { index, function: { arguments: delta } }
}

function usageOfRun({ usage }: Run): TextUsage {
  if (!usage) throw brokenOff()
  return usage
}
