/** Finds references in a chat body to objects that an upstream stores: uploaded files, and the
 *  sound of earlier answers, to which later turns refer by id. */

import { type JsonObject, listOf } from '@generation-gateway/kit/json.ts'
import type { StoredReference } from '../../contract/operation.ts'

export function referencesOf({ messages }: JsonObject): StoredReference[] {
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
  return references
}

function add(references: StoredReference[], id: unknown, field: string): void {
  if (typeof id === 'string' && id !== '') references.push({ kind: 'foreign', id, field })
}
