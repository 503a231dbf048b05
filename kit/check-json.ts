/** Checks JSON against a schema. Uses Ajv, which the gateway loads anyway, because TypeBox's own
 *  checker would load another 400 modules. */
import { Ajv } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { GatewayError } from './errors.ts'

// The options are needed because the schemas contain annotations (`secret`, formats) that Ajv does
// not know as constraints.
const ajv = new Ajv({ strict: false, validateFormats: false })

/** Returns the value, unchanged, with the type of its schema. Throws `invalid_request` when the
 *  value does not match; the message contains `where` and the first violation. */
export function readAs<Schema extends TSchema>(schema: Schema, value: unknown, where: string): Static<Schema> {
  // Ajv caches compiled schemas.
  const validate = ajv.compile(schema)
  if (validate(value)) return value as Static<Schema>
  const [error] = validate.errors ?? []
  const member = error?.instancePath.slice(1).replaceAll('/', '.')
  const extra = error?.keyword === 'additionalProperties' ? `: ${error.params.additionalProperty}` : ''
  throw new GatewayError('invalid_request', `${where}: ${member || 'it'} ${error?.message ?? 'is wrong'}${extra}.`)
}
