import { expectedUnits, type RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { ExpectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import { noUsage } from '@generation-gateway/kit/requests/text.ts'
import type { InferEvent, InferredCapability } from '../../contract/needs/infer.ts'
import type { Run } from '../call/call-counts.ts'
import { inCallersWords, warningsFor } from '../call/callers-words.ts'
import { holdCall } from '../call/quotas.ts'
import { withHops } from '../call/submission.ts'
import type { CallScope, Provision } from './provision.ts'

export const infer: Provision<'infer'> = ({ deps, family, call }) =>
  async function* infer(capability, request) {
    try {
      yield* inference({ deps, family, call }, capability, request)
    } catch (error) {
      throw inCallersWords(family, error)
    }
  }

async function* inference<C extends InferredCapability>(
  { deps, family, call }: CallScope,
  capability: C,
  request: RequestOf<C>,
): AsyncGenerator<InferEvent<C>> {
  if (!call.model) throw new TypeError('this operation does not choose a model')
  const usable = call.routes ?? deps.router.callRoutes(call.model, capability)
  const routes = deps.router.accepting(usable, capability, { request, inputs: [] })
  const expected = expectedOf(expectedUnits(capability, request, []))
  const run: Run = { inputTokens: expected.inputTokens, said: 0, isSent: false, others: expected.others ?? [] }
  call.runs.push(run)
  call.expect(() => expected)
  await holdCall(deps, call)
  const events = deps.calls.run({
    capability,
    id: call.requestId,
    account: call.key.accountId,
    key: call.key.id,
    request: withHops(call, request),
    routes,
    signal: call.signal(),
    onSent: isAtWork => (run.isSent = isAtWork),
    onWarning: warningsFor(family, call),
  })
  for await (const event of events) {
    if ('route' in event) {
      call.target = event.route.target.id
      run.usage = { ...noUsage, ...event.result.usage }
    }
    yield event
  }
}

function expectedOf(units: readonly UsageUnits[]): ExpectedTokens {
  const inputTokens = units.find(({ unit }) => unit === 'input_tokens')?.units ?? 0
  return { inputTokens, outputTokens: 0, others: units.filter(({ unit }) => unit !== 'input_tokens') }
}
