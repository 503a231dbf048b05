/** Finds references in a body to objects that an upstream stores: uploaded files, objects in
 *  buckets, cached contents, and stores that tools search. Other links to the web are not
 *  references. */
import { type Json, type JsonObject, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import { visitMembers } from '@generation-gateway/kit/outbound/links.ts'
import { isOpenLink } from '@generation-gateway/kit/outbound/open-link.ts'
import type { StoredReference } from '../../contract/operation.ts'

export function referencesOf({ contents, systemInstruction, cachedContent, tools }: JsonObject): StoredReference[] {
  const references: StoredReference[] = []
  visitFiles({ contents, systemInstruction }, (uri, field) => addFile(references, uri, field))
  if (typeof cachedContent === 'string' && cachedContent !== '')
    references.push({ kind: 'foreign', id: cachedContent, field: 'cachedContent' })
  addStores(references, tools)
  return references
}

/** Calls `visit` with the address of each file in the parts, and with the path of its field. */
export function visitFiles({ contents, systemInstruction }: JsonObject, visit: (uri: Json | undefined, field: string) => void): void {
  const visitParts = (content: JsonObject, field: string): void => {
    for (const [index, part] of objectsOf(content.parts).entries()) {
      const at = `${field}.parts[${index}]`
      visit(objectOf(part.fileData).fileUri, `${at}.fileData.fileUri`)
      for (const [place, inner] of objectsOf(objectOf(part.functionResponse).parts).entries())
        visit(objectOf(inner.fileData).fileUri, `${at}.functionResponse.parts[${place}].fileData.fileUri`)
    }
  }
  for (const [index, content] of objectsOf(contents).entries()) if (content.parts !== undefined) visitParts(content, `contents[${index}]`)
  visitParts(objectOf(systemInstruction), 'systemInstruction')
}

/** Returns the references in the body of a request for a count of tokens, which may contain a
 *  whole request for content. */
export function countReferencesOf(body: JsonObject): StoredReference[] {
  const within = referencesOf(objectOf(body.generateContentRequest)).map(each => ({
    ...each,
    field: `generateContentRequest.${each.field}`,
  }))
  return [...referencesOf(body), ...within]
}

/** Members of tools that name stores of the upstream's customer, and the secrets and service
 *  accounts with which the upstream calls a service for its customer (`externalApi`). */
const stores = new Set(
  'fileSearchStoreNames datastore dataStore engine ragCorpus ragCorpora ragFileIds apiKeySecret apiKeySecretVersion serviceAccount'.split(
    ' ',
  ),
)

/** Members of tools with names that the caller chooses. */
const skipped = new Set(['functionDeclarations'])

/** Adds the stores that a tool searches. */
function addStores(references: StoredReference[], tools: Json | undefined): void {
  visitMembers(tools, 'tools', {
    ...{ names: stores, skipped },
    visit: (_, member, field) => {
      for (const id of [member].flat()) if (typeof id === 'string' && id !== '') references.push({ kind: 'foreign', id, field })
    },
  })
}

function addFile(references: StoredReference[], uri: unknown, field: string): void {
  if (typeof uri !== 'string' || uri === '') return
  if (!isOpenLink(uri)) references.push({ kind: 'foreign', id: uri, field })
}
