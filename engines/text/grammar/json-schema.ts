/** Converts a JSON schema to GBNF. In exact mode, every text that matches the grammar is valid, and
 *  a schema with a keyword that cannot be enforced is refused with the name of the keyword. In
 *  inexact mode, such a keyword is ignored. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { choice, type GbnfRules, literal, repeat } from './gbnf.ts'
import { anyString, anyValue } from './json-any.ts'
import { stringFormats } from './json-formats.ts'
import { anyInteger, anyNumber, integerWithin, type NumberBounds, numberWithin, tightest } from './json-numbers.ts'
import { valueAt } from './json-pointer.ts'
import { jsonChar, patternInJson, repeatLimit } from './pattern.ts'
import { parseRegex } from './regex.ts'
import { areDisjoint, isSchemaObject, knownKeywords, mergeSchemas, type Schema, typesOf } from './schema-merge.ts'

const deepestSchema = 60
const nothingFits = 'limits that nothing fits'
/** Largest number of schemas that are converted for one answer; each `$ref` counts as one, too. */
const mostSchemas = 8000
/** Largest number of comparisons between values or branches while it is decided whether at most
 *  one branch of a oneOf can apply. */
const mostComparisons = 100_000

interface SchemaReading {
  /** Start of the message of a refusal, such as "The parameters of tool get_weather". */
  where: string
  /** True when keywords that cannot be enforced are refused. When false, only invalid or huge
   *  schemas are refused. */
  isExact: boolean
}

/** Adds a schema to the rules. Returns the GBNF expression for a value of the schema, in the JSON
 *  layout of the rules. Throws `invalid_request` with the refused keyword and its place. */
export function schemaToGbnf(schema: JsonObject, rules: GbnfRules, reading: SchemaReading): string {
  return new SchemaCompiler(schema, rules, reading).value(schema, '')
}

class SchemaCompiler {
  readonly #root: JsonObject
  readonly #rules: GbnfRules
  readonly #where: string
  readonly #isExact: boolean
  /** The name of the rule for each `$ref`. A recursive schema then refers to its own rule instead
   *  of being converted without end. */
  readonly #references = new Map<string, string>()
  /** References that were followed since the last brace or bracket was written. A schema in which
   *  one of them occurs again would nest without end and without any text, so it is refused. */
  #opening: readonly string[] = []
  #depth = 0
  #comparisons = 0

  constructor(root: JsonObject, rules: GbnfRules, { where, isExact }: SchemaReading) {
    this.#root = root
    this.#rules = rules
    this.#where = where
    this.#isExact = isExact
  }

