/** Runs `text.respond` over the protocol that the target speaks: chat or Responses. */
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Done, Job, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextItem, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { TargetOf } from './text-target.ts'
import { openTextAnswer, type TextUpstreamCall } from './text-upstream.ts'
import { type BrokenCall, gated, type Repair } from './tool-gate.ts'
import { planTools, type ToolPlan } from './tool-plan.ts'

/** Returns the offer. Its runs yield the events of the upstream, then an outcome with the reason
 *  for the end and the token usage. The runs throw the upstream's refusals. */
export function respondOffer(upstream: Upstream, targetOf: TargetOf): StreamedOffer<TextRequest, TextEvent> {
  return streamed<TextRequest, TextEvent>(async function* (job) {
    const facts = targetOf(job.settings)
    const asking: TextUpstreamCall = { upstream, facts, model: job.model, requestId: job.id, signal: job.signal }
    const plan = planTools(job.request, facts.dialect)
    const answer = gated(openTextAnswer(asking, job.request, plan), plan, repairOver(asking, job, plan))
    try {
      for (;;) {
        const step = await answer.next()
        if (step.done) {
          yield { type: 'outcome', outcome: doneWith(step.value) }
          return
        }
        yield { type: 'event', event: step.value }
      }
    } finally {
      await answer.return(nothing)
    }
  })
}

const nothing: TextResult = { finish: 'stop', usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 } }

/** Returns a function that shows the model its faulty tool call and requests this call once
 *  more. */
function repairOver(asking: TextUpstreamCall, job: Job<TextRequest>, plan: ToolPlan): Repair {
  return async broken => {
    const request = { ...job.request, items: [...job.request.items, ...complaint(broken)] }
    const again: ToolPlan = { ...plan, choice: { mode: 'required', only: [broken.name] }, patterns: new Map(), onlyFirst: true }
    let input: string | undefined
    const answer = gated(openTextAnswer(asking, request, again), again, async () => ({ input: undefined, usage: nothing.usage }))
    try {
      for (;;) {
        const step = await answer.next()
        if (step.done) return { input, usage: step.value.usage }
        if (step.value.type === 'call-input') input = (input ?? '') + step.value.delta
      }
    } catch (error) {
      // A failed repair does not fail the run: the caller then gets the model's original input.
      if (error instanceof GatewayError && error.code !== 'cancelled') return { input: undefined, usage: nothing.usage }
      throw error
    }
  }
}

function complaint({ callId, name, input }: BrokenCall): TextItem[] {
  const output = `Not accepted: the text does not match the grammar of ${name}. Call ${name} again with a text that does.`
  return [
    { type: 'call', kind: 'custom', callId, name, input },
    { type: 'result', kind: 'custom', callId, output },
  ]
}

function doneWith({ usage, ...result }: TextResult): Done {
  return {
    state: 'done',
    files: [],
    report: { ...result, usage },
    usage: [
      { unit: 'input_tokens', units: usage.inputTokens },
      { unit: 'output_tokens', units: usage.outputTokens },
    ],
  }
}
