/** Converts fields that arrived as text (in a URL-encoded form or in a multipart body) to the
 *  types that their schemas declare. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { parsedJson } from '@generation-gateway/kit/json.ts'
import { JsonScanner, maxDepth } from '@generation-gateway/kit/json-scanner.ts'
import type { TObject, TSchema } from 'typebox'
import { limitValues } from './value-limit.ts'

interface FieldSchema {
  type?: string | string[]
  items?: TSchema
  maxItems?: number
  anyOf?: TSchema[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, TSchema>
}

/** Collects named texts into a body. A field that takes several values becomes a list. The names
 *  `name[]` and `name[0]` mean the field `name`; `name[key]` is a member of the object in the
 *  field `name`. */
export class TextFields {
  readonly value: Record<string, unknown> = {}
  /** Top-level integers that a double cannot represent exactly: name -> the digits as sent. */
  readonly exactIntegers = new Map<string, string>()
  readonly #schema: TObject
  /** Number of values in the fields that are JSON. */
  #values = 0

  constructor(schema: TObject) {
    this.#schema = schema
  }

  /** Adds a text. Throws `invalid_request` for JSON that is nested too deep, and for a second value
   *  of a field that takes one. Throws `payload_too_large` when all fields that are JSON have more
   *  than 100,000 values together. */
  add(name: string, text: string): void {
    const field = this.fieldOf(name)
    const schema = this.#schemaOf(field)
    const member = memberOf(name)
    if (member !== undefined && schema !== undefined && typesOf(schema).has('object')) {
      this.#addMember(field, member, text)
      return
    }
    if (!isList(schema)) {
      const value = this.#fromText(schema, text, field)
      if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) this.exactIntegers.set(field, text.trim())
      this.#set(field, value)
      return
    }
    // Some clients send a list as one text: as JSON, or as words separated by commas.
    const whole = text.trimStart().startsWith('[') ? this.#parsed(text, field) : undefined
    const item = itemOf(schema)
    const parts = isWord(item) ? text.split(',', mostItems(schema)).map(part => part.trim()) : [text]
    const items = Array.isArray(whole) ? whole : parts.map(part => this.#fromText(item, part, field))
    this.#append(field, items)
  }

  /** Adds the placeholder of a file. Returns a function that replaces the placeholder by a text,
   *  for a part of the body that turns out to be a text. */
  addFile(name: string, placeholder: string): (text: string) => void {
    const field = this.fieldOf(name)
    if (!isList(this.#schemaOf(field))) {
      this.#set(field, placeholder)
      return text => {
        this.value[field] = text
      }
    }
    this.#append(field, [placeholder])
    const list = this.value[field] as unknown[]
    const index = list.length - 1
    return text => {
      list[index] = text
    }
  }

  /** Adds a parsed JSON value, which consists of `values` values. If the value is a list and the
   *  field takes one, its items are added to those that the field already has. Throws the errors of
   *  `add`. */
  addValue(name: string, value: unknown, values: number): void {
    this.#countValues(values)
    const field = this.fieldOf(name)
    if (Array.isArray(value) && this.isListField(field)) this.#append(field, value)
    else this.#set(field, value)
  }

  isListField(field: string): boolean {
    return isList(this.#schemaOf(field))
  }

  /** Returns the name of the schema's field: `image` for `image[]`, `image[1]` and
   *  `image[type]`. */
  fieldOf(name: string): string {
    if (this.#schemaOf(name) !== undefined) return name
    const bracket = name.indexOf('[')
    const field = bracket > 0 && name.endsWith(']') ? name.slice(0, bracket) : name
    return this.#schemaOf(field) === undefined && !name.endsWith('[]') ? name : field
  }

  #append(field: string, items: readonly unknown[]): void {
    const before = this.value[field]
    // The list is extended in place, not copied: a function that `addFile` returned earlier may
    // still have to replace a placeholder in it.
    if (Array.isArray(before)) for (const item of items) before.push(item)
    else this.value[field] = [...items]
  }

  #addMember(field: string, member: string, text: string): void {
    const before = Object.hasOwn(this.value, field) ? this.value[field] : {}
    if (typeof before !== 'object' || before === null || Object.hasOwn(before, member)) throw duplicateField(`${field}[${member}]`)
    const value = this.#fromText(propertyOf(this.#schemaOf(field), member), text, field)
    Object.defineProperty(before, member, { value, enumerable: true, writable: true, configurable: true })
    this.value[field] = before
  }

  #set(field: string, value: unknown): void {
    if (Object.hasOwn(this.value, field)) throw duplicateField(field)
    // A name such as `__proto__` must become an ordinary member of the object, which an assignment
    // would not do.
    Object.defineProperty(this.value, field, { value, enumerable: true, writable: true, configurable: true })
  }

