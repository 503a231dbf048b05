/** Finds references in a chat body to objects that an upstream stores: uploaded files, the sound of
 *  earlier answers, to which later turns refer by id, and the stores and the identity of the
 *  upstream's customer in tools and data sources. */

import { type Json, type JsonObject, listOf, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import { visitMembers } from '@generation-gateway/kit/outbound/links.ts'
import type { StoredReference } from '../../contract/operation.ts'

/** Members of hosted tools that hold ids of files and stores. */
const storeMembers = new Set(
  'file_id file_ids vector_store_ids collection_ids knowledge_id knowledge_ids container container_id'.split(' '),
)
/** Members of hosted tools with names that the caller chooses. */
const skipped = new Set(['parameters', 'schema', 'headers'])

export function referencesOf({ messages, tools, data_sources: sources, dataSources }: JsonObject): StoredReference[] {
  const references: StoredReference[] = []
  for (const [index, message] of listOf(messages).entries()) {
    const { content, audio } = Object(message)
    add(references, Object(audio).id, `messages[${index}].audio.id`)
    for (const [place, part] of listOf(content).entries()) {
      const field = `messages[${index}].content[${place}]`
      add(references, Object(Object(part).file).file_id, `${field}.file.file_id`)
      add(references, Object(part).file_id, `${field}.file_id`)
    }
  }
  addStores(references, tools)
  addIdentities(references, sources, 'data_sources')
  addIdentities(references, dataSources, 'dataSources')
  return references
}

/** Adds the stores of hosted tools, which only some services have. The schema of a tool is skipped,
 *  because the caller chooses its members. */
function addStores(references: StoredReference[], tools: Json | undefined): void {
  for (const [index, tool] of objectsOf(tools).entries()) {
    if (tool.type === 'function' || tool.type === 'custom') continue
    visitMembers(tool, `tools[${index}]`, {
      ...{ names: storeMembers, skipped },
      visit: (_, member, at) => {
        for (const id of [member].flat()) add(references, id, at)
      },
    })
  }
}

/** Adds data sources (Azure) that the service opens with its own identity, which is that of the
 *  operator, instead of a key in the request. */
function addIdentities(references: StoredReference[], sources: Json | undefined, name: string): void {
  for (const [index, { parameters }] of objectsOf(sources).entries()) {
    const { authentication, key } = objectOf(parameters)
    const type = textOf(objectOf(authentication).type)
    if (type === undefined && textOf(key) !== undefined) continue
    if (type === undefined || /identity/i.test(type))
      references.push({ kind: 'foreign', id: type ?? '', field: `${name}[${index}].parameters.authentication` })
  }
}

function add(references: StoredReference[], id: unknown, field: string): void {
  if (typeof id === 'string' && id !== '') references.push({ kind: 'foreign', id, field })
}
