/** Translates parts with text and files into neutral parts. */
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { ReadablePart } from '@generation-gateway/kit/requests/refused-part.ts'
import type { TextPart } from '@generation-gateway/kit/requests/text.ts'
import { type Path, refusal } from '../shared/refusal.ts'
import type { InlineData, Part } from './schema.ts'

/** Members that a part with text or a file may have; `partMetadata` and `mediaResolution` are
 *  accepted and ignored. */
const beside = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'partMetadata',
  'mediaResolution',
  'inlineData',
  'fileData',
])

/** Returns the neutral parts of a part; an empty list for a part without content, such as one
 *  that has only a signature. Throws `invalid_request`, which names the member that cannot be
 *  translated. */
export function partsOf(part: Part, path: Path): TextPart[] {
  const { text, inlineData, fileData } = part
  const other = Object.keys(part).find(name => !beside.has(name))
  if (other !== undefined) throw refusal([...path, other], 'is not offered by this model.', 'unsupported')
  const offset = offsetIn(part)
  if (offset !== undefined) throw refusal([...path, 'videoMetadata', offset], 'is not offered by this model.', 'unsupported')
  const parts: TextPart[] = text === undefined || text === '' ? [] : [{ type: 'text', text }]
  if (inlineData) parts.push(fileOf(inlineData, part, [...path, 'inlineData']))
  if (fileData) parts.push(linkOf(fileData, part, [...path, 'fileData']))
  return parts
}

/** Returns a file as a neutral part. */
export function fileOf({ mimeType, data, displayName }: InlineData, part: Part, path: Path): TextPart {
  const base64 = plainBase64(data)
  if (base64 === '') throw refusal([...path, 'data'], 'is empty; it must be the base64 of a file.')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw refusal([...path, 'data'], 'is not base64.')
  const [type = '', subtype = ''] = (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase().split('/')
  const url = `data:${type}/${subtype};base64,${base64}`
  if (!/^[\w.+-]+$/.test(subtype))
    throw refusal([...path, 'mimeType'], `is ${JSON.stringify(mimeType.slice(0, 100))}, which is not a media type.`)
  switch (type) {
    case 'image':
      return { type: 'image', url }
    case 'video':
      return { type: 'video', url, ...framesOf(part) }
    case 'audio':
      return { type: 'audio', data: base64, format: soundFormats[subtype] ?? subtype }
    case 'text':
      return { type: 'file', data: url, name: displayName || `document.${subtype === 'plain' ? 'txt' : subtype}` }
    default:
      if (subtype !== 'pdf')
        throw refusal(
          [...path, 'mimeType'],
          `is ${type}/${subtype}; this model takes pictures, sound, videos, text and PDF.`,
          'unsupported',
        )
      return { type: 'file', data: url, name: displayName || 'document.pdf' }
  }
}

/** Returns the kind of the neutral part that a part with a file becomes; undefined for any other
 *  part. */
export function kindOf({ inlineData, fileData }: JsonObject): ReadablePart | undefined {
  if (!isObject(inlineData) && !isObject(fileData)) return undefined
  const [kind = ''] = (textOf(objectOf(inlineData ?? fileData).mimeType) ?? 'image/*').trim().toLowerCase().split('/')
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file'
}

const soundFormats: Readonly<Record<string, string>> = { mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav', 'vnd.wave': 'wav' }

/** Returns the base64 in the standard alphabet. Google's clients also send base64 in the URL-safe
 *  alphabet. */
function plainBase64(data: string): string {
  return data.includes('-') || data.includes('_') ? data.replaceAll('-', '+').replaceAll('_', '/') : data
}

function linkOf({ fileUri, mimeType = 'image/*' }: NonNullable<Part['fileData']>, part: Part, path: Path): TextPart {
  const type = mimeType.split('/', 1)[0]?.toLowerCase()
  const isLink = /^https?:/i.test(fileUri) && URL.canParse(fileUri)
  if (isLink && type === 'image') return { type: 'image', url: fileUri }
  if (isLink && type === 'video') return { type: 'video', url: fileUri, ...framesOf(part) }
  throw refusal(
    path,
    'is not offered by this model except for http and https links to pictures and videos; send inlineData instead.',
    'unsupported',
  )
}

/** Returns true for a body that asks for a clip of a video. No translation accepts such a body. */
export function hasClip({ contents }: JsonObject): boolean {
  return objectsOf(contents).some(({ parts }) => objectsOf(parts).some(part => offsetIn(part) !== undefined))
}

/** Returns the name of the member that limits a video to a clip; undefined when there is none. A
 *  model that got the whole video instead of the clip might give a wrong answer. */
function offsetIn({ videoMetadata }: Pick<JsonObject, string>): string | undefined {
  const metadata = objectOf(videoMetadata)
  return ['startOffset', 'start_offset', 'endOffset', 'end_offset'].find(name => (metadata[name] ?? null) !== null)
}

function framesOf({ videoMetadata }: Part): { fps?: number } {
  const fps = isObject(videoMetadata) ? videoMetadata.fps : undefined
  return typeof fps === 'number' && fps >= 0.2 && fps <= 5 ? { fps } : {}
}