  #schemaOf(field: string): TSchema | undefined {
    return Object.hasOwn(this.#schema.properties, field) ? this.#schema.properties[field] : undefined
  }

  /** Returns the text as a number, a boolean, null or parsed JSON, if the schema takes that type;
   *  otherwise the text itself. If the text does not fit the schema either, the later validation
   *  refuses it. Throws the same errors as `add` when a
   *  field contains JSON. */
  #fromText(schema: TSchema | undefined, text: string, field: string): unknown {
    if (schema === undefined) return text
    const types = typesOf(schema)
    const word = text.trim()
    if ((types.has('number') || types.has('integer')) && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return Number(word)
    if (types.has('boolean') && /^(true|false)$/i.test(word)) return word.toLowerCase() === 'true'
    if (types.has('object') && word.startsWith('{')) return this.#parsed(word, field) ?? text
    if (types.has('null') && word === 'null') return null
    return text
  }

  #parsed(text: string, field: string): unknown {
    const { levels, values } = sizeOf(text)
    if (levels > maxDepth) throw new GatewayError('invalid_request', `${field} is nested deeper than ${maxDepth} levels.`, { field })
    this.#countValues(values)
    return parsedJson(text)
  }

  #countValues(values: number): void {
    this.#values += values
    limitValues(this.#values)
  }
}

function isList(schema: TSchema | undefined): boolean {
  return schema !== undefined && typesOf(schema).has('array')
}

/** Returns the largest number of items that are collected for a list: one more than the schema
 *  allows, so that validation still sees that the list is too long. Undefined for a list without
 *  a limit. */
function mostItems(schema: TSchema | undefined): number | undefined {
  const { maxItems, anyOf = [] }: FieldSchema = Object(schema)
  if (maxItems !== undefined) return maxItems + 1
  return anyOf.map(mostItems).find(most => most !== undefined)
}

function itemOf(schema: TSchema | undefined): TSchema | undefined {
  const { items, anyOf = [] }: FieldSchema = Object(schema)
  return items ?? anyOf.map(option => (option as FieldSchema).items).find(found => found !== undefined)
}

function typesOf(schema: TSchema): Set<string> {
  const { type, anyOf = [], const: constant } = schema as FieldSchema
  const own = type ?? (constant === undefined ? [] : typeof constant)
  return new Set([...[own].flat(), ...anyOf.flatMap(option => [...typesOf(option)])])
}

/** Returns the key in brackets: `type` for `strategy[type]`. Undefined for `[]` and `[0]`, which
 *  mark items of a list. */
function memberOf(name: string): string | undefined {
  return /\[([^[\]]*[^[\]\d][^[\]]*)\]$/.exec(name)?.[1]
}

function propertyOf(schema: TSchema | undefined, name: string): TSchema | undefined {
  const { properties = {}, anyOf = [] }: FieldSchema = Object(schema)
  if (Object.hasOwn(properties, name)) return properties[name]
  return anyOf.map(option => propertyOf(option, name)).find(found => found !== undefined)
}

function isWord(schema: TSchema | undefined): boolean {
  const { type, enum: values }: FieldSchema = Object(schema)
  return type === 'string' && values !== undefined
}

function duplicateField(field: string): GatewayError {
  const shown = field.slice(0, 100)
  return new GatewayError('invalid_request', `${shown} was given twice; it takes one value.`, { field: shown })
}

/** Returns the depth of the brackets in the text, and a lower bound of the number of values in it,
 *  in which the outermost value is not counted. The text need not be valid JSON. */
function sizeOf(text: string): { levels: number; values: number } {
  let levels = 0
  const scanner = new JsonScanner({
    begin(kind) {
      if (kind === 'object' || kind === 'array') levels = Math.max(levels, scanner.depth + 1)
    },
  })
  scanner.feed(Buffer.from(text))
  return { levels, values: scanner.separators }
}
