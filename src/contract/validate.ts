import { GatewayError, type Issue } from '@generation-gateway/kit/errors.ts'
import { isObject } from '@generation-gateway/kit/json.ts'
import { Ajv, type ErrorObject, type FuncKeywordDefinition } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import type { TObject } from 'typebox'
import type { Family } from './family.ts'
import { type FieldNotes, fieldNotes, notesOf } from './fields.ts'
import { fieldName as nameOf } from './file-fields.ts'
import { keywordsOf } from './keywords.ts'
import { addLengthKeywords, charactersIn } from './lengths/length-keywords.ts'
import { nullRemover } from './nulls.ts'
import type { Operation, Rule } from './operation.ts'
import { brokenRules, rulesOf } from './rules.ts'
import { withoutOtherForms } from './union-errors.ts'

const body = newValidators({ coerceTypes: false })
const text = newValidators({ coerceTypes: true })
/** For a body with this many values or more, at any depth, only the first mistake is reported.
 *  Ajv takes 1.5 microseconds to report one mistake, so a body with 480,000 mistakes would block
 *  all other calls for 0.7 s. */
const mostIssuesShown = 5000

/** Checks one operation's input against its schema, its rules and its model group. One validator
 *  is created for each operation at the start; the schemas are compiled when they are first
 *  needed. */
export interface OperationValidator {
  /** Returns the body without the fields that are null, and with defaults filled in. Throws
   *  `invalid_json` for a body that is not an object, and `invalid_request` with the issues
   *  found, at most 20. */
  body(value: unknown): Record<string, unknown>
  query(value: Record<string, string>): Record<string, unknown>
  /** Checks the fields and rules that depend on the model's group. Throws `invalid_request` for a
   *  field that the group does not accept (unless its value is empty or turns the feature off), for
   *  the lack of a field that the group requires, and for a broken rule of the group. */
  group(requested: GroupCall): void
}

/** A checked body, and the model that was chosen for it. */
export interface GroupCall {
  body: Record<string, unknown> | undefined
  /** Names of the fields that the caller sent. */
  presentFields: ReadonlySet<string>
  group: string
  model: string
}

export function operationValidator(family: Family, operation: Operation): OperationValidator {
  const rules = rulesOf(operation, undefined)
  const removeNulls = operation.body && nullRemover(keywordsOf(operation.body.schema))
  return {
    body: value => {
      if (!operation.body) return {}
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw new GatewayError('invalid_json', 'The body must be a JSON object.')
      }
      removeNulls?.(value)
      const checked = check<Record<string, unknown>>(body, value, 'body', operation.body.schema)
      holdRules(rules, checked)
      return checked
    },
    query: value => (operation.query ? check<Record<string, unknown>>(text, { ...value }, 'query', operation.query) : value),
    group: requested => {
      checkGroup({ family, operation, ...requested })
      if (requested.body) holdRules(rulesOf(operation, requested.group), requested.body)
    },
  }
}

/** Returns the object when it fits the schema; used for settings, configuration files and the
 *  admin API. Throws `invalid_request` with the gateway's own messages, in which `where` names
 *  the source of the object. With `fromText`, texts that represent numbers or booleans are
 *  converted. */
export function checkObject<T>(schema: TObject, value: unknown, where: string, { fromText = false } = {}): T {
  if (typeof value !== 'object' || value === null) throw new GatewayError('invalid_request', `${where} must be an object.`)
  return check<T>(fromText ? text : body, value, where, schema)
}

/** One validator that reports all mistakes, and one that stops at the first. A value is checked by
 *  the second, which is the cheaper one; only a refused value that is small is checked by both. */
interface Validators {
  every: Ajv
  first: Ajv
}

function newValidators(options: { coerceTypes: boolean }): Validators {
  return { every: newValidator({ ...options, allErrors: true }), first: newValidator({ ...options, allErrors: false }) }
}

function newValidator(options: { coerceTypes: boolean; allErrors: boolean }): Ajv {
  const ajv = new Ajv({
    useDefaults: true,
    allowUnionTypes: true,
    verbose: true,
    strict: true,
    strictRequired: false,
    ...options,
  })
  addLengthKeywords(ajv)
  for (const keyword of fieldNotes) ajv.addKeyword(keyword === 'anyCase' ? anyCase() : keyword)
  ajv.addFormat('http-url', { type: 'string', validate: isHttpUrl })
  return ajv
}

