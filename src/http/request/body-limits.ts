import { fileFieldsOf } from '../../contract/file-fields.ts'
import { mostBytes } from '../../contract/file-rule.ts'
import { memberNamesOf } from '../../contract/member-names.ts'
import type { Operation } from '../../contract/operation.ts'
import { splicedMembers } from '../body/raw-spool.ts'
import type { ReadBodyOptions } from '../body/read-body.ts'

const defaultResidualLimit = 1024 * 1024

/** Limits for reading the body of an operation. */
export interface BodyLimits {
  body: Pick<ReadBodyOptions, 'maxBytes' | 'residualLimitBytes' | 'residualValues' | 'spillFields' | 'keepsRaw' | 'spliced' | 'judged'>
  /** True when the schema of the body has file fields. */
  hasFiles: boolean
}

/** Returns the limits of an operation. The limit for the whole body leaves room for every file
 *  of the operation in base64 (4/3 of its size, plus line breaks), and for the text around the
 *  files. */
export function bodyLimitsOf({ body, relays }: Operation): BodyLimits {
  const residualLimitBytes = body?.residualLimitBytes ?? defaultResidualLimit
  if (body?.rawBytes !== undefined) {
    const judged = memberNamesOf(body.schema, body.innerNames)
    const spliced = relays ? { spliced: splicedMembers(relays) } : {}
    const { residualValues, rawBytes: maxBytes } = body
    return { body: { keepsRaw: true, ...spliced, judged, residualLimitBytes, residualValues, maxBytes }, hasFiles: false }
  }
  const fields = body ? fileFieldsOf(body.schema) : []
  const spillFields = fields.map(({ path, rule }) => ({ path, maxBytes: mostBytes(rule) }))
  const taken = fields.reduce((sum, { most, rule }) => sum + most * mostBytes(rule), 0)
  const files = Math.min(taken, body?.filesBytes ?? taken)
  return { body: { spillFields, residualLimitBytes, maxBytes: residualLimitBytes + Math.ceil(files * 1.4) }, hasFiles: fields.length > 0 }
}
