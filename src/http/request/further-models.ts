/** Refuses bodies that name models besides the one of the request: fallbacks, advisers, models of
 *  routers and tools. A caller could otherwise get the work of any model of the upstream at the
 *  price of the requested one, and despite the scopes of the key
 *  (docs/vendors/README.md#further-models). */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json, type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { type FieldPath, fieldName } from '../../contract/file-fields.ts'
import { type Keywords, keywordsOf } from '../../contract/keywords.ts'
import type { Operation } from '../../contract/operation.ts'
import type { CatalogueModel } from '../../core/routing/catalogue-model.ts'

/** Names of members that name models or let the service choose one. */
const choosesModel = /^route$|models?(_?(names?|ids?|list))?$|fallbacks?(_dict)?$/i
/** Members that are not searched: data and schemas of the caller, `configs` (settings whose names
 *  are names of tools), and `moderation`, whose model only checks the conversation. */
const unsearched: ReadonlySet<string> = new Set([
  ...['metadata', 'labels', 'documents', 'headers', 'env', 'chat_template_kwargs', 'configs', 'moderation', 'input_examples'],
  ...['input_schema', 'output_schema', 'schema', 'json_schema', 'guided_json', 'structured_outputs', 'functionDeclarations'],
])
/** Largest number of characters of a field's path in an error message. The path contains names that
 *  the caller chose, which may be long. */
const mostShown = 200

/** Throws `invalid_request` for a body that names a further model, unless the operator allows it
 *  for the requested model. */
export function assertOneModel({ body: spec }: Operation, body: JsonObject, model: CatalogueModel | undefined): void {
  if (!spec || model?.takesFurtherModels) return
  const keywords = keywordsOf(spec.schema)
  const path = inObject(keywords.properties?.model ? body : withoutOwn(body, model), keywords) ?? inConversation(body)
  if (!path) return
  const field = fieldName(path).slice(0, mostShown)
  const message = `${field} asks for a further model; this model answers only by itself.`
  throw new GatewayError('invalid_request', message, { field, issues: [{ path: ['body', field], message, rule: 'unsupported' }] })
}

/** Returns the body without its member `model` when that member names the requested model: requests
 *  in Google's format may repeat the model that the path names (`models/...`). */
function withoutOwn(body: JsonObject, requested: CatalogueModel | undefined): JsonObject {
  const { model, ...others } = body
  return typeof model === 'string' && model.replace(/^models\//, '') === requested?.id ? others : body
}

/** Returns the path of the first member that names a model, among the tools and the members that
 *  the schema does not declare; undefined when there is none. */
function inObject(value: JsonObject, { properties = {} }: Keywords): FieldPath | undefined {
  for (const name in value) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined
    const path = declared === undefined || name === 'tools' ? inMember(value, name) : inDeclared(value, name, declared)
    if (path) return path
  }
  return undefined
}

function inDeclared(holder: JsonObject, name: string, declared: Keywords): FieldPath | undefined {
  const value = holder[name]
  return declared.properties && isObject(value) && !unsearched.has(name) ? below(name, inObject(value, declared)) : undefined
}

/** Searches the tools that are declared within a conversation: by messages that add a tool
 *  (Messages), and by the results of a search for tools (Responses). */
function inConversation({ messages, input }: JsonObject): FieldPath | undefined {
  const added = inItems(messages, message =>
    below(
      'content',
      inItems(objectOf(message).content, block => inMember(objectOf(block), 'tool')),
    ),
  )
  return (
    below('messages', added) ??
    below(
      'input',
      inItems(input, item => inMember(objectOf(item), 'tools')),
    )
  )
}

/** Returns the path, from `holder`, of the first name of a model in its member `name`; undefined
 *  when there is none. The tool `image_generation` is not searched, because it always uses a model
 *  of its own. */
function inMember(holder: JsonObject, name: string): FieldPath | undefined {
  const value = holder[name]
  if (holder.type === 'image_generation') return undefined
  // A number or a flag cannot choose a model. This check comes first because it is cheap and a body
  // may have very many members.
  if (value === undefined || (typeof value !== 'object' && typeof value !== 'string')) return undefined
  if (unsearched.has(name) || (name === 'parameters' && isFunction(holder))) return undefined
  return choosesModel.test(name) && isChoice(name, value) ? [name] : below(name, inValue(value))
}

function inValue(value: Json): FieldPath | undefined {
  if (Array.isArray(value)) return inItems(value, inValue)
  if (!isObject(value)) return undefined
  for (const name in value) {
    const path = inMember(value, name)
    if (path) return path
  }
  return undefined
}

function inItems(list: Json | undefined, pathIn: (item: Json) => FieldPath | undefined): FieldPath | undefined {
  if (!Array.isArray(list)) return undefined
  for (let index = 0; index < list.length; index++) {
    const item = list[index]
    const path = isObject(item) || Array.isArray(item) ? pathIn(item) : undefined
    if (path) return [index, ...path]
  }
  return undefined
}

function below(name: string, path: FieldPath | undefined): FieldPath | undefined {
  return path && [name, ...path]
}

/** Returns true for a tool that the caller runs: its parameters are a schema. */
function isFunction({ type = null }: JsonObject): boolean {
  return type === null || type === 'function' || type === 'custom'
}

/** Returns false for values that choose no model: empty values, and numbers and flags such as
 *  `allow_fallbacks`. Only in members named `..._dict` are the names inside an object names of
 *  models. */
function isChoice(name: string, value: Json): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0
  return isObject(value) && /dict$/i.test(name) && Object.keys(value).length > 0
}
