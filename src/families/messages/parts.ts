/** Translates blocks of text, images, documents and search results into neutral parts. */
import { isObject, textOf } from '@generation-gateway/kit/json.ts'
import { dataUrlOf } from '@generation-gateway/kit/requests/conversation/data-url.ts'
import type { TextPart } from '@generation-gateway/kit/requests/text.ts'
import { type Path, refusal } from '../shared/refusal.ts'
import type { Block } from './schema.ts'

const partTypes = {
  user: ['text', 'image', 'document', 'search_result', 'tool_result'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'],
} as const
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

/** Returns the neutral parts of a block. Throws `invalid_request`, which names the member that
 *  cannot be translated. */
export function partsOf(block: Block, role: keyof typeof partTypes, path: Path): TextPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: textAt(block, 'text', path) }]
    case 'image':
      if (role === 'user') return [imageOf(block, path)]
      break
    case 'document':
      if (role === 'user') return documentOf(block, path)
      break
    case 'search_result':
      if (role === 'user') return [{ type: 'text', text: foundText(block, path) }]
      break
  }
  const known: readonly string[] = partTypes[role]
  throw refusal([...path, 'type'], `is ${block.type}; this model takes ${known.join(', ')} in a message of role ${role}.`, 'unsupported')
}

function imageOf({ source }: Block, path: Path): TextPart {
  const at = [...path, 'source']
  if (!isObject(source)) throw refusal(at, 'is required in a block of type image.', 'required')
  switch (source.type) {
    case 'base64': {
      const type = textAt(source, 'media_type', at)
      if (!imageTypes.includes(type))
        throw refusal([...at, 'media_type'], `is ${type}; it must be one of ${imageTypes.join(', ')}.`, 'unsupported')
      return { type: 'image', url: dataUrlAt(source, type, at) }
    }
    case 'url': {
      const url = textAt(source, 'url', at)
      if (/^https?:/i.test(url) && URL.canParse(url)) return { type: 'image', url }
      throw refusal([...at, 'url'], 'must be an http or https URL.')
    }
    default:
      throw refusal([...at, 'type'], `is ${String(source.type)}; it must be base64 or url.`, 'unsupported')
  }
}

function documentOf(block: Block, path: Path): TextPart[] {
  const at = [...path, 'source']
  const { source, title, context } = block
  if (!isObject(source)) throw refusal(at, 'is required in a block of type document.', 'required')
  const heading = [title, context].filter(text => typeof text === 'string' && text !== '').join('\n')
  const before: TextPart[] = heading === '' ? [] : [{ type: 'text', text: heading }]
  switch (source.type) {
    case 'base64': {
      const type = textAt(source, 'media_type', at)
      if (type !== 'application/pdf') throw refusal([...at, 'media_type'], `is ${type}; it must be application/pdf.`, 'unsupported')
      const data = dataUrlAt(source, type, at)
      const rest: TextPart[] = typeof context === 'string' && context !== '' ? [{ type: 'text', text: context }] : []
      return [...rest, { type: 'file', data, name: typeof title === 'string' && title !== '' ? title : 'document.pdf' }]
    }
    case 'text':
      return [...before, { type: 'text', text: textAt(source, 'data', at) }]
    case 'content':
      return [...before, ...contentParts(source.content, [...at, 'content'])]
    default:
      throw refusal([...at, 'type'], `is ${String(source.type)}; it must be base64, text or content.`, 'unsupported')
  }
}

function contentParts(content: unknown, path: Path): TextPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw refusal(path, 'must be a text or a list of blocks.')
  return content.map((block: unknown, index) => {
    const place = [...path, index]
    if (!isObject(block)) throw refusal(place, 'must be a block.')
    if (block.type === 'text') return { type: 'text', text: textAt(block, 'text', place) }
    // The cast is safe: `imageOf` checks the source.
    if (block.type === 'image') return imageOf(block as unknown as Block, place)
    throw refusal([...place, 'type'], `is ${textOf(block.type) ?? 'not a text'}; a document takes text and image.`, 'unsupported')
  })
}

/** Returns a search result as one text that has its title, its source and its contents. */
function foundText(block: Block, path: Path): string {
  const parts = contentParts(block.content, [...path, 'content'])
  const { title, source } = block as unknown as { title?: unknown; source?: unknown }
  const texts = parts.map(part => (part.type === 'text' ? part.text : ''))
  return [title, source, ...texts].filter(text => typeof text === 'string' && text !== '').join('\n')
}

function textAt(object: object, name: string, path: Path): string {
  const value: unknown = Reflect.get(object, name)
  if (typeof value === 'string') return value
  throw refusal([...path, name], value === undefined ? 'is required.' : 'must be a text.', value === undefined ? 'required' : 'invalid')
}

/** Returns a data URL of the base64 in the member `data`. */
function dataUrlAt(source: object, mediaType: string, path: Path): string {
  const text = textAt(source, 'data', path)
  if (text === '') throw refusal([...path, 'data'], 'is empty; it must be the base64 of a file.')
  const read = dataUrlOf(`data:${mediaType};base64,${text}`)
  if (read?.data === undefined) throw refusal([...path, 'data'], 'is not valid base64.')
  return read.url
}
