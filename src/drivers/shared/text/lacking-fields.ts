/** Fields of the neutral request that a protocol lacks, and what is done about each. */
import { TargetRefusal } from '@generation-gateway/kit/errors.ts'
import { about, type FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { UpstreamModel } from './text-common-request.ts'

/** `warned`: the field is left out, and the caller gets a warning. `refused`: without the field,
 *  the answer would not be what the caller expects, so another target has to serve the request. */
type Lack = 'warned' | 'refused'

const lacks: Record<TextProtocol, Partial<Record<FieldName & keyof TextRequest, Lack>>> = {
  chat: { topK: 'warned' },
  responses: {
    stop: 'refused',
    logitBias: 'refused',
    seed: 'warned',
    frequencyPenalty: 'warned',
    presencePenalty: 'warned',
    topK: 'warned',
  },
  messages: { topLogprobs: 'refused', logitBias: 'refused', seed: 'warned', frequencyPenalty: 'warned', presencePenalty: 'warned' },
  'generate-content': { logitBias: 'refused', user: 'warned' },
}

/** Returns the fields of the request that the protocol lacks. */
function lackingFields(request: TextRequest, protocol: TextProtocol): { field: FieldName; lack: Lack }[] {
  return Object.entries(lacks[protocol]).flatMap(([name, lack]) => {
    // The cast is safe: the table has only names of fields.
    const field = name as FieldName & keyof TextRequest
    return says(request[field], field) ? [{ field, lack }] : []
  })
}

/** Returns false for a value that has the same effect as an absent field. */
function says(value: unknown, field: FieldName): boolean {
  if (value === undefined || (value === 0 && (field === 'frequencyPenalty' || field === 'presencePenalty'))) return false
  return typeof value !== 'object' || Object.keys(Object(value)).length > 0
}

/** Returns the protocol of the target that lacks the fewest fields of the request. Fields of the
 *  kind `refused` are compared first, then those of the kind `warned`. Among equal protocols, the
 *  caller's own is preferred, then the first. */
export function protocolFor(request: TextRequest, protocols: readonly TextProtocol[]): TextProtocol {
  const wanted = request.extras.protocol
  const spoken = [...protocols.filter(each => each === wanted), ...protocols.filter(each => each !== wanted)]
  const loss = (protocol: TextProtocol) =>
    lackingFields(request, protocol).reduce((sum, { lack }) => sum + (lack === 'refused' ? 1_000 : 1), 0)
  const [first = 'chat', ...others] = spoken
  return others.reduce((best, each) => (loss(each) < loss(best) ? each : best), first)
}

/** Reports the fields that the protocol of the target lacks. Throws a `TargetRefusal` for the
 *  first field of the kind `refused`. */
export function reportLacking(request: TextRequest, to: UpstreamModel): void {
  const found = lackingFields(request, to.kind.protocol)
  const refused = found.find(({ lack }) => lack === 'refused')
  if (refused) throw refusalOf(refused.field, 'the upstream of this model cannot take it.')
  for (const { field } of found) to.leaveOut(field, 'the model has no such setting.')
}

/** Returns the refusal of a request because of one field; another target is then tried. */
export function refusalOf(field: FieldName, says: string): TargetRefusal {
  return new TargetRefusal('invalid_request', about(field, says), { field })
}
