import { isDeepStrictEqual } from 'node:util'
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import { errorCatalogue } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import Type, { type TObject, type TSchema } from 'typebox'
import { taskStates } from '../../core/records/task.ts'
import type { BodySpec } from '../body.ts'
import type { Family } from '../family.ts'
import { builtInModels } from '../model.ts'
import type { Example, Operation } from '../operation.ts'
import { namedObject, optional } from '../schemas.ts'
import { type ErrorAnswer, errorAnswersOf, isSubmit } from './error-answers.ts'
import { limitsOf } from './limits.ts'
import { bodyContent, bodySchema, otherContentTypes } from './openapi-bodies.ts'
import { mergedOperation, otherAnswersOf } from './openapi-parts.ts'
import { type Components, newComponents } from './published-schema.ts'

/** Schema for the data of one event in a task's history; the same in every family. */
const taskEvent = namedObject(
  'TaskEvent',
  {
    task_id: Type.String(),
    at: Type.Integer({ description: 'Unix milliseconds.' }),
    progress: optional.number({ minimum: 0, maximum: 100, description: 'In `task.progress`.' }),
    attempt: optional.integer({ description: 'In `task.running` and `task.retrying`: from 1.' }),
  },
  {
    description: `The event's name is \`task.\` and a state (${taskStates.join(', ')}), \`progress\` or \`retrying\`; its id counts from 1.`,
  },
)

/** Schema for the id of an event. A client sends the id of the last event that it has received, and
 *  gets the events after it. */
const eventId = Type.Integer({ minimum: 0 })

/** One operation at one of its paths. */
interface PlacedOperation {
  family: Family
  operation: Operation
  path: string
  id: string
}

/** Returns the OpenAPI 3.1 document of the families: one tag per family, one operation for each
 *  declared operation, and further ones for its alias paths and its extensions (events and
 *  cancellation of a task). Named schemas are in the components. `server` is the base URL of the
 *  paths; `/` when absent. Throws for a reply without a name, and for a name that two schemas or
 *  two operations have. */
export function openapiDocument(
  families: readonly Family[],
  info: { version: string; engines: readonly DriverSpec[]; server?: string },
): JsonObject {
  const document = new DocumentBuilder()
  for (const family of families) for (const operation of Object.values(family.operations)) document.add(family, operation)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Generation gateway',
      version: info.version,
      description:
        'One HTTP interface to every kind of generative model. What the interface documents leave open and this gateway decided is marked “ours”. An example with `x-needs` is one that a gateway with nothing configured refuses; the sentence says what it needs.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.server ?? '/' }],
    security: [{ accessKey: [] }],
    tags: families.map(family => ({
      name: family.id,
      description: `**${family.title}** (${family.source}). ${family.description}\n\n${modelsTable(family, info.engines)}`,
    })),
    paths: document.paths as JsonObject,
    components: {
      securitySchemes: {
        accessKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An access key. `xi-api-key`, `x-api-key`, `api-key`, `Ocp-Apim-Subscription-Key` and `x-goog-api-key` are accepted too; never the query.',
        },
      },
      headers: {
        RetryAfter: {
          description: 'Seconds after which a retry may succeed, 1 to 60.',
          schema: { type: 'integer', minimum: 1, maximum: 60 },
        },
      },
      requestBodies: document.bodies as JsonObject,
      schemas: sorted(document.components.schemas),
    },
  }
}

class DocumentBuilder {
  readonly paths: Record<string, JsonObject> = {}
  readonly bodies: Record<string, JsonObject> = {}
  readonly components: Components = newComponents()
  readonly #ids = new Set<string>()

  add(family: Family, operation: Operation): void {
    const { path, operationId, aliases = [] } = operation
    this.#place(operation.method, path, this.#operation({ family, operation, path, id: operationId }))
    for (const [index, alias] of aliases.entries()) {
      const id = aliasId(family, operation, alias, index)
      this.#place(operation.method, alias, this.#operation({ family, operation, path: alias, id }))
    }
    if (!operation.readsTask) return
    const what = operationId.replace(/^get/, '')
    const others = Object.values(family.operations)
    const isTaken = (method: string, at: string) =>
      others.some(other => other.method === method && [other.path, ...(other.aliases ?? [])].includes(at))
    for (const [index, at] of [path, ...aliases].entries()) {
      const further = index === 0 ? '' : aliasSuffix(family, at, index - 1)
      const placed = { family, operation, path: at }
      if (!isTaken('GET', `${at}/events`)) this.#place('GET', `${at}/events`, this.#events({ ...placed, id: `watch${what}${further}` }))
      if (!isTaken('DELETE', at)) this.#place('DELETE', at, this.#cancel({ ...placed, id: `cancel${what}${further}` }))
    }
  }

  #place(method: string, path: string, described: JsonObject): void {
    const id = String(described.operationId)
    if (this.#ids.has(id)) throw new TypeError(`two operations have the id ${id}`)
    this.#ids.add(id)
    const name = method.toLowerCase()
    const there = this.paths[path]?.[name]
    this.paths[path] = { ...this.paths[path], [name]: isObject(there) ? mergedOperation(there, described, this.bodies) : described }
  }

