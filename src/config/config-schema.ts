import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { errorMessage, GatewayError } from '@generation-gateway/kit/errors.ts'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { checkObject } from '../contract/validate.ts'
import { priceNames, quotaUnits } from '../core/records/ledger.ts'
import { parseYaml, type ValuePath } from './parse-yaml.ts'

export type { ValuePath } from './parse-yaml.ts'

const strict = { additionalProperties: false } as const
const names = Type.Optional(Type.Array(Type.String({ minLength: 1 })))

/** Currency of a configuration file that names no currency. */
export const usualCurrency = 'USD'

/** Shortest access key in characters. The store contains a fast hash of each key. If that hash
 *  became known, a shorter key could be found by trying all texts. */
export const shortestKey = 16

const quotaTexts = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Number({ minimum: 0 }),
  Type.Array(Type.Union([Type.String({ minLength: 1 }), Type.Number({ minimum: 0 })]), { minItems: 1 }),
])

const limits = {
  rate_per_minute: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  concurrent_tasks: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  quotas: Type.Optional(Type.Object(Object.fromEntries(quotaUnits.map(unit => [unit, Type.Optional(quotaTexts)])), strict)),
} as const

const keySchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    secret_env: Type.Optional(Type.String({ minLength: 1 })),
    secret: Type.Optional(Type.String({ minLength: shortestKey, secret: true })),
    ...limits,
    expires: Type.Optional(Type.String()),
    scopes: Type.Optional(Type.Object({ endpoints: names, families: names, models: names }, strict)),
  },
  strict,
)

const endpointSchema = Type.Object(
  {
    name: Type.String(),
    routes: Type.Optional(Type.Record(Type.String(), Type.Object({ model: Type.Optional(Type.String({ minLength: 1 })) }))),
  },
  strict,
)

const accountSchema = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
      mustBe: '1 to 63 small letters, digits, dashes or underscores',
    }),
    name: Type.Optional(Type.String()),
    webhook_secret_env: Type.Optional(Type.String({ minLength: 1 })),
    ...limits,
    keys: Type.Optional(Type.Array(keySchema)),
    endpoints: Type.Optional(Type.Array(endpointSchema)),
  },
  strict,
)

/** An amount of money in the currency unit. */
const amount = Type.Number({ minimum: 0, maximum: 1_000_000 })

/** Schema of a price, which has an amount for each unit that costs something. */
export const priceSchema = Type.Object(Object.fromEntries(Object.keys(priceNames).map(name => [name, Type.Optional(amount)])), strict)

const modelSchema = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 200 }),
    title: Type.Optional(Type.String()),
    family: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]),
    group: Type.Optional(Type.String()),
    model_in_answers: Type.Optional(Type.Union([Type.Literal('ours'), Type.Literal('upstream')])),
    further_models: Type.Optional(Type.Boolean()),
    price: Type.Optional(priceSchema),
    price_list_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    targets: Type.Array(
      // A target has further members, which are the settings of its driver.
      Type.Object({
        driver: Type.String(),
        model: Type.Optional(Type.String({ minLength: 1 })),
        order: Type.Optional(Type.Integer({ minimum: 1 })),
        weight: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
        max_concurrent: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
        silence_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600 })),
      }),
      { minItems: 1 },
    ),
  },
  strict,
)

const fileSchema = Type.Object(
  {
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', mustBe: 'a currency code of three capital letters like USD' })),
    prices_file: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
    accounts: Type.Optional(Type.Array(accountSchema)),
    models: Type.Optional(Type.Array(modelSchema)),
    aliases: Type.Optional(Type.Record(Type.String({ minLength: 1, maxLength: 200 }), Type.String({ minLength: 1 }))),
    built_in_aliases: Type.Optional(Type.Boolean()),
    unknown_models: Type.Optional(Type.Union([Type.Literal('refuse'), Type.Literal('default')])),
  },
  strict,
)

/** The parsed file, including the sections of families and engines by name. */
export type ConfigFile = Static<typeof fileSchema> & Record<string, unknown>
export type AccountEntry = Static<typeof accountSchema>
export type KeyEntry = Static<typeof keySchema>
export type ModelEntry = Static<typeof modelSchema>

export interface ParsedConfig {
  file: ConfigFile
  /** Returns an `invalid_request` that names the file, the line of the value and the reason. */
  problem(steps: ValuePath, reason: string): GatewayError
}

/** The text of a file, or the reason why it cannot be read. */
export type FileText = { text: string } | { problem: string }

/** Reads the configuration file from disk. */
export function readConfigText(path: string): FileText {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error) {
    const reason = errorMessage(error)
    return { problem: `GATEWAY_CONFIG names ${path}, which cannot be read: ${reason}.` }
  }
}

/** Returns the parsed file, checked against its schema. Throws `invalid_request` with the file, the
 *  line number and the reason. The reason may repeat the wrong value, but never a value that is in
 *  the place of a secret field or of an object with secret fields. */
export function readConfigFile(path: string, read: FileText, sections: Readonly<Record<string, TSchema>> = {}): ParsedConfig {
  if ('problem' in read) throw new GatewayError('invalid_request', read.problem)
  const { value, lineOf } = parseYaml(path, read.text)
  const problem = (steps: ValuePath, reason: string) =>
    new GatewayError('invalid_request', `${path}${lineOf(steps)}: ${reason}`, {
      issues: [{ path: steps, message: reason, rule: 'file' }],
    })
  try {
    return { file: checkObject<ConfigFile>(schemaWith(sections), value ?? {}, path), problem }
  } catch (error) {
    const issue = error instanceof GatewayError ? error.issues[0] : undefined
    if (!issue) throw error
    throw problem(issue.path.slice(1), issue.message)
  }
}

/** The sections of the last file that was read, and the schema that was made for them. The schema
 *  object is reused, because each new schema object is compiled to a validator, which takes time
 *  and stays in memory. */
let latest: { sections: Readonly<Record<string, TSchema>>; schema: TObject } | undefined

/** Returns the schema of a file with these sections; the same object for equal sections. */
function schemaWith(sections: Readonly<Record<string, TSchema>>): TObject {
  if (latest !== undefined && isDeepStrictEqual(latest.sections, sections)) return latest.schema
  const optional = Object.fromEntries(Object.entries(sections).map(([name, schema]) => [name, Type.Optional(schema)]))
  latest = { sections, schema: Type.Object({ ...fileSchema.properties, ...optional }, strict) }
  return latest.schema
}