/** Defines a keyword that converts a value to lower case before it is compared with its
 *  enumeration. */
function anyCase(): FuncKeywordDefinition {
  return {
    ...{ keyword: 'anyCase', before: 'enum', modifying: true, errors: false },
    validate: (isAnyCase: boolean, value: unknown, _schema: unknown, at?: DataValidationCxt) => {
      if (isAnyCase && typeof value === 'string' && at) at.parentData[at.parentDataProperty] = value.toLowerCase()
      return true
    },
  }
}

function isHttpUrl(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== ''
}

function check<T>(validators: Validators, value: unknown, where: string, schema: TObject): T {
  // Ajv caches compiled validators by schema.
  const first = validators.first.compile<T>(schema)
  if (first(value)) return value
  if (countOf(value, mostIssuesShown) >= mostIssuesShown) throw refusal(toIssues(first.errors ?? [], where, schema))
  const every = validators.every.compile<T>(schema)
  every(value)
  throw refusal(toIssues(every.errors ?? [], where, schema))
}

/** Returns an error that names the field of the first issue. */
function refusal(issues: Issue[]): GatewayError {
  const field = fieldName(issues[0]?.path ?? [])
  return new GatewayError('invalid_request', issues.map(issue => issue.message).join(' '), { field, issues })
}

/** Returns the number of values in a value, including itself, counted up to `most`. */
function countOf(value: unknown, most: number): number {
  const waiting = [value]
  let count = 0
  while (count < most && waiting.length > 0) {
    const next = waiting.pop()
    count++
    if (typeof next !== 'object' || next === null) continue
    // Uses a loop instead of `Object.values`, so that in an object with very many members only the
    // first ones are counted.
    for (const name in next) if (waiting.push(next[name as keyof typeof next]) >= most) return most
  }
  return count
}

function holdRules(rules: readonly Rule<Record<string, unknown>>[], value: Record<string, unknown>): void {
  const issues = brokenRules(rules, value).map(({ id, field, message }): Issue => ({ path: ['body', field], message, rule: id }))
  if (issues.length > 0) throw refusal(issues)
}

function checkGroup(input: GroupCall & { family: Family; operation: Operation }): void {
  const issues: Issue[] = []
  for (const [name, field] of Object.entries(input.operation.body?.schema.properties ?? {})) {
    const groups = notesOf(field).groups
    if (!groups || groups.includes(input.group) || !input.presentFields.has(name) || isNothing(input.body?.[name])) continue
    const models = input.family.models.flatMap(({ id, group }) => (group !== undefined && groups.includes(group) ? [id] : []))
    issues.push({
      path: ['body', name],
      message: `${name} is not a field of ${input.model}; it belongs to ${groups.join(', ')}${models.length > 0 ? ` (${models.join(', ')})` : ''}.`,
      rule: 'group',
    })
  }
  for (const name of input.family.requiredByGroup?.[input.group] ?? []) {
    if (!input.presentFields.has(name))
      issues.push({ path: ['body', name], message: `${name} is required for ${input.model}.`, rule: 'required' })
  }
  if (issues.length > 0) throw refusal(issues)
}

/** Returns true for a value that is empty or turns a feature off. Clients that send every default
 *  also send such values to models that do not have the field. */
function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) ? Object.keys(value).length === 0 : [false, 'off', 'disabled', ''].some(nothing => nothing === value)
}

