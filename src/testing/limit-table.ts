/** Tables of the limits that the interface states, written by hand, and functions which assert
 *  that a running gateway enforces them. */
import assert from 'node:assert/strict'
import type { TestGateway } from './gateway.ts'
import { testKey } from './gateway.ts'

/** The limits of one operation. */
export interface LimitTable {
  /** The operation's id in the OpenAPI description. */
  operationId: string
  path: string
  /** The place of the fields in the request; default `json`. */
  in?: 'json' | 'multipart' | 'query'
  /** Fields of a valid request, to which each row of the table adds one field. */
  base: Readonly<Record<string, unknown>>
  /** The body of a request whose fields are in the query: a text, or JSON. */
  text?: string
  json?: object
  /** The method of a request without a body. */
  method?: 'GET'
  rows: readonly LimitRow[]
  /** True when the request names a task that does not exist. The gateway checks all fields
   *  before it looks for the task, so the answer 404 means that the values were accepted. */
  endsWith404?: true
  /** For operations that accept some wrong values and report them only later: polls the task and
   *  returns true when it was refused. */
  isRefusedLater?(gateway: TestGateway, answer: string): Promise<boolean>
}

/** Values for one field: the values at its limits, which must be accepted, and values just
 *  beyond them, which must be refused. */
export interface LimitRow {
  /** Path of the field, as in `mask.areas[0].width`. */
  field: string
  accepts: readonly unknown[]
  refuses: readonly unknown[]
  /** The default that the OpenAPI description must state; undefined when it is not checked. */
  default?: unknown
  /** Values for other fields in each request of this row. Undefined removes a field. */
  beside: Readonly<Record<string, unknown>>
}

type Further = Partial<Pick<LimitRow, 'default' | 'beside'>>
const row = (field: string, accepts: readonly unknown[], refuses: readonly unknown[], further: Further): LimitRow => ({
  ...{ field, accepts, refuses, beside: {} },
  ...further,
})

/** Returns a row for a number: `least` and `most` must be accepted, and values that lie `step`
 *  beyond them must be refused. */
export const range = (
  field: string,
  [least, most]: readonly [number, number],
  { step = 1, ...further }: Further & { step?: number } = {},
) => row(field, [least, most], [least - step, most + step], further)

/** Returns a row for texts of `least` to `most` characters. */
export const length = (field: string, [least, most]: readonly [number, number], further: Further = {}) =>
  row(field, ['x'.repeat(least), 'x'.repeat(most)], ['x'.repeat(most + 1), ...(least > 0 ? ['x'.repeat(least - 1)] : [])], further)

/** Returns a row for an enumeration: each of these words must be accepted, and any other word
 *  refused. */
export const words = (field: string, accepted: readonly (string | number)[], further: Further = {}) =>
  row(field, accepted, ['no such word', 7777], further)

/** Returns a row for lists with `least` to `most` copies of the item. */
export const items = (field: string, [least, most]: readonly [number, number], item: unknown, further: Further = {}) =>
  row(
    field,
    [...new Set([least, most])].map(count => Array(count).fill(item)),
    [most + 1, ...(least > 0 ? [least - 1] : [])].map(count => Array(count).fill(item)),
    further,
  )

/** Returns a row for a boolean: true and false are accepted. */
export const flag = (field: string, further: Further = {}) => row(field, [true, false], ['maybe'], further)

/** Returns a row for a required field: a request without it is refused. */
export const needed = (field: string, further: Further = {}) => row(field, [], [undefined], further)

/** Returns a row with these values, for fields that none of the functions above fits. */
export const values = (
  field: string,
  { accepts = [], refuses = [] }: { accepts?: unknown[]; refuses?: unknown[] },
  further: Further = {},
) => row(field, accepts, refuses, further)

/** Sends each value of the table. A value counts as accepted when the request succeeds, or when
 *  it fails in the driver: the error message then contains `byDriver`. */
export async function assertLimits(gateway: TestGateway, table: LimitTable, byDriver: string): Promise<void> {
  const problems: string[] = []
  for (const row of table.rows) {
    for (const value of row.accepts) {
      const { status, text } = await send(gateway, table, row, value)
      const isTaken = status < 300 || text.includes(byDriver) || (status === 404 && table.endsWith404)
      if (!isTaken || (status < 300 && (await table.isRefusedLater?.(gateway, text))))
        problems.push(`${shown(row, value)} was refused: ${status} ${text.slice(0, 300)}`)
    }
    for (const value of row.refuses) {
      const { status, text } = await send(gateway, table, row, value)
      if (status < 300 && (await table.isRefusedLater?.(gateway, text))) continue
      const name = /[^.[\]]+(?=(\[\d+\])*$)/.exec(row.field)?.[0] ?? ''
      if (![400, 413, 415, 422].includes(status)) problems.push(`${shown(row, value)} was accepted: ${status} ${text.slice(0, 300)}`)
      else if (!text.includes(name)) problems.push(`${shown(row, value)}: the refusal does not name the field: ${text.slice(0, 300)}`)
    }
  }
  assert.deepEqual(problems, [])
}