  #operation(placed: PlacedOperation): JsonObject {
    const { family, operation, id } = placed
    const { reply } = operation
    const content = {
      ...(reply.schema ? this.#json(this.#named(reply.schema, id), examplesOf(operation, 'reply')) : {}),
      ...otherAnswersOf(operation),
      ...this.#stream(reply.stream?.event),
    }
    return {
      operationId: id,
      tags: [family.id],
      summary: operation.summary,
      ...descriptionOf(operation),
      parameters: [...this.#parameters(placed), ...(isSubmit(operation) ? [idempotencyKey] : [])],
      ...(operation.body ? { requestBody: this.#body(operation) } : {}),
      responses: { ...this.#answers(operation, content), ...this.#failures(placed, 'operation') },
      ...(operation.access === undefined || operation.access === 'key' ? {} : { security: [] }),
      ...(operation.vendorPaths ? { 'x-vendor-paths': [...operation.vendorPaths] } : {}),
      'x-source': operation.source ?? 'interface',
    }
  }

  #answers({ reply }: Operation, content: JsonObject): JsonObject {
    const { stream, others = [], headers } = reply
    const says = [stream?.says, ...others.filter(({ kind }) => kind !== 'redirect').map(other => other.says)].filter(
      text => text !== undefined,
    )
    const described = Object.entries(headers ?? {}).map(([name, schema]) => [name, { schema: this.components.publish(schema) }])
    const answer = {
      description: says.length > 0 ? says.join(' ') : 'Done.',
      ...(headers ? { headers: Object.fromEntries(described) } : {}),
      ...(Object.keys(content).length > 0 ? { content } : {}),
    }
    const redirect = others.find(({ kind }) => kind === 'redirect')
    return { 200: answer, ...(redirect ? { 302: { description: redirect.says } } : {}) }
  }

  /** Returns a reference to the request body. Body and schema are components of their own, because
   *  the aliases of the operation share them. */
  #body({ operationId, body, examples }: Operation): JsonObject {
    const name = `${capitalized(operationId)}Request`
    if (body && this.bodies[name] === undefined) {
      const content = bodyContent(body, this.#bodySchema(`${capitalized(operationId)}Body`, body), examplesOf({ examples }, 'body'))
      this.bodies[name] = { required: true, content }
    }
    return { $ref: `#/components/requestBodies/${name}` }
  }

  #bodySchema(name: string, body: BodySpec): JsonObject {
    if (this.components.schemas[name] !== undefined) throw new TypeError(`two schemas have the name ${name}`)
    const schema = bodySchema(body, this.components.publish(body.schema))
    // Two operations at one path whose text bodies have equal schemas share one schema. Otherwise
    // the document would have an `anyOf` of two equal schemas.
    const same = body.text && Object.entries(this.components.schemas).find(([, each]) => isDeepStrictEqual(each, schema))?.[0]
    this.components.schemas[same ?? name] = schema
    return { $ref: `#/components/schemas/${same ?? name}` }
  }

  #events(placed: PlacedOperation): JsonObject {
    return {
      operationId: placed.id,
      tags: [placed.family.id],
      summary: 'History of the task as server-sent events (extension)',
      description:
        'Every state and progress of the task, from the first; `Last-Event-ID`, the id of an event, resumes after that event. The stream ends after the final state.',
      parameters: [
        ...this.#taskParameters(placed),
        { name: 'Last-Event-ID', in: 'header', required: false, schema: this.components.publish(eventId) },
      ],
      responses: { 200: { description: 'Events.', content: this.#stream(taskEvent) }, ...this.#failures(placed, 'events') },
      'x-source': 'ours',
    }
  }

  #cancel(placed: PlacedOperation): JsonObject {
    const { reply } = placed.operation
    return {
      operationId: placed.id,
      tags: [placed.family.id],
      summary: 'Cancel the task (extension)',
      description: 'Asks for the end of a task; the answer is that of the read operation. An ended task stays as it is.',
      parameters: this.#taskParameters(placed),
      responses: {
        200: {
          description: 'The task.',
          ...(reply.schema ? { content: this.#json(this.components.publish(reply.schema)) } : {}),
        },
        ...this.#failures(placed, 'cancel'),
      },
      'x-source': 'ours',
    }
  }

  #failures({ family, operation, path }: PlacedOperation, part: 'operation' | 'events' | 'cancel'): JsonObject {
    const answers = errorAnswersOf(family, operation, { path, part })
    return Object.fromEntries(answers.map(answer => [answer.status, this.#failure(answer)]))
  }

  #failure({ status, codes, schemas }: ErrorAnswer): JsonObject {
    const published = schemas.map(schema => this.#named(schema, `a failure with ${status}`))
    const [only] = published
    const schema = published.length === 1 && only ? only : { anyOf: published }
    const headers = status === 429 || status === 503 ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } } : {}
    const description = codes.map(code => `\`${code}\`: ${errorCatalogue[code].says}`).join('\n\n')
    return { description, ...headers, content: this.#json(schema) }
  }

  #named(schema: TSchema, of: string): JsonObject {
    const published = this.components.publish(schema)
    if (published.$ref === undefined) throw new TypeError(`the schema of ${of} has no name`)
    return published
  }

  #stream(event: TSchema | undefined): JsonObject {
    return event ? { 'text/event-stream': { schema: this.#named(event, 'an event') } } : {}
  }

  #json(schema: JsonObject, examples: JsonObject = {}): JsonObject {
    return { 'application/json': Object.keys(examples).length > 0 ? { schema, examples } : { schema } }
  }

  /** Returns the parameters of an operation's extension. When the operation has the id of the task
   *  in its body, the extension has it as a query parameter. */
  #taskParameters(placed: PlacedOperation): JsonObject[] {
    const { readsTask, body } = placed.operation
    const field = readsTask?.in === 'body' ? body?.schema.properties[readsTask.parameter] : undefined
    const name = readsTask?.parameter ?? ''
    const own = this.#parameters({ ...placed, operation: withoutCondition(placed.operation) })
    if (!field) return own
    const schema = this.components.publish(field)
    return [...own, { name, in: 'query', required: true, schema, ...valuesOf(placed.operation, 'body', name) }]
  }

  #parameters({ operation, path }: PlacedOperation): JsonObject[] {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const given = { name, in: 'path', required: true, schema: { type: 'string' } }
      if (name === 'endpoint') return { ...given, description: 'Endpoint of the account; `default` at first.', example: 'default' }
      return { ...given, ...valuesOf(operation, 'path', name) }
    })
    const query: TObject | undefined = operation.query
    const { properties = {}, required = [] } = query ? this.components.publish(query) : {}
    const inQuery = Object.entries(properties ?? {}).map(([name, schema]: [string, Json]) => ({
      name,
      in: 'query',
      required: Array.isArray(required) && required.includes(name),
      schema,
      ...valuesOf(operation, 'query', name),
    }))
    return [...inPath, ...conditionOf(operation), ...inQuery]
  }
}