/** Returns at most 20 issues, because more would hardly help the caller. */
function toIssues(errors: ErrorObject[], where: string, schema: TObject): Issue[] {
  return withoutOtherForms(errors)
    .slice(0, 20)
    .map(error => {
      const path: (string | number)[] = error.instancePath
        .split('/')
        .slice(1)
        .map(part => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
      if (error.keyword === 'required') path.push(String(error.params.missingProperty))
      if (error.keyword === 'additionalProperties') path.push(unknownName(error))
      const name = fieldName([where, ...path]) || where
      // When a member name is invalid, the path leads to the object that contains the member.
      const subject = error.propertyName === undefined ? name : `A name in ${name}`
      return { path: [where, ...path], message: sentence(error, subject, schema), rule: error.keyword }
    })
}

/** Returns the name of an unknown field. In an object with secret fields, the name ends before its
 *  first blank or colon, because a secret may follow it: YAML reads `{ secret:abc }` and
 *  `{ secret abc }` as objects with one long name. */
function unknownName({ params, parentSchema }: ErrorObject): string {
  const name = String(params.additionalProperty)
  return hasSecrets(parentSchema) ? name.replace(/(?<=^[^\s:]+)[\s:].*/s, '') : name
}

/** True for the schema of an object that has a secret field, and of a list of such objects. */
function hasSecrets(schema: unknown): boolean {
  const { properties, items }: { properties?: Record<string, FieldNotes>; items?: unknown } = Object(schema)
  return Object.values(properties ?? {}).some(field => field.secret) || (items !== undefined && hasSecrets(items))
}

/** Returns the path of a field as text. The first element of a path names the source of the value
 *  and is left out. */
function fieldName(path: (string | number)[]): string {
  return nameOf(path.slice(1))
}

function sentence(error: ErrorObject, name: string, schema: TObject): string {
  const { mustBe: note, secret }: FieldNotes = Object(error.parentSchema)
  const isSecret = secret || (error.keyword === 'type' && hasSecrets(error.parentSchema))
  const shown = isSecret ? '(secret)' : show(error.data)
  switch (error.keyword) {
    case 'required':
      return `${name} is required.`
    case 'type':
      return `${name} is ${shown}; it must be ${[error.params.type].flat().join(' or ')}.`
    case 'minimum':
      return `${name} is ${shown}; at least ${error.params.limit}.`
    case 'maximum':
      return `${name} is ${shown}; at most ${error.params.limit}.`
    case 'minLength':
      return error.params.limit === 1
        ? `${name} is empty.`
        : `${name} has ${lengthOf(error.data)} characters; at least ${error.params.limit}.`
    case 'maxLength':
      return `${name} has ${lengthOf(error.data)} characters; at most ${error.params.limit}.`
    case 'minItems':
      return `${name} has ${lengthOf(error.data)} items; at least ${error.params.limit}.`
    case 'maxItems':
      return `${name} has ${lengthOf(error.data)} items; at most ${error.params.limit}.`
    case 'enum':
      return `${name} is ${shown}; it must be one of ${choicesIn(error.params.allowedValues as unknown[])}.`
    case 'const':
      if (error.params.allowedValues) return sentence({ ...error, keyword: 'enum' }, name, schema)
      return `${name} is ${shown}; it must be ${show(error.params.allowedValue)}.`
    case 'pattern':
    case 'format':
      return `${name} is ${shown}; it must be ${note ?? 'of another form'}.`
    case 'additionalProperties':
      return `${name} is not known; known are ${Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? schema.properties).join(', ')}.`
    default:
      return `${name} ${error.message ?? 'is not valid'}.`
  }
}

/** Returns the accepted values as a list for a message. A number that is also accepted as a
 *  string is listed only once. */
function choicesIn(values: readonly unknown[]): string {
  return [...new Set(values.map(value => (value === '' ? '""' : String(value))))].join(', ')
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return charactersIn(value)
  return Array.isArray(value) ? value.length : 0
}

/** The placeholder for a long base64 string that was decoded while the body arrived
 *  (`src/http/body/json-spill.ts`). */
const decodedFile = /^spilled:[0-9a-f]{32}:\d+$/
/** The placeholder for a part of a multipart body (`src/http/body/multipart.ts`). */
const partFile = /^part:[0-9a-f-]{36}$/

function show(value: unknown): string {
  if (typeof value === 'string' && decodedFile.test(value)) return 'a file in base64'
  if (typeof value === 'string' && partFile.test(value)) return 'a file'
  // JSON has no infinite numbers, yet 1e999 is parsed as Infinity.
  const shown = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'undefined')
  return shown.length > 60 ? `${shown.slice(0, 57)}...` : shown
}