const shown = ({ field }: LimitRow, value: unknown) => `${field} = ${String(JSON.stringify(value)).slice(0, 100)}`

async function send({ url }: TestGateway, table: LimitTable, row: LimitRow, value: unknown): Promise<{ status: number; text: string }> {
  const fields = structuredClone({ ...table.base, ...row.beside })
  setAt(fields, row.field, value)
  const target = new URL(url + table.path)
  const headers: Record<string, string> = { authorization: `Bearer ${testKey}` }
  let body: string | FormData | undefined = table.json ? JSON.stringify(table.json) : table.text
  if (table.in === 'query') {
    for (const [name, each] of Object.entries(fields)) if (each !== undefined) target.searchParams.set(name, String(each))
    if (table.json) headers['content-type'] = 'application/json'
    else if (body !== undefined) Object.assign(headers, { 'content-type': 'text/plain', accept: 'application/octet-stream' })
  } else if (table.in === 'multipart') {
    body = formOf(fields)
  } else {
    body = JSON.stringify(fields)
    headers['content-type'] = 'application/json'
  }
  const response = await fetch(target, { method: table.method ?? 'POST', headers, ...(body === undefined ? {} : { body }) })
  return { status: response.status, text: await response.text() }
}

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    if (value instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(value)]), 'part.bin')
    else if (Array.isArray(value)) for (const each of value) form.append(`${name}[]`, String(each))
    else form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return form
}

/** Sets a value at a path inside an object. Missing objects and lists on the path are created;
 *  undefined removes the value. */
function setAt(whole: object, field: string, value: unknown): void {
  const path = field.split(/[.[\]]+/).filter(step => step !== '')
  const last = path.pop() ?? ''
  let at: object = whole
  for (const [index, step] of path.entries()) {
    const next = /^\d+$/.test(path[index + 1] ?? last) ? [] : {}
    Reflect.set(at, step, Reflect.get(at, step) ?? next)
    at = Reflect.get(at, step)
  }
  if (value === undefined) Reflect.deleteProperty(at, last)
  else Reflect.set(at, last, value)
}

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  description?: string
}

/** Asserts that the OpenAPI description states the defaults of the rows. */
export function assertDefaults(description: object, table: LimitTable): void {
  // biome-ignore lint/suspicious/noExplicitAny: the description is JSON of every shape.
  const at = (pointer: string): any =>
    pointer
      .split('/')
      .slice(1)
      .reduce((inner, step) => Object(inner)[step], Object(description))
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const resolved = (part: any): any => (part?.$ref ? resolved(at(part.$ref)) : part)
  const operations = Object.values<Record<string, { operationId?: string }>>(at('#/paths')).flatMap(path => Object.values(path))
  const operation = Object(operations.find(({ operationId }) => operationId === table.operationId))
  const member = (schema: Schema | undefined, step: string): Schema | undefined => {
    const { properties, items, anyOf } = Object(resolved(schema)) as Schema
    const own = /^\d+$/.test(step) ? items : properties?.[step]
    return own ?? anyOf?.map(option => member(option, step)).find(found => found !== undefined)
  }
  const body = Object.values<{ schema: Schema }>(resolved(operation.requestBody)?.content ?? {})[0]?.schema
  for (const row of table.rows.filter(each => each.default !== undefined)) {
    const path = row.field.split(/[.[\]]+/).filter(step => step !== '')
    const inQuery = operation.parameters?.map(resolved).find(({ name }: { name: string }) => name === row.field)?.schema
    const schema = resolved(inQuery ?? path.reduce<Schema | undefined>(member, body))
    // The description states the default of a body field only in words. If the schema declared it,
    // generated clients would send it.
    const isSaid = schema?.description?.includes(`Default: \`${JSON.stringify(row.default)}\``)
    assert.ok(isSaid || schema?.default === row.default, `${row.field} of ${table.operationId} has another default than ${row.default}`)
  }
}
