import type { TObject, TSchema } from 'typebox'
import { errorCatalogue } from '../core/errors.ts'
import type { JsonObject } from '../core/task.ts'
import type { Family, Operation } from './family.ts'
import { fieldNotes } from './fields.ts'
import { limitsOf } from './limits.ts'

const errorResponse: JsonObject = {
  default: { description: 'An error in the family’s shape.', content: json({ $ref: '#/components/schemas/Error' }) },
}

/** The OpenAPI 3.1 document of the families: one tag per family, one operation per declared operation and its extensions. Plain data, made once at start. */
export function openapiDocument(families: readonly Family[], info: { version: string }): JsonObject {
  const paths: Record<string, JsonObject> = {}
  const add = (path: string, method: string, operation: JsonObject) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const family of families) {
    for (const [name, operation] of Object.entries(family.operations)) {
      add(operation.path, operation.method, describeOperation(family, name, operation))
      for (const [index, path] of (operation.aliases ?? []).entries())
        add(path, operation.method, describeOperation(family, `${name}_${index + 2}`, { ...operation, path }))
      if (!operation.readsTask) continue
      add(`${operation.path}/events`, 'GET', describeEvents(family, name, operation))
      add(operation.path, 'DELETE', describeCancel(family, name, operation))
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Generation gateway',
      version: info.version,
      description:
        'One HTTP interface to every kind of generative model. What the interface documents leave open and this gateway decided is marked “ours”.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ accessKey: [] }],
    tags: families.map(family => ({
      name: family.id,
      description: `**${family.title}** (${family.source}). ${family.description}\n\n${modelsTable(family)}`,
    })),
    paths: paths as JsonObject,
    components: {
      securitySchemes: {
        accessKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An access key. `xi-api-key`, `x-api-key`, `api-key` and `Ocp-Apim-Subscription-Key` are accepted too; never the query.',
        },
      },
      schemas: { Error: errorSchema() },
    },
  }
}

/** A field's schema as published: the gateway's notes become `x-` keywords or go into the description. */
export function publishedSchema(schema: TSchema): JsonObject {
  const plain = JSON.parse(JSON.stringify(schema)) as JsonObject
  return publish(plain)
}

function publish(schema: JsonObject): JsonObject {
  const published: JsonObject = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'spillBytes') published.contentEncoding = 'base64'
    else if (key === 'format' && value === 'http-url') published.format = 'uri'
    else if ((fieldNotes as readonly string[]).includes(key)) published[`x-${key}`] = value
    else if (key === 'properties') published[key] = mapValues(value as JsonObject, publish)
    else if (key === 'items' || key === 'additionalProperties')
      published[key] = typeof value === 'object' && value !== null && !Array.isArray(value) ? publish(value) : value
    else if (key === 'anyOf' && Array.isArray(value)) published[key] = value.map(item => publish(item as JsonObject))
    else published[key] = value
  }
  if (Array.isArray(published.required)) published.required = requiredWithoutDefaults(schema)
  return literalUnion(published)
}

/** A field with a default may be left out. */
function requiredWithoutDefaults(schema: JsonObject): string[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>
  return ((schema.required ?? []) as string[]).filter(name => properties[name]?.default === undefined)
}

/** A union of constants reads better as an enum. */
function literalUnion(schema: JsonObject): JsonObject {
  const options = schema.anyOf
  if (!Array.isArray(options) || !options.every(option => typeof option === 'object' && option !== null && 'const' in option)) return schema
  const { anyOf: _anyOf, ...rest } = schema
  return { ...rest, type: 'string', enum: options.map(option => (option as JsonObject).const ?? null) }
}

function mapValues(object: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value as JsonObject)]))
}

function describeOperation(family: Family, name: string, operation: Operation): JsonObject {
  const described: JsonObject = {
    operationId: `${family.id}_${name}`,
    tags: [family.id],
    summary: operation.summary,
    description: descriptionOf(operation),
    parameters: parametersOf(operation),
    responses: {
      [operation.reply.status]: { description: operation.reply.stream ?? 'Done.', content: replyContent(operation) },
      ...errorResponse,
    },
    'x-source': operation.source,
  }
  if (operation.body)
    described.requestBody = { required: true, content: json(publishedSchema(operation.body.schema), bodyExamples(operation)) }
  return described
}

