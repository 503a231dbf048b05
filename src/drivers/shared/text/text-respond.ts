/** Runs `text.respond`, either over a protocol that the target speaks or with a model that a driver
 *  calls in its own way. */
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { expectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import type { Done, Job, OfferFacts, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import {
  noUsage,
  type TextEvent,
  type TextItem,
  type TextRequest,
  type TextResult,
  type TextUsage,
  unitsOfUsage,
} from '@generation-gateway/kit/requests/text.ts'
import { tokensIn } from '@generation-gateway/kit/requests/token-estimate.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Dialect, TargetOf } from './text-target.ts'
import { openTextAnswer, type TextUpstreamCall } from './text-upstream.ts'
import { type BrokenCall, gated, type Repair } from './tool-gate.ts'
import { refuseBadPatterns } from './tool-patterns.ts'
import { planTools, type ToolPlan } from './tool-plan.ts'

/** Calls the model once. `plan` says which of the request's tools are declared and in which form.
 *  The model may ignore the plan, so the events may violate it. */
type AskModel = (request: TextRequest, plan: ToolPlan) => AsyncGenerator<TextEvent, TextResult>

/** Returns the offer with which a driver serves `text.respond`. Its runs yield the events of the
 *  upstream, then an outcome with the reason for the end and the token usage. The runs throw the
 *  upstream's refusals. */
export function respondOffer(upstream: Upstream, targetOf: TargetOf): StreamedOffer<TextRequest, TextEvent> {
  return respondWith(
    job => {
      const facts = targetOf(job.settings)
      const asking: TextUpstreamCall = { upstream, facts, model: job.model, requestId: job.id, signal: job.signal, warn: job.warn }
      return { dialect: facts.dialect, ask: (request, plan) => openTextAnswer(asking, request, plan) }
    },
    { follows: ['extras'] },
  )
}

/** Returns an offer that enforces the tool plan of the request, even when the model ignores it.
 *  `modelOf` returns the model of a job and the dialect for which the tools are planned. The
 *  gateway itself checks the input of some custom tools by a regular expression. A run throws
 *  `invalid_request`, before it calls the model, when such an expression is too long or not
 *  valid. */
export function respondWith(
  modelOf: (job: Job<TextRequest>) => { dialect: Dialect; ask: AskModel },
  facts: OfferFacts<TextRequest> = {},
): StreamedOffer<TextRequest, TextEvent> {
  const run: StreamedOffer<TextRequest, TextEvent>['run'] = async function* (job) {
    const { dialect, ask } = modelOf(job)
    const plan = planTools(job.request, dialect)
    await refuseBadPatterns(plan.patterns)
    const answer = gated(ask(job.request, plan), plan, repairOver(ask, job, plan))
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
  }
  return streamed(run, facts)
}

const nothing: TextResult = { finish: 'stop', usage: noUsage }

/** Returns a function that shows the model its faulty tool call and requests this call once more.
 *  A repair that fails does not fail the run. */
function repairOver(ask: AskModel, job: Job<TextRequest>, plan: ToolPlan): Repair {
  return async broken => {
    const added = complaint(broken)
    const request = { ...job.request, items: [...job.request.items, ...added] }
    const again: ToolPlan = { ...plan, choice: { mode: 'required', only: [broken.name] }, patterns: new Map(), onlyFirst: true }
    const counted = await job.again?.(tokensIn(JSON.stringify(added)))
    const made: MadeRepair = { input: undefined, said: undefined, usage: undefined }
    try {
      const answer = gated(noting(ask(request, again), made), again)
      for await (const event of answer) {
        counted?.begun()
        if (event.type === 'call-input') made.input = (made.input ?? '') + event.delta
      }
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code === 'cancelled') throw error
      made.input = undefined
    } finally {
      counted?.begun()
    }
    const usage = made.usage ?? estimated(request, made.said)
    counted?.ended(usage)
    return { input: made.input, usage: usage ?? noUsage }
  }
}

/** The new input from a repair and its cost, as far as they are known. */
interface MadeRepair {
  input: string | undefined
  /** Estimated output tokens so far; undefined before the model has begun to answer. */
  said: number | undefined
  /** The usage that the target reports at the end. */
  usage: TextUsage | undefined
}

/** Yields the events of the model, and notes what they cost. */
async function* noting(source: ReturnType<AskModel>, made: MadeRepair): ReturnType<AskModel> {
  try {
    for (;;) {
      const step = await source.next()
      if (step.done) {
        made.usage = step.value.usage
        return step.value
      }
      made.said = (made.said ?? 0) + ('delta' in step.value ? tokensIn(step.value.delta) : 0)
      yield step.value
    }
  } finally {
    await source.return(nothing)
  }
}

/** Returns the estimated usage of a request that ended early, after this number of output tokens.
 *  Returns undefined when the target sent nothing, because such a request costs nothing. */
function estimated(request: TextRequest, outputTokens: number | undefined): TextUsage | undefined {
  if (outputTokens === undefined) return undefined
  return { ...noUsage, inputTokens: expectedTokens('neutral', request).inputTokens, outputTokens }
}

function complaint({ callId, name, input }: BrokenCall): TextItem[] {
  const output = `Not accepted: the text does not match the grammar of ${name}. Call ${name} again with a text that does.`
  return [
    { type: 'call', kind: 'custom', callId, name, input },
    { type: 'result', kind: 'custom', callId, output },
  ]
}

const alwaysReported: ReadonlySet<string> = new Set(['input_tokens', 'output_tokens'])

function doneWith({ usage, ...result }: TextResult): Done {
  return {
    state: 'done',
    files: [],
    report: { ...result, usage },
    usage: unitsOfUsage(usage).filter(({ unit, units }) => units > 0 || alwaysReported.has(unit)),
  }
}
