import { isObject, type JsonObject, listOf } from '@generation-gateway/kit/json.ts'
import { addLink, addLinksOf, isInner, type Link, visitMembers } from '@generation-gateway/kit/outbound/links.ts'

/** Members of parts with URLs. */
const names = ['image_url', 'video_url', 'audio_url', 'file_url', 'file_data']
/** Members of tools and prompts with URLs, at any depth. */
const innerNames = new Set([...names, 'server_url'])
/** Members whose contents the caller chooses. */
const skipped = new Set(['parameters', 'schema', 'headers'])

/** Returns the URLs in the parts of items, in tools and in the variables of a prompt. Citations
 *  (`url_citation`, `web_search_call`) are not opened, so they are not links. */
export function linksOf({ input, tools, prompt }: JsonObject): Link[] {
  const links: Link[] = []
  for (const [index, item] of listOf(input).entries()) {
    if (!isObject(item)) continue
    const field = `input[${index}]`
    for (const name of ['content', 'output']) {
      if (!isInner(item[name])) continue
      for (const [place, part] of partsOf(item[name])) {
        const at = () => `${field}.${name}${place}`
        const { input_audio: sound } = Object(part)
        addLinksOf(links, part, { names, at })
        if (sound !== undefined) addLinksOf(links, sound, { names: ['data', 'url'], at: () => `${at()}.input_audio` })
      }
    }
    if (item.tools !== undefined) addInner(links, item.tools, `${field}.tools`)
  }
  addInner(links, tools, 'tools')
  addInner(links, prompt, 'prompt')
  return links.map(withCode)
}

/** Adds the code that OpenAI has for refused URLs of pictures, and our code for those of videos. */
function withCode(link: Link): Link {
  const kind = /\.(image|video)_url$/.exec(link.field)?.[1]
  return kind === undefined ? link : { ...link, wireCode: `invalid_${kind}_url` }
}

/** Returns the parts of a content with their places: a list of parts, or a single part. */
function partsOf(content: unknown): [place: string, part: unknown][] {
  return Array.isArray(content) ? content.map((part, index) => [`[${index}]`, part]) : [['', content]]
}

function addInner(links: Link[], value: unknown, field: string): void {
  visitMembers(value, field, { names: innerNames, skipped, visit: (_, member, at) => addLink(links, member, at) })
}
