import { type Json, type JsonObject, listOf } from '@generation-gateway/kit/json.ts'
import { addLink, addLinksOf, type Link, visitMembers } from '@generation-gateway/kit/outbound/links.ts'

/** Members of parts with URLs: those of OpenAI, and those of services that extend its dialect. */
const partNames = ['image_url', 'video_url', 'audio_url', 'file_url', 'image', 'video', 'audio']

const fileNames = ['file_data', 'file_url', 'url']
const soundNames = ['data', 'url']
/** Members of hosted tools and data sources with the address of a server. */
const addresses = new Set(['server_url', 'endpoint'])
const skipped = new Set(['function', 'custom', 'headers'])

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
      const at = () => `messages[${index}].content[${place}]`
      const { file, input_audio: sound } = Object(part)
      addLinksOf(links, part, { names: partNames, at })
      if (file !== undefined) addLinksOf(links, file, { names: fileNames, at: () => `${at()}.file` })
      if (sound !== undefined) addLinksOf(links, sound, { names: soundNames, at: () => `${at()}.input_audio` })
    }
  }
  return links
}

/** Adds the addresses of servers. Functions have none: the caller chooses the names in them. */
function addAddresses(links: Link[], value: Json | undefined, field: string): void {
  if (value === undefined) return
  visitMembers(value, field, { names: addresses, skipped, visit: (_, member, at) => addLink(links, member, at) })
}
