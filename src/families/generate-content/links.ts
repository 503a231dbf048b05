import { isObject, type JsonObject, listOf, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import { addLink, type Link, visitMembers } from '@generation-gateway/kit/outbound/links.ts'
import { isOpenLink } from '@generation-gateway/kit/outbound/open-link.ts'

/** Members of tools with the address of a server. */
const addresses = new Set(['url', 'endpoint'])
const skipped = new Set(['functionDeclarations'])

/** Returns the URLs of files, and those of servers that tools call. */
export function linksOf({ contents, systemInstruction, tools, generateContentRequest }: JsonObject): Link[] {
  const links: Link[] = []
  // Every other address of a file names one that the upstream stores (`referencesOf`).
  const addFile = (uri: unknown, field: string): void => {
    if (typeof uri === 'string' && isOpenLink(uri)) addLink(links, uri, field)
  }
  const addParts = (content: JsonObject, field: string): void => {
    for (const [index, part] of objectsOf(content.parts).entries()) {
      const at = `${field}.parts[${index}]`
      addFile(objectOf(part.fileData).fileUri, `${at}.fileData.fileUri`)
      for (const [place, inner] of objectsOf(objectOf(part.functionResponse).parts).entries())
        addFile(objectOf(inner.fileData).fileUri, `${at}.functionResponse.parts[${place}].fileData.fileUri`)
    }
  }
  for (const [index, content] of listOf(contents).entries())
    if (isObject(content) && content.parts !== undefined) addParts(content, `contents[${index}]`)
  addParts(objectOf(systemInstruction), 'systemInstruction')
  visitMembers(tools, 'tools', { names: addresses, skipped, visit: (_, member, at) => addLink(links, member, at) })
  if (generateContentRequest === undefined) return links
  const within = linksOf(objectOf(generateContentRequest)).map(({ url, field }) => ({ url, field: `generateContentRequest.${field}` }))
  return [...links, ...within]
}
