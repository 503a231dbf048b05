import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { addLink, type Link, visitMembers } from '@generation-gateway/kit/outbound/links.ts'
import { isOpenLink } from '@generation-gateway/kit/outbound/open-link.ts'
import { visitFiles } from './references.ts'

/** Members of tools with the address of a server. */
const addresses = new Set(['url', 'endpoint'])
const skipped = new Set(['functionDeclarations'])

/** Returns the URLs of files, and those of servers that tools call. */
export function linksOf({ contents, systemInstruction, tools, generateContentRequest }: JsonObject): Link[] {
  const links: Link[] = []
  visitFiles({ contents, systemInstruction }, (uri, field) => {
    // Every other address of a file names one that the upstream stores (`referencesOf`).
    if (typeof uri === 'string' && isOpenLink(uri)) addLink(links, uri, field)
  })
  visitMembers(tools, 'tools', { names: addresses, skipped, visit: (_, member, at) => addLink(links, member, at) })
  if (generateContentRequest === undefined) return links
  const within = linksOf(objectOf(generateContentRequest)).map(({ url, field }) => ({ url, field: `generateContentRequest.${field}` }))
  return [...links, ...within]
}
