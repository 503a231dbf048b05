/** JSON schema -> GBNF: whatever the grammar lets through fits the schema. A keyword that cannot be held exactly is refused by name. */
import { GatewayError } from '../../../core/errors.ts'
import type { JsonObject } from '../../../core/task.ts'
import { choice, type GbnfRules, literal, repeat } from './gbnf.ts'
import { stringFormats } from './json-formats.ts'
import { anyInteger, anyNumber, integerWithin, type NumberBounds, numberWithin } from './json-numbers.ts'
import { jsonChar, patternInJson, repeatLimit } from './pattern.ts'
import { parseRegex } from './regex.ts'
import { areDisjoint, isSchemaObject, knownKeywords, mergeSchemas, type Schema, typesOf } from './schema-merge.ts'

const deepestSchema = 60
/** Schemas read for one answer, counting one again wherever a `$ref` repeats it. */
const mostSchemas = 8000
/** Pairs of values or branches that are compared to tell whether a oneOf is exclusive. */
const mostComparisons = 100_000

/** Reads a schema of `where` ("The schema of tool get_weather") into the rules; the answer is the GBNF expression of one value.
 *  JSON is written with one space after `:` and `,` and no other white space.
 *  Throws `invalid_request` naming the keyword that is not supported and where it stands. */
export function schemaToGbnf(schema: JsonObject, rules: GbnfRules, where: string): string {
  return new SchemaCompiler(schema, rules, where).value(schema, '')
}

/** Any JSON object. */
export function anyObject(rules: GbnfRules): string {
  const string = anyString(rules)
  return rules.once('json-object', () => `"{" (${string} ": " ${anyValue(rules)} (", " ${string} ": " ${anyValue(rules)})*)? "}"`)
}

export function anyString(rules: GbnfRules): string {
  const char = rules.once('json-char', () => jsonChar())
  return rules.once('json-string', () => `"\\"" ${char}* "\\""`)
}

function anyValue(rules: GbnfRules): string {
  return rules.once('json-value', () => {
    const array = rules.once('json-array', () => '"[" (json-value (", " json-value)*)? "]"')
    return `${anyObject(rules)} | ${array} | ${anyString(rules)} | ${anyNumber} | "true" | "false" | "null"`
  })
}

class SchemaCompiler {
  readonly #root: JsonObject
  readonly #rules: GbnfRules
  readonly #where: string
  /** Rule of each `$ref`, so that recursive schemas end. */
  readonly #references = new Map<string, string>()
  #depth = 0
  #comparisons = 0

  constructor(root: JsonObject, rules: GbnfRules, where: string) {
    this.#root = root
    this.#rules = rules
    this.#where = where
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
    if (!isSchemaObject(schema))
      throw this.#refuse(path, schema === false ? 'the schema false, which nothing fits' : 'something that is not a schema')
    for (const keyword of Object.keys(schema)) {
      if (!knownKeywords.has(keyword) && !keyword.startsWith('x-')) throw this.#refuse(path, `the keyword ${JSON.stringify(keyword)}`)
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
    if (beside.length > 0)
      return this.value(
        mergeSchemas(target, rest, keyword => this.#refuse(path, keyword)),
        path,
      )
    const key = String(reference)
    const known = this.#references.get(key)
    if (known) return known
    const name = this.#rules.reserve('reference')
    this.#references.set(key, name)
    this.#rules.set(name, this.value(target, `${path}/$ref`))
    return name
  }

  /** The schema a JSON pointer into this document names. */
  #resolve(reference: unknown, path: string): Schema {
    if (typeof reference !== 'string' || !reference.startsWith('#')) throw this.#refuse(path, 'a $ref outside of the schema')
    let at: unknown = this.#root
    for (const part of reference.split('/').slice(1)) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
      at = isSchemaObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
    }
    if (at === true) return {}
    if (!isSchemaObject(at)) throw this.#refuse(path, `a $ref to ${reference}, which is not there`)
    return at
  }

  #merged({ allOf, ...rest }: Schema, path: string): Schema {
    if (!Array.isArray(allOf)) throw this.#refuse(path, 'an allOf that is not a list')
    let merged: Schema = rest
    for (const part of allOf) {
      if (part === true) continue
      if (!isSchemaObject(part)) throw this.#refuse(path, 'an allOf with false in it')
      merged = mergeSchemas(merged, this.#unfolded(part, path), keyword => this.#refuse(path, keyword))
    }
    return merged
  }

