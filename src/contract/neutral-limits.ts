/** Limits on the fields and files of requests that other gateways send (families/gateway). Such
 *  requests have a neutral form and pass through no operation of their family, so the family's
 *  limits are derived from the schemas of its operations. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { FieldName, InputRole } from '@generation-gateway/kit/requests/field-names.ts'
import { type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { TSchema } from 'typebox'
import type { Family } from './family.ts'
import { notesOf } from './fields.ts'
import { fileFieldsOf } from './file-fields.ts'
import { fileProblem, limitsFor } from './file-rule.ts'
import { charactersIn } from './lengths/length-keywords.ts'
import type { FieldLimit, InputLimit, NeutralLimits } from './needs/neutral-work.ts'
import type { Operation } from './operation.ts'

/** Fields of the neutral request that mean the same as the family's field of that name. All are
 *  plain texts or numbers. */
const comparable = [
  ...(['prompt', 'negativePrompt', 'width', 'height', 'count', 'variants', 'steps', 'guidance', 'text', 'lyrics'] as const),
  ...(['instructions', 'previousText', 'nextText', 'title', 'keyword', 'topic', 'pageSize'] as const),
]

/** Returns the limits of the family's operations for a model of this group. When operations have
 *  different limits for a field or a role, the widest limit counts. */
export function neutralLimits(family: Family, group: string | undefined): NeutralLimits {
  const operations = Object.values(family.operations).filter(({ choosesModel, body }) => choosesModel && body)
  return {
    fields: comparable.flatMap(field => widest(operations.flatMap(each => fieldLimit(family, each, { field, group }) ?? [])) ?? []),
    inputs: inputLimits(operations, group),
    takesKeptFiles: operations.some(({ needs, continuesTask }) => needs?.includes('files') || continuesTask !== undefined),
  }
}

/** Returns the first limit that the request or its inputs break; undefined when they fit. `model`
 *  is the id of the model, for the message. */
export function brokenLimit(
  { fields, inputs: taken, takesKeptFiles }: NeutralLimits,
  { request, inputs, model }: { request: JsonObject; inputs: readonly InputFacts[]; model: string },
): Refusal | undefined {
  for (const limit of fields) {
    const broken = brokenField(limit, request[limit.field], model)
    if (broken) return broken
  }
  for (const role of new Set(inputs.map(input => input.role))) {
    const broken = brokenInput(taken, { role, files: inputs.filter(input => input.role === role), model, takesKeptFiles })
    if (broken) return broken
  }
  return undefined
}

/** Returns the range of seconds that the family allows for an input; undefined where it has none.
 *  The run checks the decoded length against this range. */
export function lengthLimitsOf({ inputs }: NeutralLimits, input: InputFacts): InputFacts['lengthLimits'] {
  return inputs.find(({ role }) => role === input.role)?.kinds.find(kind => fileProblem(input.role, input, kind) === undefined)?.duration
}

interface Bounds {
  type?: string
  maxLength?: number
  minimum?: number
  maximum?: number
}

function fieldLimit(
  family: Family,
  { body }: Operation,
  { field, group }: { field: FieldName; group: string | undefined },
): FieldLimit | undefined {
  const name = family.fieldNames?.[field] ?? field
  const schema: TSchema | undefined = body?.schema.properties[name]
  if (!schema || !isFor(schema, group)) return undefined
  const { type, maxLength, minimum, maximum }: Bounds = schema as Bounds
  if (type === 'string') return { field, ...defined({ maxLength }) }
  if (type !== 'integer' && type !== 'number') return undefined
  return { field, ...defined({ minimum, maximum }) }
}

function isFor(schema: TSchema, group: string | undefined): boolean {
  const { groups } = notesOf(schema)
  return groups === undefined || group === undefined || groups.includes(group)
}

/** Returns the widest limits of several operations. A bound that is missing in one of them is left
 *  out. */
function widest(limits: readonly FieldLimit[]): FieldLimit | undefined {
  const [first] = limits
  if (!first) return undefined
  const bound = (name: 'maxLength' | 'minimum' | 'maximum', choose: (...values: number[]) => number) => {
    const values = limits.flatMap(limit => limit[name] ?? [])
    return values.length === limits.length ? { [name]: choose(...values) } : {}
  }
  return { field: first.field, ...bound('maxLength', Math.max), ...bound('minimum', Math.min), ...bound('maximum', Math.max) }
}

function inputLimits(operations: readonly Operation[], group: string | undefined): InputLimit[] {
  const found = new Map<string, InputLimit>()
  for (const { body } of operations) {
    const fields = Object.entries(body?.schema.properties ?? {}).flatMap(([name, schema]) =>
      isFor(schema, group) ? fileFieldsOf(schema, name) : [],
    )
    for (const role of new Set(fields.map(({ rule }) => rule.role))) {
      const own = fields.filter(({ rule }) => rule.role === role)
      const most = own.reduce((sum, field) => sum + field.most, 0)
      const before = found.get(role)
      const kinds = [...(before?.kinds ?? []), ...own.map(({ rule }) => limitsFor(rule, group))]
      found.set(role, { role, most: Math.max(most, before?.most ?? 0), kinds })
    }
  }
  return [...found.values()]
}

function brokenField({ field, maxLength, minimum, maximum }: FieldLimit, value: unknown, model: string): Refusal | undefined {
  if (typeof value === 'string' && maxLength !== undefined && charactersIn(value) > maxLength)
    return refusal(field, `has ${charactersIn(value)} characters; ${model} takes at most ${maxLength}.`)
  if (typeof value !== 'number') return undefined
  if (minimum !== undefined && value < minimum) return refusal(field, `is ${value}; ${model} takes at least ${minimum}.`)
  if (maximum !== undefined && value > maximum) return refusal(field, `is ${value}; ${model} takes at most ${maximum}.`)
  return undefined
}

function brokenInput(
  taken: readonly InputLimit[],
  { role, files, model, takesKeptFiles }: { role: string; files: readonly InputFacts[]; model: string; takesKeptFiles: boolean },
): Refusal | undefined {
  const limit = taken.find(each => each.role === role)
  // The cast is safe: when the request was read, its roles were checked against the list in
  // `field-names.ts`.
  const field = role as InputRole
  if (!limit) return takesKeptFiles ? undefined : refusal(field, `is given; ${model} takes no such file.`)
  if (files.length > limit.most && !takesKeptFiles) return refusal(field, `is given ${files.length} times; ${model} takes ${limit.most}.`)
  for (const file of files) {
    const problems = limit.kinds.map(kind => fileProblem(role, file, kind)?.message)
    const [first] = problems
    if (first !== undefined && problems.every(problem => problem !== undefined)) return { field, message: `${role}: ${first}` }
  }
  return undefined
}
