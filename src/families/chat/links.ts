import { type JsonObject, listOf } from '@generation-gateway/kit/json.ts'
import { addLinksOf, type Link } from '@generation-gateway/kit/outbound/links.ts'

/** Members of parts with URLs: those of OpenAI, and those of services that extend its dialect. */
const names = ['image_url', 'video_url', 'audio_url', 'file_url', 'image', 'video', 'audio']

/** Returns the URLs in the parts of messages. */
export function linksOf({ messages }: JsonObject): Link[] {
  const links: Link[] = []
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