  value(schema: unknown, path: string): string {
    this.#depth += 1
    this.#countOne(path)
    if (this.#depth > deepestSchema) throw this.#refuse(path, `more than ${deepestSchema} levels`)
    const text = this.#value(schema, path)
    this.#depth -= 1
    return text
  }

  #countOne(path: string): void {
    this.#rules.schemas += 1
    if (this.#rules.schemas > mostSchemas) throw this.#refuse(path, `more than ${mostSchemas} schemas`)
  }

  #value(schema: unknown, path: string): string {
    if (schema === true) return anyValue(this.#rules)
    if (schema === false) {
      this.#leave(path, 'the schema false, which nothing fits')
      return anyValue(this.#rules)
    }
    if (!isSchemaObject(schema)) throw this.#refuse(path, 'something that is not a schema')
    for (const keyword of Object.keys(schema)) {
      if (!knownKeywords.has(keyword) && !keyword.startsWith('x-')) this.#leave(path, `the keyword ${JSON.stringify(keyword)}`)
    }
    if (schema.$ref !== undefined) return this.#reference(schema, path)
    if (schema.allOf !== undefined) return this.value(this.#merged(schema, path), path)
    if (schema.anyOf !== undefined || schema.oneOf !== undefined) return this.#branches(schema, path)
    if (schema.const !== undefined || schema.enum !== undefined) return this.#listed(schema, path)
    return choice(typesOf(schema).map(type => this.#typed(type, schema, path)))
  }

  #reference({ $ref: reference, ...rest }: Schema, path: string): string {
    const target = this.#resolve(reference, path)
    const beside = Object.keys(rest).filter(keyword => !isAnnotation(keyword))
    if (beside.length > 0) {
      const merged = mergeSchemas(target, rest, found => this.#leave(path, found))
      return this.value(merged, path)
    }
    const key = String(reference)
    if (this.#opening.includes(key)) throw this.#refuse(path, 'a $ref to itself')
    const known = this.#references.get(key)
    if (known) return known
    const name = this.#rules.reserve('reference')
    this.#references.set(key, name)
    this.#rules.set(
      name,
      this.#within([...this.#opening, key], () => this.value(target, `${path}/$ref`)),
    )
    return name
  }

  #within(opening: readonly string[], read: () => string): string {
    const before = this.#opening
    this.#opening = opening
    const text = read()
    this.#opening = before
    return text
  }

  /** Returns the schema at a JSON pointer; without one, refuses (exact mode) or returns `{}`. */
  #resolve(reference: unknown, path: string): Schema {
    if (typeof reference !== 'string') throw this.#refuse(path, 'a $ref that is not text')
    if (reference !== '#' && !reference.startsWith('#/')) {
      this.#leave(path, 'a $ref outside of the schema')
      return {}
    }
    const target = valueAt(this.#root, reference)
    if (target === true) return {}
    if (isSchemaObject(target)) return target
    this.#leave(path, `a $ref to nothing (${reference.slice(0, 100)})`)
    return {}
  }

  #merged({ allOf, ...rest }: Schema, path: string, depth = 0): Schema {
    if (!Array.isArray(allOf)) throw this.#refuse(path, 'an allOf that is not a list')
    let merged: Schema = rest
    for (const part of allOf) {
      if (part === true) continue
      if (part === false) this.#leave(path, 'an allOf with false in it')
      else if (!isSchemaObject(part)) throw this.#refuse(path, 'an allOf with something that is not a schema')
      else merged = mergeSchemas(merged, this.#unfolded(part, path, depth + 1), found => this.#leave(path, found))
    }
    return merged
  }

  /** Returns the schema after its `$ref` and its `allOf` have been merged into it. */
  #unfolded(schema: Schema, path: string, depth = 0): Schema {
    if (depth > deepestSchema) throw this.#refuse(path, 'a $ref to itself')
    this.#countOne(path)
    if (schema.$ref !== undefined) {
      const { $ref: reference, ...rest } = schema
      const target = this.#unfolded(this.#resolve(reference, path), path, depth + 1)
      const merged = mergeSchemas(target, rest, found => this.#leave(path, found))
      return this.#unfolded(merged, path, depth + 1)
    }
    return schema.allOf === undefined ? schema : this.#merged(schema, path, depth)
  }

  #branches({ anyOf, oneOf, ...rest }: Schema, path: string): string {
    if (anyOf !== undefined && oneOf !== undefined) this.#leave(path, 'anyOf together with oneOf')
    const keyword = anyOf === undefined ? 'oneOf' : 'anyOf'
    const list = anyOf ?? oneOf
    if (!Array.isArray(list) || list.length === 0) throw this.#refuse(path, `an empty ${keyword}`)
    const base = Object.fromEntries(Object.entries(rest).filter(([key]) => !isAnnotation(key)))
    const branches = list.flatMap(branch => {
      if (branch === true) return [base]
      if (branch === false) {
        this.#leave(path, `false in ${keyword}`)
        return []
      }
      if (!isSchemaObject(branch)) throw this.#refuse(path, `something that is not a schema in ${keyword}`)
      if (Object.keys(base).length === 0) return [branch]
      return [mergeSchemas(base, this.#unfolded(branch, path), found => this.#leave(path, found))]
    })
    if (branches.length === 0) return this.value(base, path)
    // In inexact mode, a oneOf is converted like an anyOf: it is not checked that only one branch
    // applies.
    if (keyword === 'oneOf' && this.#isExact) this.#needDisjoint(branches, path)
    return choice(branches.map((branch, index) => this.value(branch, `${path}/${keyword}/${index}`)))
  }

  #needDisjoint(branches: Schema[], path: string): void {
    const plain = branches.map(branch => this.#unfolded(branch, path))
    for (const [index, one] of plain.entries()) {
      for (const other of plain.slice(index + 1)) {
        if (!areDisjoint(one, other, () => this.#compare(path)))
          throw this.#refuse(path, 'a oneOf whose branches may fit together (use anyOf, or a required property with different const)')
      }
    }
  }

  #compare(path: string): void {
    this.#comparisons += 1
    if (this.#comparisons > mostComparisons) throw this.#refuse(path, 'a oneOf with too much to compare (use anyOf)')
  }

  #listed(schema: Schema, path: string): string {
    const values = schema.const === undefined ? schema.enum : [schema.const]
    const beside = Object.keys(schema).find(key => !isAnnotation(key) && !['const', 'enum', 'type'].includes(key))
    if (beside) this.#leave(path, `${beside} beside enum or const`)
    if (!Array.isArray(values) || values.length === 0) throw this.#refuse(path, 'an enum that is not a list of values')
    const types = schema.type === undefined ? undefined : new Set<string>(typesOf(schema))
    const kept = values.filter(value => !types || types.has(typeOf(value)) || (types.has('number') && typeof value === 'number'))
    if (kept.length === 0) this.#leave(path, 'an enum whose values do not fit its type')
    return choice((kept.length === 0 ? values : kept).map(value => literal(JSON.stringify(value))))
  }

  #typed(type: string, schema: Schema, path: string): string {
    switch (type) {
      case 'object':
        return this.#within([], () => this.#object(schema, path))
      case 'array':
        return this.#within([], () => this.#array(schema, path))
      case 'string':
        return this.#string(schema, path)
      case 'integer':
      case 'number':
        return this.#number(type, schema, path)
      case 'boolean':
        return '("true" | "false")'
      case 'null':
        return '"null"'
      default:
        throw this.#refuse(path, `the type ${JSON.stringify(type)}`)
    }
  }

  #object(schema: Schema, path: string): string {
    for (const keyword of ['patternProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas'] as const) {
      const value = schema[keyword]
      if (value !== undefined && !(isSchemaObject(value) && Object.keys(value).length === 0)) this.#leave(path, `the keyword "${keyword}"`)
    }
    const properties = isSchemaObject(schema.properties) ? schema.properties : {}
    const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : [])
    const patterns = isSchemaObject(schema.patternProperties) ? Object.values(schema.patternProperties) : []
    const others = patterns.length > 0 ? { anyOf: patterns } : (schema.additionalProperties ?? schema.unevaluatedProperties ?? true)
    const all = [...new Set([...Object.keys(properties), ...required])]
    const names = this.#isExact ? all : all.filter(name => properties[name] !== false || required.has(name))
    if (names.length === 0 && others !== false) return this.#map(schema, others, path)
    for (const name of required)
      if (!(name in properties) && others === false)
        this.#leave(path, `the required property ${JSON.stringify(name)}, which additionalProperties forbids,`)
    const [fewest, most] = [numberOf(schema.minProperties) ?? 0, numberOf(schema.maxProperties) ?? Number.POSITIVE_INFINITY]
    if (required.size < fewest) this.#leave(path, 'minProperties above the number of required properties')
    if (names.length > most) this.#leave(path, 'maxProperties below the number of properties')
    const members = names.map(name => ({
      text: this.#member(literal(JSON.stringify(name)), properties[name] ?? others, `${path}/properties/${name}`),
      isRequired: required.has(name),
    }))
    const further = patterns.length > 0 ? this.#member(anyString(this.#rules), others, `${path}/patternProperties`) : undefined
    return `"{"${this.#rules.space} ${this.#members(members, further)} "}"`
  }

  #member(name: string, value: unknown, path: string): string {
    return `${name} ${this.#rules.colon} ${this.value(value, path)}${this.#rules.space}`
  }

  /** Returns the GBNF for the members of an object in a fixed order, with commas between them.
   *  Optional members may be left out; any number of members that match `further` may follow. */
  #members(members: { text: string; isRequired: boolean }[], further: string | undefined): string {
    const { comma } = this.#rules
    let first = '""'
    let rest = '""'
    if (further !== undefined) {
      const member = this.#rules.add('member', further)
      rest = `(${comma} ${member})*`
      first = `(${member} ${rest})?`
    }
    for (const { text, isRequired } of members.toReversed()) {
      const member = this.#rules.add('member', text)
      const [nextFirst, nextRest] = [first, rest]
      first = this.#rules.add('first', `${member} ${nextRest}${isRequired ? '' : ` | ${nextFirst}`}`)
      rest = this.#rules.add('rest', `${comma} ${member} ${nextRest}${isRequired ? '' : ` | ${nextRest}`}`)
    }
    return first
  }

  #map(schema: Schema, values: unknown, path: string): string {
    const fewest = numberOf(schema.minProperties) ?? 0
    // A model may write the same name twice, which counts as one property, and a grammar cannot
    // prevent that. So a minimum above 1 cannot be enforced.
    if (fewest > 1) this.#leave(path, 'minProperties above 1 without named properties')
    const member = this.#rules.add('member', this.#member(anyString(this.#rules), values, `${path}/additionalProperties`))
    return `"{"${this.#rules.space} ${this.#list(member, fewest, numberOf(schema.maxProperties), path)} "}"`
  }

  #array(schema: Schema, path: string): string {
    if (schema.contains !== undefined) this.#leave(path, 'the keyword "contains"')
    const most = numberOf(schema.maxItems)
    if (schema.uniqueItems === true && (most === undefined || most > 1)) this.#leave(path, 'the keyword "uniqueItems"')
    const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : Array.isArray(schema.items) ? schema.items : []
    const fewest = numberOf(schema.minItems) ?? 0
    const { space, comma } = this.#rules
    if (prefix.length === 0) {
      if (schema.items === false && fewest > 0) this.#leave(path, nothingFits)
      if (schema.items === false) return `"["${space} "]"`
      return this.#items(schema.items ?? true, { fewest, most }, path)
    }
    if (fewest > prefix.length || (most !== undefined && most < prefix.length)) {
      this.#leave(path, 'minItems or maxItems beside prefixItems of another length')
      return this.#items(true, { fewest, most }, path)
    }
    return `"["${space} ${prefix.map((item, index) => `${this.value(item, `${path}/prefixItems/${index}`)}${space}`).join(` ${comma} `)} "]"`
  }