  /** The schema without `$ref` and `allOf` at its top. */
  #unfolded(schema: Schema, path: string, depth = 0): Schema {
    if (depth > deepestSchema) throw this.#refuse(path, 'a $ref to itself')
    this.#countOne(path)
    if (schema.$ref !== undefined) {
      const { $ref: reference, ...rest } = schema
      const target = this.#unfolded(this.#resolve(reference, path), path, depth + 1)
      return mergeSchemas(target, rest, keyword => this.#refuse(path, keyword))
    }
    return schema.allOf === undefined ? schema : this.#merged(schema, path)
  }

  #branches({ anyOf, oneOf, ...rest }: Schema, path: string): string {
    if (anyOf !== undefined && oneOf !== undefined) throw this.#refuse(path, 'anyOf together with oneOf')
    const keyword = anyOf === undefined ? 'oneOf' : 'anyOf'
    const list = anyOf ?? oneOf
    if (!Array.isArray(list) || list.length === 0) throw this.#refuse(path, `an empty ${keyword}`)
    const base = Object.fromEntries(Object.entries(rest).filter(([key]) => !isAnnotation(key)))
    const branches = list.map(branch => {
      if (branch === true) return base
      if (!isSchemaObject(branch)) throw this.#refuse(path, `false in ${keyword}`)
      if (Object.keys(base).length === 0) return branch
      return mergeSchemas(base, this.#unfolded(branch, path), found => this.#refuse(path, found))
    })
    if (keyword === 'oneOf') this.#needDisjoint(branches, path)
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
    if (beside) throw this.#refuse(path, `${beside} beside enum or const`)
    if (!Array.isArray(values)) throw this.#refuse(path, 'an enum that is not a list')
    const types = schema.type === undefined ? undefined : new Set<string>(typesOf(schema))
    const kept = values.filter(value => !types || types.has(typeOf(value)) || (types.has('number') && typeof value === 'number'))
    if (kept.length === 0) throw this.#refuse(path, 'an enum whose values do not fit its type')
    return choice(kept.map(value => literal(JSON.stringify(value))))
  }

