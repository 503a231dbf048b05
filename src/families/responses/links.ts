import { type JsonObject, listOf } from '@generation-gateway/kit/json.ts'
import { addLink, addLinksOf, type Link, visitMembers } from '@generation-gateway/kit/outbound/links.ts'

/** Members of parts with URLs. */
const names = ['image_url', 'video_url', 'audio_url', 'file_url', 'file_data']
/** Members of tools and prompts with URLs, at any depth. */
const innerNames = [...names, 'server_url']
/** Members whose contents the caller chooses. */
const skipped = ['parameters', 'schema', 'headers']

/** Returns the URLs in the parts of items, in tools and in the variables of a prompt. Citations
 *  (`url_citation`, `web_search_call`) are not opened, so they are not links. */
export function linksOf({ input, tools, prompt }: JsonObject): Link[] {
  const links: Link[] = []
  for (const [index, item] of listOf(input).entries()) {
    const field = `input[${index}]`
    for (const name of ['content', 'output'])
      for (const [place, part] of partsOf(Object(item)[name])) {
        const at = () => `${field}.${name}${place}`
        const { input_audio: sound } = Object(part)
        addLinksOf(links, part, { names, at })
        if (sound !== undefined) addLinksOf(links, sound, { names: ['data', 'url'], at: () => `${at()}.input_audio` })
      }
    addInner(links, Object(item).tools, `${field}.tools`)
  }
  addInner(links, tools, 'tools')
  addInner(links, prompt, 'prompt')
  return links
}

/** Returns the parts of a content with their places: a list of parts, or a single part. */
function partsOf(content: unknown): [place: string, part: unknown][] {
  return Array.isArray(content) ? content.map((part, index) => [`[${index}]`, part]) : [['', content]]
}

function addInner(links: Link[], value: unknown, field: string): void {
  if (typeof value !== 'object') return
  visitMembers(value, field, {
    skipped,
    visit: (name, member, at) => {
      if (innerNames.includes(name)) addLink(links, member, at)
    },
  })
}
