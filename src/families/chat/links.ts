import { type Json, type JsonObject, listOf } from '@generation-gateway/kit/json.ts'
import { addLink, addLinksOf, type Link, visitMembers } from '@generation-gateway/kit/outbound/links.ts'

/** Members of parts with URLs: those of OpenAI, and those of services that extend its dialect. */
const names = ['image_url', 'video_url', 'audio_url', 'file_url', 'image', 'video', 'audio']

/** Members of hosted tools and data sources with the address of a server. */
const addresses = ['server_url', 'endpoint']

/** Returns the URLs in the parts of messages, in hosted tools and in data sources. */
export function linksOf({ messages, tools, data_sources: sources, dataSources }: JsonObject): Link[] {
  const links: Link[] = []
  addAddresses(links, tools, 'tools')
  addAddresses(links, sources, 'data_sources')
  addAddresses(links, dataSources, 'dataSources')
  for (const [index, message] of listOf(messages).entries()) {
    const content = Object(message).content
    if (!Array.isArray(content)) continue
    for (const [place, part] of content.entries()) {
      const field = `messages[${index}].content[${place}]`
      addLinksOf(links, part, { names, field })
      addLinksOf(links, Object(part).file, { names: ['file_data', 'file_url', 'url'], field: `${field}.file` })
      addLinksOf(links, Object(part).input_audio, { names: ['data', 'url'], field: `${field}.input_audio` })
    }
  }
  return links
}

/** Adds the addresses of servers. Functions have none: the caller chooses the names in them. */
function addAddresses(links: Link[], value: Json | undefined, field: string): void {
  if (value === undefined) return
  visitMembers(value, field, {
    skipped: ['function', 'custom', 'headers'],
    visit: (name, member, at) => {
      if (addresses.includes(name)) addLink(links, member, at)
    },
  })
}
