/** Finds references in a body to objects that an upstream stores: uploaded files, containers and
 *  skills. */
import { type JsonObject, listOf, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import type { StoredReference } from '../../contract/operation.ts'

export function referencesOf({ messages, container }: JsonObject): StoredReference[] {
  const references: StoredReference[] = []
  for (const [index, message] of listOf(messages).entries()) addBlocks(references, objectOf(message).content, `messages[${index}].content`)
  add(references, typeof container === 'string' ? container : objectOf(container).id, 'container')
  for (const [index, { type, skill_id: skill }] of objectsOf(objectOf(container).skills).entries())
    if (type !== 'anthropic') add(references, skill, `container.skills[${index}].skill_id`)
  return references
}

function addBlocks(references: StoredReference[], content: unknown, field: string): void {
  if (!Array.isArray(content)) return
  for (const [place, block] of content.entries()) {
    const { source, file_id: file, content: inner } = objectOf(block)
    const at = `${field}[${place}]`
    add(references, file, `${at}.file_id`)
    add(references, objectOf(source).file_id, `${at}.source.file_id`)
    addBlocks(references, objectOf(source).content, `${at}.source.content`)
    addBlocks(references, inner, `${at}.content`)
  }
}

function add(references: StoredReference[], id: unknown, field: string): void {
  if (typeof id === 'string' && id !== '') references.push({ kind: 'foreign', id, field })
}
