/** The OpenAPI document as a client gets it, and functions that assert that answers match it. */
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openapiDocument } from '../contract/description/openapi.ts'
import { fieldNotes } from '../contract/fields.ts'
import { engines } from '../engines.ts'
import { families } from '../families/index.ts'

export interface DescribedOperation {
  tags: string[]
  operationId: string
  parameters: Parameter[]
  /** The body of the request. A `$ref` refers to a body that several operations share. */
  requestBody?: { $ref?: string; content?: Record<string, Media> }
  responses: Record<string, { description: string; content: Record<string, Media> }>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: object
  example?: string
  examples?: Record<string, DocumentedExample>
}

export interface Media {
  schema: object
  examples?: Record<string, DocumentedExample>
}

export interface DocumentedExample {
  value: unknown
  description?: string
  'x-needs'?: string
}

export interface Document {
  openapi: string
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, object>; requestBodies: Record<string, { content: Record<string, Media> }> }
}

// Nothing checks that the value has this type, because `JSON.parse` returns `any`.
export const document: Document = JSON.parse(
  JSON.stringify(
    openapiDocument(
      families.map(entry => entry.family),
      { version: '0.0.0', engines },
    ),
  ),
)

export interface DocumentedOperation {
  path: string
  method: string
  operation: DescribedOperation
}

export const operations: readonly DocumentedOperation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)

// The validator is strict, so that any unknown keyword is an error, except for our own `x-`
// keywords and formats that need a plug-in.
const formats = { uri: (value: string) => URL.canParse(value), binary: true, int64: true, double: true } as const
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats })
for (const name of fieldNotes) ajv.addKeyword(`x-${name}`)
ajv.addSchema({ $id: 'document', $defs: JSON.parse(linked(document.components.schemas)) })
const compiled = new Map<string, ValidateFunction>()

/** Compiles a schema of the document to a validator. Throws for a schema that is not valid JSON
 *  Schema 2020-12. */
export function compile(schema: object): ValidateFunction {
  const text = linked(schema)
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
  compiled.set(text, validate)
  return validate
}

function linked(schema: object): string {
  return JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document#/$defs/')
}

export function assertFits(schema: object, value: unknown, what: string): void {
  const validate = compile(schema)
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`)
}

/** Returns the operation with this id. */
export function operationOf(id: string): DocumentedOperation {
  const found = operations.find(({ operation }) => operation.operationId === id)
  assert.ok(found, `there is no operation ${id}`)
  return found
}

/** Asserts that an answer matches what the document says for this operation, status and media
 *  type. */
export function assertDocumented(id: string, answer: { status: number; body: unknown }, mediaType = 'application/json'): void {
  const media = operationOf(id).operation.responses[answer.status]?.content[mediaType]
  assert.ok(media, `${id}: ${answer.status} as ${mediaType} is not documented`)
  assertFits(media.schema, answer.body, `${id} ${answer.status}`)
}

/** Asserts that an answer matches what the document says for this operation and status; the
 *  media type is that of the answer. */
export function assertAnswer(id: string, answer: { status: number; headers: Headers; body: unknown }): void {
  const type = answer.headers.get('content-type') ?? ''
  if (type.startsWith('application/json')) assertDocumented(id, answer)
  else assert.ok(operationOf(id).operation.responses[answer.status]?.content[type], `${id}: ${answer.status} as ${type} is not documented`)
}

/** Returns the body that the operation accepts; undefined when it has none. */
export function bodyOf({ requestBody }: DescribedOperation): Media | undefined {
  const name = requestBody?.$ref?.split('/').at(-1) ?? ''
  const content = requestBody?.content ?? document.components.requestBodies[name]?.content
  return content?.['application/json'] ?? content?.['multipart/form-data']
}

/** Returns `text/plain` when the body may be one plain text; undefined for other bodies. */
export function textTypeOf({ requestBody }: DescribedOperation): string | undefined {
  return Object.keys(requestBody?.content ?? {}).find(type => type === 'text/plain')
}
