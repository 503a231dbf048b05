import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** The path to a place in the body: `['messages', 2, 'content', 0]`. */
export type Path = readonly (string | number)[]

/** `required`: the value is missing. `unsupported`: a known word or feature that is not available.
 *  `invalid`: anything else. */
type Reason = 'required' | 'unsupported' | 'invalid'

/** Returns an error that names the place (`messages[2].content[0]`) and says what is wrong
 *  there. */
export function refusal(path: Path, says: string, reason: Reason = 'invalid'): GatewayError {
  const field = fieldOf(path)
  const message = `${field} ${says}`
  return new GatewayError('invalid_request', message, { field, issues: [{ path: ['body', ...path], message, rule: reason }] })
}

function fieldOf(path: Path): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}
