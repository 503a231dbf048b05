/** Finds references in a body to stored objects: the response that it continues, items of
 *  responses, and objects of an upstream. */

import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type Json, type JsonObject, listOf } from '@generation-gateway/kit/json.ts'
import { isInner, visitMembers } from '@generation-gateway/kit/outbound/links.ts'
import type { StoredReference } from '../../contract/operation.ts'
import { responseOfItem } from './ids.ts'

/** Maps a type of item to the member that contains the item's data. An item without this member is
 *  only a reference to an item that the upstream stores. */
const contentOf: Readonly<Record<string, string>> = {
  reasoning: 'encrypted_content',
  image_generation_call: 'result',
  compaction: 'encrypted_content',
}
/** Members of tools, prompts and environments that hold ids of files, stores and skills which an
 *  upstream keeps for its customer. */
const foreignMembers = ['file_id', 'file_ids', 'vector_store_ids', 'collection_ids', 'knowledge_resource_id', 'skill_id']
/** Members with the id of a container. An account may use the containers that its own stored
 *  responses have shown (`containersOf`). */
const containerMembers = new Set(['container', 'container_id'])
const searched = new Set([...foreignMembers, ...containerMembers])
const skipped = new Set(['parameters', 'schema'])

/** Returns the ids of the containers in which the upstream has run the tool call of an item. */
export function containersOf({ container_id: own, environment }: JsonObject): unknown[] {
  return [own, Object(environment).container_id]
}

export function referencesOf({ previous_response_id: previous, input, tools, prompt }: JsonObject): StoredReference[] {
  const references: StoredReference[] = []
  if (typeof previous === 'string') references.push({ kind: 'response', id: previous, field: 'previous_response_id' })
  for (const [index, item] of listOf(input).entries()) addItem(references, item, `input[${index}]`)
  for (const [index, tool] of listOf(tools).entries()) addForeign(references, tool, `tools[${index}]`)
  addForeign(references, prompt, 'prompt')
  return references
}

function addItem(references: StoredReference[], item: Json, field: string): void {
  if (!isObject(item)) return
  const { type, role, id, approval_request_id: approval, container_id: container, environment, tools } = item
  if (typeof id === 'string' && isReference(item, type, role)) {
    const response = responseOfItem(id)
    references.push({ kind: 'item', id, field, ...defined({ response }) })
    return
  }
  if (typeof approval === 'string') references.push({ kind: 'item', id: approval, field: `${field}.approval_request_id` })
  if (container !== undefined) addContainer(references, container, `${field}.container_id`)
  if (environment !== undefined) addForeign(references, environment, `${field}.environment`)
  if (tools !== undefined) addForeign(references, tools, `${field}.tools`)
  // Only the parts themselves are searched: a citation inside a part of an earlier answer also
  // names a file, but the request does not need that file.
  for (const name of ['content', 'output']) {
    if (!isInner(item[name])) continue
    for (const [index, part] of [item[name]].flat().entries())
      addIds(references, Object(part).file_id, `${field}.${name}[${index}].file_id`)
  }
}

/** Returns true for a reference to a stored item. An item that has neither a type nor a role
 *  also counts as a reference, because clients may omit the type of a reference. */
function isReference(item: JsonObject, type: unknown, role: unknown): boolean {
  if (type === 'item_reference' || ((type ?? undefined) === undefined && (role ?? undefined) === undefined)) return true
  const content = typeof type === 'string' ? contentOf[type] : undefined
  if (content === undefined || (typeof item[content] === 'string' && item[content] !== '')) return false
  // A reasoning item with readable text is not a reference, because its text is enough to continue
  // the conversation.
  return !(type === 'reasoning' && hasText(item))
}

function hasText({ summary, content }: JsonObject): boolean {
  return listOf(content).length > 0 || listOf(summary).length > 0
}

/** Searches a whole tool or prompt for ids of objects that the upstream stores, and adds them. The
 *  schema of a tool is skipped, because the caller chooses the names in it. */
function addForeign(references: StoredReference[], value: Json | undefined, field: string): void {
  visitMembers(value, field, {
    ...{ names: searched, skipped },
    visit: (name, member, at) => {
      if (containerMembers.has(name)) addContainer(references, member, at)
      else addIds(references, member, at)
    },
  })
}

function addContainer(references: StoredReference[], id: unknown, field: string): void {
  if (typeof id === 'string' && id !== '') references.push({ kind: 'container', id, field })
}

function addIds(references: StoredReference[], value: unknown, field: string): void {
  for (const id of [value].flat()) if (typeof id === 'string' && id !== '') references.push({ kind: 'foreign', id, field })
}
