/** Checks JSON against a schema with Ajv, which the gateway loads anyway; TypeBox's own checker
 *  would load 400 modules more. */
import { Ajv } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { GatewayError } from './errors.ts'

// The schemas carry annotations (`secret`, formats) that are not constraints.
const ajv = new Ajv({ strict: false, validateFormats: false })

/** Returns the value, unchanged, typed by its schema. Throws `invalid_request` that names `where`
 *  and the first violation. */
export function readAs<Schema extends TSchema>(schema: Schema, value: unknown, where: string): Static<Schema> {
  // Ajv caches compiled schemas.
  const validate = ajv.compile(schema)
  if (validate(value)) return value as Static<Schema>
  const [error] = validate.errors ?? []
  const member = error?.instancePath.slice(1).replaceAll('/', '.')
  const extra = error?.keyword === 'additionalProperties' ? `: ${error.params.additionalProperty}` : ''
  throw new GatewayError('invalid_request', `${where}: ${member || 'it'} ${error?.message ?? 'is wrong'}${extra}.`)
}