/** Returns the query parameters that distinguish the operation from others with the same path. */
function conditionOf({ when }: Operation): JsonObject[] {
  return Object.entries(when?.query ?? {}).map(([name, value]) => ({
    ...{ name, in: 'query', required: true, schema: { type: 'string', enum: [value] } },
    example: value,
  }))
}

/** Returns the operation without its condition (`when`), for an extension: the extension serves
 *  all operations at the path, whichever condition a call meets. */
function withoutCondition({ when: _, ...operation }: Operation): Operation {
  return operation
}

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description: 'Makes a repeat safe: the same key and body give the first task, another body is 409.',
}

function aliasId(family: Family, { operationId }: Operation, path: string, index: number): string {
  return operationId + aliasSuffix(family, path, index)
}

/** Returns the suffix that distinguishes the operation id of an alias. An alias without
 *  `{endpoint}` in its path belongs to the endpoint `default`; in a family that every key may use
 *  (`isOpen`), it belongs to all endpoints. */
function aliasSuffix(family: Family, path: string, index: number): string {
  if (path.includes('{endpoint}')) return String(index + 2)
  return family.isOpen ? 'Everywhere' : 'AtDefault'
}

function descriptionOf(operation: Operation): { description?: string } {
  const parts = [...(operation.description ? [operation.description] : []), ...(operation.body ? otherContentTypes(operation.body) : [])]
  if (operation.rules?.length)
    parts.push(
      `**Rules**\n\n${operation.rules.map(rule => `- \`${rule.id}\`: ${rule.groups ? `${rule.groups.join(', ')}: ` : ''}${rule.says}${rule.source === 'ours' ? ' (ours)' : ''}`).join('\n')}`,
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
  return parts.length === 0 ? {} : { description: parts.join('\n\n') }
}

/** Examples of bodies or replies, by title. */
function examplesOf({ examples }: Pick<Operation, 'examples'>, part: 'body' | 'reply'): JsonObject {
  return Object.fromEntries(
    examples.flatMap(example => {
      const value = example[part]
      return value ? [[example.title, part === 'reply' ? { value } : sent(example, value)]] : []
    }),
  )
}

/** Returns the examples of the parameters, by name. */
function valuesOf({ examples }: Operation, part: 'path' | 'query' | 'body', name: string): { examples?: JsonObject } {
  const values = examples.flatMap(example => {
    const value = example[part]?.[name]
    return value === undefined ? [] : [[example.title, sent(example, value)]]
  })
  return values.length === 0 ? {} : { examples: Object.fromEntries(values) }
}

function sent({ needs }: Example, value: Json): JsonObject {
  return needs === undefined ? { value } : { description: `Needs ${needs}`, value, 'x-needs': needs }
}

function modelsTable(family: Family, engines: readonly DriverSpec[]): string {
  const rows = builtInModels(family, engines).map(model => `| \`${model.id}\` | ${model.group ?? '-'} | ${model.title} |`)
  return `| model | group | what |\n|---|---|---|\n${rows.join('\n')}`
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function sorted(schemas: Record<string, JsonObject>): JsonObject {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
}