  #items(items: unknown, { fewest, most }: { fewest: number; most: number | undefined }, path: string): string {
    const item = this.#rules.add('item', `${this.value(items, `${path}/items`)}${this.#rules.space}`)
    return `"["${this.#rules.space} ${this.#list(item, fewest, most, path)} "]"`
  }

  #list(item: string, min: number, max: number | undefined, path: string): string {
    const isEmpty = max !== undefined && max < min
    if (isEmpty) this.#leave(path, nothingFits)
    if (Math.max(min, max ?? 0) > repeatLimit) this.#leave(path, `a count above ${repeatLimit}`)
    if (max === 0) return '""'
    const [fewest, most] = [Math.min(min, repeatLimit), isEmpty || (max ?? 0) > repeatLimit ? undefined : max]
    const more = repeat(`${this.#rules.comma} ${item}`, Math.max(0, fewest - 1), most === undefined ? undefined : most - 1)
    return fewest === 0 ? `(${item} ${more})?` : `${item} ${more}`
  }

  #string(schema: Schema, path: string): string {
    const { pattern, format, minLength, maxLength } = schema
    const held = [pattern, format, minLength ?? maxLength].filter(keyword => keyword !== undefined)
    if (held.length > 1) this.#leave(path, 'pattern, format or a length together on one string')
    const where = `${this.#where}${path ? ` at ${path}` : ''}`
    const inJson = (source: string, match: 'search' | 'whole', name: string): string | undefined =>
      this.#orLeft(() => `"\\"" ${patternInJson(parseRegex(source, match, name), { where, budget: this.#rules.budget })} "\\""`)
    if (typeof pattern === 'string') {
      const text = inJson(pattern, 'search', `${where}: the pattern`)
      if (text !== undefined) return text
    }
    if (typeof format === 'string') {
      const source = Object.hasOwn(stringFormats, format) ? stringFormats[format] : undefined
      if (source === undefined) this.#leave(path, `the format ${JSON.stringify(format)}`)
      const text = source && inJson(source, 'whole', where)
      if (text) return text
    }
    return this.#stringOfLength(numberOf(minLength) ?? 0, numberOf(maxLength), path)
  }

  #stringOfLength(min: number, max: number | undefined, path: string): string {
    const isEmpty = max !== undefined && max < min
    if (isEmpty) this.#leave(path, nothingFits)
    if (min > repeatLimit) this.#leave(path, `minLength above ${repeatLimit}`)
    if ((min === 0 && max === undefined) || isEmpty) return anyString(this.#rules)
    const char = this.#rules.once('json-char', () => jsonChar())
    const fewest = Math.min(min, repeatLimit)
    return `"\\"" ${repeat(char, fewest, max === undefined ? undefined : Math.min(max, repeatLimit))} "\\""`
  }

  #number(type: 'integer' | 'number', schema: Schema, path: string): string {
    if (schema.multipleOf !== undefined && !(type === 'integer' && schema.multipleOf === 1)) this.#leave(path, 'the keyword "multipleOf"')
    const bounds: NumberBounds = {
      ...tightest(numberOf(schema.minimum), numberOf(schema.exclusiveMinimum), 'min'),
      ...tightest(numberOf(schema.maximum), numberOf(schema.exclusiveMaximum), 'max'),
    }
    const where = `${this.#where}${path ? ` at ${path}` : ''}`
    const any = `(${type === 'integer' ? anyInteger : anyNumber})`
    if (!bounds.min && !bounds.max) return any
    return this.#orLeft(() => (type === 'integer' ? integerWithin(bounds, where) : numberWithin(bounds, where))) ?? any
  }

  /** In exact mode, throws the refusal of a keyword that cannot be enforced. In inexact mode, does
   *  nothing, so the keyword is ignored. */
  #leave(path: string, what: string): void {
    if (this.#isExact) throw this.#refuse(path, what)
  }

  /** Returns the result of `hold`. In inexact mode it returns undefined instead when `hold` refuses
   *  or the budget is used up, so the caller can leave the keyword out. */
  #orLeft(hold: () => string): string | undefined {
    if (!this.#isExact && this.#rules.budget.steps < 0) return undefined
    try {
      return hold()
    } catch (error) {
      if (this.#isExact || !(error instanceof GatewayError)) throw error
      return undefined
    }
  }

  #refuse(path: string, what: string): GatewayError {
    return new GatewayError(
      'invalid_request',
      `${this.#where} uses ${what}${path ? ` at ${path}` : ''}, which this engine cannot hold an answer to.`,
    )
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function isAnnotation(keyword: string): boolean {
  return knownKeywords.get(keyword) === 'annotation' || keyword.startsWith('x-')
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