function replyContent({ reply, examples }: Pick<Operation, 'reply' | 'examples'>): JsonObject {
  const whole = json(publishedSchema(reply.schema), replyExamples({ examples }))
  return reply.stream === undefined ? whole : { ...whole, 'text/event-stream': { schema: { type: 'string' } } }
}

function descriptionOf(operation: Operation): string {
  const parts = operation.description ? [operation.description] : []
  if (operation.rules?.length)
    parts.push(
      `**Rules**\n\n${operation.rules.map(rule => `- \`${rule.id}\`: ${rule.says}${rule.source === 'ours' ? ' (ours)' : ''}`).join('\n')}`,
    )
  const limits = limitsOf(operation)
  if (limits.length > 0) {
    const rows = limits.map(
      row => `| \`${row.field}\` | ${row.type} | ${row.limits || '-'} | ${row.default ?? '-'} | ${row.usedBy} | ${row.source} |`,
    )
    parts.push(
      `**Fields and limits**\n\n| field | type | limits | default | used by | source |\n|---|---|---|---|---|---|\n${rows.join('\n')}`,
    )
  }
  // A conversation is answered at once: there is no task to find again.
  if (operation.choosesModel && !operation.relays)
    parts.push('An `Idempotency-Key` header makes a repeat safe: the same key and body give the first task, another body is 409.')
  return parts.join('\n\n')
}

function parametersOf(operation: Operation): JsonObject[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    return {
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      description: name === 'endpoint' ? 'Endpoint of the account; `default` at first.' : '',
    }
  })
  const query: TObject | undefined = operation.query
  const required: readonly string[] = query?.required ?? []
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) => {
    return { name, in: 'query', required: required.includes(name), schema: publishedSchema(schema) }
  })
  return [...inPath, ...inQuery]
}

function describeEvents(family: Family, name: string, operation: Operation): JsonObject {
  return {
    operationId: `${family.id}_${name}_events`,
    tags: [family.id],
    summary: 'History of the task as server-sent events (extension)',
    description: 'Every state and progress of the task, from the first; `Last-Event-ID` resumes. The stream ends after the final state.',
    parameters: [...parametersOf(operation), { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'integer' } }],
    responses: { 200: { description: 'Events.', content: { 'text/event-stream': { schema: { type: 'string' } } } }, ...errorResponse },
    'x-source': 'ours',
  }
}

function describeCancel(family: Family, name: string, operation: Operation): JsonObject {
  return {
    operationId: `${family.id}_${name}_cancel`,
    tags: [family.id],
    summary: 'Cancel the task (extension)',
    description: 'Asks for the end of a task; the answer is that of the read operation. An ended task stays as it is.',
    parameters: parametersOf(operation),
    responses: {
      [operation.reply.status]: { description: 'The task.', content: json(publishedSchema(operation.reply.schema)) },
      ...errorResponse,
    },
    'x-source': 'ours',
  }
}

function json(schema: JsonObject, examples?: JsonObject): JsonObject {
  return { 'application/json': examples && Object.keys(examples).length > 0 ? { schema, examples } : { schema } }
}

function bodyExamples(operation: Operation): JsonObject {
  return Object.fromEntries(
    operation.examples.filter(example => example.body).map(example => [example.title, { value: example.body ?? {} }]),
  )
}

function replyExamples({ examples }: Pick<Operation, 'examples'>): JsonObject {
  return Object.fromEntries(examples.map(example => [example.title, { value: example.reply }]))
}

function modelsTable(family: Family): string {
  const rows = family.models.map(model => `| \`${model.id}\` | ${model.group ?? '-'} | ${model.title} |`)
  return `| model | group | what |\n|---|---|---|\n${rows.join('\n')}`
}

function errorSchema(): JsonObject {
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'type', 'param', 'request_id'],
        properties: {
          code: {
            type: ['string', 'null'],
            description: `A code of the catalogue (${Object.keys(errorCatalogue).join(', ')}), or in families of OpenAI’s shape the word its clients know.`,
          },
          message: { type: 'string', description: 'What was wrong, with the field, its value and its limit.' },
          type: { type: 'string' },
          param: { type: ['string', 'null'] },
          request_id: { type: 'string' },
        },
      },
    },
  }
}
