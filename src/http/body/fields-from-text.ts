/** Fields that came as text, in a form or as parts, made what their schemas want. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TObject, TSchema } from 'typebox'

interface FieldSchema {
  type?: string | string[]
  items?: TSchema
  anyOf?: TSchema[]
  const?: unknown
}

/** Gathers named texts into a body: a field that takes several has a list, `name[]` is the same field as `name`. */
export class TextFields {
  readonly value: Record<string, unknown> = {}
  /** Top-level integers that a double cannot hold: name -> exact digits. */
  readonly exactIntegers = new Map<string, string>()
  readonly #schema: TObject

  constructor(schema: TObject) {
    this.#schema = schema
  }

  /** Throws `invalid_request` for a field that takes one value and was given two. */
  add(name: string, text: string): void {
    const field = this.fieldOf(name)
    const schema = this.#schemaOf(field)
    if (!isList(schema)) {
      const value = fromText(schema, text)
      if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) this.exactIntegers.set(field, text.trim())
      this.#set(field, value)
      return
    }
    // A list may come as one text: JSON, as some clients write it.
    const whole = text.trimStart().startsWith('[') ? parsed(text) : undefined
    const items = Array.isArray(whole) ? whole : [fromText(itemOf(schema), text)]
    const before = this.value[field]
    this.value[field] = Array.isArray(before) ? [...before, ...items] : items
  }

  /** The same for a value that is no text: the placeholder of a file. */
  addFile(name: string, placeholder: string): void {
    const field = this.fieldOf(name)
    const before = this.value[field]
    if (!isList(this.#schemaOf(field))) this.#set(field, placeholder)
    else this.value[field] = Array.isArray(before) ? [...before, placeholder] : [placeholder]
  }

  /** The name of the schema's field: `image` of `image[]`. */
  fieldOf(name: string): string {
    return name.endsWith('[]') ? name.slice(0, -2) : name
  }

  #set(field: string, value: unknown): void {
    if (Object.hasOwn(this.value, field))
      throw new GatewayError('invalid_request', `${field.slice(0, 100)} was given twice; it takes one value.`, {
        field: field.slice(0, 100),
      })
    // As an own property whatever its name is.
    Object.defineProperty(this.value, field, { value, enumerable: true, writable: true, configurable: true })
  }

  #schemaOf(field: string): TSchema | undefined {
    return Object.hasOwn(this.#schema.properties, field) ? this.#schema.properties[field] : undefined
  }
}

/** What the text says: a number, a boolean or JSON where the schema takes that, else the text itself; then the schema's own check tells what is wrong. */
export function fromText(schema: TSchema | undefined, text: string): unknown {
  if (schema === undefined) return text
  const types = typesOf(schema)
  const word = text.trim()
  if ((types.has('number') || types.has('integer')) && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return Number(word)
  if (types.has('boolean') && /^(true|false)$/i.test(word)) return word.toLowerCase() === 'true'
  if (types.has('object') && word.startsWith('{')) return parsed(word) ?? text
  if (types.has('null') && word === 'null') return null
  return text
}

function isList(schema: TSchema | undefined): boolean {
  return schema !== undefined && typesOf(schema).has('array')
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
