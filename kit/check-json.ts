/** JSON checked against its schema. Ajv, because the gateway has loaded it already: TypeBox's own checker is 400 modules more. */
import { Ajv } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { GatewayError } from './errors.ts'

// Schemas carry notes of ours (`secret`, formats), which are no constraints.
const ajv = new Ajv({ strict: false, validateFormats: false })

/** The value, unchanged, as what its schema says. Throws `invalid_request` with the first thing that is wrong, after `where`. */
export function readAs<Schema extends TSchema>(schema: Schema, value: unknown, where: string): Static<Schema> {
  // Ajv keeps what it compiled, by schema.
  const validate = ajv.compile(schema)
  if (validate(value)) return value as Static<Schema>
  const [error] = validate.errors ?? []
  const member = error?.instancePath.slice(1).replaceAll('/', '.')
  const extra = error?.keyword === 'additionalProperties' ? `: ${error.params.additionalProperty}` : ''
  throw new GatewayError('invalid_request', `${where}: ${member || 'it'} ${error?.message ?? 'is wrong'}${extra}.`)
}
