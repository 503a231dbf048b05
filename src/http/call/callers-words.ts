import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { OwnFields } from '@generation-gateway/kit/requests/capability.ts'
import { about, errorIn, type FieldName, listed, sentenceIn } from '@generation-gateway/kit/requests/field-names.ts'
import { unreadableKind } from '@generation-gateway/kit/requests/refused-part.ts'
import type { Family } from '../../contract/family.ts'
import type { Call } from './call.ts'

/** Returns the error with the field names that the family's interface uses. Targets report errors
 *  with the field names of the gateway's neutral request, which the caller does not know. When the
 *  error says that the target cannot read a kind of part (such as a picture), the new error names
 *  the position of the first such part in `body`, the body as sent. */
export function inCallersWords({ fieldNames = {}, placeOfPart }: Family, error: unknown, body?: unknown): unknown {
  if (!(error instanceof GatewayError)) return error
  const kind = unreadableKind(error)
  const place = kind && placeOfPart?.(body, kind)
  return place === undefined ? errorIn(fieldNames, error) : error.inWords(place, error.message)
}

/** Returns a function that adds a target's report about a field that it ignores to the warnings of
 *  the call. Each sentence is added once, because several answers to one prompt cause the same
 *  warnings. */
export function warningsFor(
  { fieldNames = {} }: Family,
  call: Pick<Call, 'warnings'>,
): (field: FieldName | OwnFields, says: string) => void {
  return (field, says) => {
    const sentence = typeof field === 'string' ? sentenceIn(fieldNames, about(field, says)) : `${listed(field.own)}: ${says}`
    if (!call.warnings.includes(sentence)) call.warnings.push(sentence)
  }
}