  #typed(type: string, schema: Schema, path: string): string {
    switch (type) {
      case 'object':
        return this.#object(schema, path)
      case 'array':
        return this.#array(schema, path)
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
      if (value !== undefined && !(isSchemaObject(value) && Object.keys(value).length === 0))
        throw this.#refuse(path, `the keyword "${keyword}"`)
    }
    const properties = isSchemaObject(schema.properties) ? schema.properties : {}
    const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : [])
    const others = schema.additionalProperties ?? true
    const names = [...new Set([...Object.keys(properties), ...required])]
    if (names.length === 0 && others !== false) return this.#map(schema, others, path)
    for (const name of required)
      if (!(name in properties) && others === false)
        throw this.#refuse(path, `the required property ${JSON.stringify(name)}, which additionalProperties forbids,`)
    const [fewest, most] = [numberOf(schema.minProperties) ?? 0, numberOf(schema.maxProperties) ?? Number.POSITIVE_INFINITY]
    if (required.size < fewest) throw this.#refuse(path, 'minProperties above the number of required properties')
    if (names.length > most) throw this.#refuse(path, 'maxProperties below the number of properties')
    const members = names.map(name => ({
      text: `${literal(`${JSON.stringify(name)}: `)} ${this.value(properties[name] ?? others, `${path}/properties/${name}`)}`,
      isRequired: required.has(name),
    }))
    return `"{" ${this.#members(members)} "}"`
  }

  /** Members in their order, the optional ones there or not, with commas between those that are. */
  #members(members: { text: string; isRequired: boolean }[]): string {
    let first = '""'
    let rest = '""'
    for (const { text, isRequired } of members.toReversed()) {
      const member = this.#rules.add('member', text)
      const [nextFirst, nextRest] = [first, rest]
      first = this.#rules.add('first', `${member} ${nextRest}${isRequired ? '' : ` | ${nextFirst}`}`)
      rest = this.#rules.add('rest', `", " ${member} ${nextRest}${isRequired ? '' : ` | ${nextRest}`}`)
    }
    return first
  }

  #map(schema: Schema, values: unknown, path: string): string {
    const fewest = numberOf(schema.minProperties) ?? 0
    // Names may repeat and then count once.
    if (fewest > 1) throw this.#refuse(path, 'minProperties above 1 without named properties')
    const member = this.#rules.add('member', `${anyString(this.#rules)} ": " ${this.value(values, `${path}/additionalProperties`)}`)
    return `"{" ${this.#list(member, fewest, numberOf(schema.maxProperties), path)} "}"`
  }

  #array(schema: Schema, path: string): string {
    if (schema.contains !== undefined) throw this.#refuse(path, 'the keyword "contains"')
    const most = numberOf(schema.maxItems)
    if (schema.uniqueItems === true && (most === undefined || most > 1)) throw this.#refuse(path, 'the keyword "uniqueItems"')
    const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : Array.isArray(schema.items) ? schema.items : []
    const fewest = numberOf(schema.minItems) ?? 0
    if (prefix.length === 0) {
      if (schema.items === false) return fewest === 0 ? '"[]"' : this.#nothing(path)
      const item = this.#rules.add('item', this.value(schema.items ?? true, `${path}/items`))
      return `"[" ${this.#list(item, fewest, most, path)} "]"`
    }
    if (fewest > prefix.length || (most !== undefined && most < prefix.length))
      throw this.#refuse(path, 'minItems or maxItems beside prefixItems of another length')
    return `"[" ${prefix.map((item, index) => this.value(item, `${path}/prefixItems/${index}`)).join(' ", " ')} "]"`
  }

  #nothing(path: string): never {
    throw this.#refuse(path, 'limits that nothing fits')
  }

  #list(item: string, min: number, max: number | undefined, path: string): string {
    if (max !== undefined && max < min) this.#nothing(path)
    if (Math.max(min, max ?? 0) > repeatLimit) throw this.#refuse(path, `a count above ${repeatLimit}`)
    if (max === 0) return '""'
    const filled = `${item} ${repeat(`", " ${item}`, Math.max(0, min - 1), max === undefined ? undefined : max - 1)}`
    return min === 0 ? `(${filled})?` : filled
  }

  #string(schema: Schema, path: string): string {
    const { pattern, format, minLength, maxLength } = schema
    const held = [pattern, format, minLength ?? maxLength].filter(keyword => keyword !== undefined)
    if (held.length > 1) throw this.#refuse(path, 'pattern, format or a length together on one string')
    const where = `${this.#where}${path ? ` at ${path}` : ''}`
    if (typeof pattern === 'string')
      return `"\\"" ${patternInJson(parseRegex(pattern, 'search', `${where}: the pattern`), { where, budget: this.#rules.budget })} "\\""`
    if (typeof format === 'string') {
      const source = Object.hasOwn(stringFormats, format) ? stringFormats[format] : undefined
      if (source === undefined) throw this.#refuse(path, `the format ${JSON.stringify(format)}`)
      return `"\\"" ${patternInJson(parseRegex(source, 'whole', where), { where, budget: this.#rules.budget })} "\\""`
    }
    const fewest = numberOf(minLength) ?? 0
    const most = numberOf(maxLength)
    if (fewest === 0 && most === undefined) return anyString(this.#rules)
    if (fewest > repeatLimit) throw this.#refuse(path, `minLength above ${repeatLimit}`)
    if (most !== undefined && most < fewest) this.#nothing(path)
    const char = this.#rules.once('json-char', () => jsonChar())
    return `"\\"" ${repeat(char, fewest, most === undefined ? undefined : Math.min(most, Math.max(fewest, repeatLimit)))} "\\""`
  }

  #number(type: 'integer' | 'number', schema: Schema, path: string): string {
    if (schema.multipleOf !== undefined && !(type === 'integer' && schema.multipleOf === 1))
      throw this.#refuse(path, 'the keyword "multipleOf"')
    const bounds: NumberBounds = {
      ...tightest(numberOf(schema.minimum), numberOf(schema.exclusiveMinimum), 'min'),
      ...tightest(numberOf(schema.maximum), numberOf(schema.exclusiveMaximum), 'max'),
    }
    const where = `${this.#where}${path ? ` at ${path}` : ''}`
    if (!bounds.min && !bounds.max) return `(${type === 'integer' ? anyInteger : anyNumber})`
    return type === 'integer' ? integerWithin(bounds, where) : numberWithin(bounds, where)
  }

  #refuse(path: string, what: string): GatewayError {
    return new GatewayError(
      'invalid_request',
      `${this.#where} uses ${what}${path ? ` at ${path}` : ''}, which this engine cannot hold an answer to.`,
    )
  }
}

function tightest(inclusive: number | undefined, exclusive: number | undefined, side: 'min' | 'max'): NumberBounds {
  if (inclusive === undefined && exclusive === undefined) return {}
  const isExclusiveTighter =
    inclusive === undefined || (exclusive !== undefined && (side === 'min' ? exclusive >= inclusive : exclusive <= inclusive))
  const value = isExclusiveTighter ? exclusive : inclusive
  return value === undefined ? {} : { [side]: { value, isExclusive: isExclusiveTighter } }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
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
