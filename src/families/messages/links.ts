import { type JsonObject, listOf, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import { addLink, type Link } from '@generation-gateway/kit/outbound/links.ts'

/** Returns the URLs in the sources of blocks, and those of MCP servers. */
export function linksOf({ messages, mcp_servers: servers }: JsonObject): Link[] {
  const links: Link[] = []
  for (const [index, message] of listOf(messages).entries()) addBlocks(links, objectOf(message).content, `messages[${index}].content`)
  for (const [index, { url }] of objectsOf(servers).entries()) addLink(links, url, `mcp_servers[${index}].url`)
  return links
}

function addBlocks(links: Link[], content: unknown, field: string): void {
  if (!Array.isArray(content)) return
  for (const [place, block] of content.entries()) {
    const { source, content: inner } = objectOf(block)
    const at = `${field}[${place}]`
    addLink(links, objectOf(source).url, `${at}.source.url`)
    addBlocks(links, objectOf(source).content, `${at}.source.content`)
    addBlocks(links, inner, `${at}.content`)
  }
}
