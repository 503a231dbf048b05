/** Finds references in a body to objects that an upstream stores: uploaded files, objects in
 *  buckets, and cached contents. A link to anything else on the web is no such reference. */
import { type JsonObject, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import type { StoredReference } from '../../contract/operation.ts'

export function referencesOf({ contents, systemInstruction, cachedContent }: JsonObject): StoredReference[] {
  const references: StoredReference[] = []
  const addParts = (content: JsonObject, field: string): void => {
    for (const [index, part] of objectsOf(content.parts).entries()) {
      const at = `${field}.parts[${index}]`
      addFile(references, objectOf(part.fileData).fileUri, `${at}.fileData.fileUri`)
      for (const [place, inner] of objectsOf(objectOf(part.functionResponse).parts).entries())
        addFile(references, objectOf(inner.fileData).fileUri, `${at}.functionResponse.parts[${place}].fileData.fileUri`)
    }
  }
  for (const [index, content] of objectsOf(contents).entries()) addParts(content, `contents[${index}]`)
  addParts(objectOf(systemInstruction), 'systemInstruction')
  if (typeof cachedContent === 'string' && cachedContent !== '')
    references.push({ kind: 'foreign', id: cachedContent, field: 'cachedContent' })
  return references
}

const openLink = /^https?:\/\//i
const storedAtGoogle = /^https?:\/\/([\w-]+\.)*(generativelanguage|storage|aiplatform)\.googleapis\.com(:\d+)?\//i

function addFile(references: StoredReference[], uri: unknown, field: string): void {
  if (typeof uri !== 'string' || uri === '') return
  if (!openLink.test(uri) || storedAtGoogle.test(uri)) references.push({ kind: 'foreign', id: uri, field })
}
