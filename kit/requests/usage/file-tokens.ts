/** Estimates the tokens of a file in a conversation from its kind and size, before an upstream has
 *  counted any. The estimate is held in quotas, so it grows with the file and is rather too high:
 *  docs/usage-and-limits.md#limits. */
import { isObject, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import { KiB } from '../../units.ts'

/** A long string that was left out of a body: its estimated tokens as text, its length in bytes,
 *  and its first characters. */
export interface CutText {
  tokens: number
  bytes: number
  head: string
}

type FileKind = 'image' | 'document' | 'text' | 'audio' | 'video'

/** Number of tokens that providers count for a picture. */
const imageTokens = 1_000
/** A page: its text has up to 3,000 tokens at Anthropic; Gemini counts 258. */
const page = { bytes: 40 * KiB, tokens: 3_000 }
/** One second of video and one second of sound. Gemini counts 263 tokens for the frames of a
 *  second and 32 for its sound. The sizes are those of 320 kbit/s for video and 32 kbit/s for
 *  sound. */
const videoSecond = { bytes: 40 * KiB, tokens: 300 }
const audioSecond = { bytes: 4 * KiB, tokens: 32 }
const bytesOfTextToken = 3
/** Largest number of tokens of one file: no document is read further than 100 pages, and no model
 *  takes more than about a million tokens. */
const most: Readonly<Record<FileKind, number>> = {
  image: imageTokens,
  document: 300_000,
  text: 1_000_000,
  audio: 1_000_000,
  video: 1_000_000,
}
/** Tokens of a file behind a link, whose size is unknown: 20 pages, or five minutes. */
const behindLink: Readonly<Record<FileKind, number>> = { image: imageTokens, document: 60_000, text: 20_000, audio: 10_000, video: 90_000 }

/** Returns the estimated number of tokens of the file that a part has in its member `name`.
 *  `cutOf` describes the string for which a placeholder stands, and returns undefined for any
 *  other text. */
export function fileTokens(part: JsonObject, name: string, cutOf: (text: string) => CutText | undefined): number {
  const file = part[name]
  const text = textIn(file)
  if (text === undefined) return imageTokens
  const cut = cutOf(text)
  const head = cut?.head ?? text.slice(0, 100)
  const kind = kindOf(String(part.type ?? ''), typeIn(file, head))
  const frames = kind === 'video' && typeof part.fps === 'number' ? Math.max(1, part.fps) : 1
  if (/^(?:https?|gs|s3|file):/i.test(head)) return Math.ceil(behindLink[kind] * frames)
  const bytes = ((cut?.bytes ?? text.length) * 3) / 4
  return Math.min(most[kind], Math.ceil(tokensOfKind(kind, bytes) * frames))
}

function tokensOfKind(kind: FileKind, bytes: number): number {
  switch (kind) {
    case 'image':
      return imageTokens
    case 'text':
      return Math.ceil(bytes / bytesOfTextToken)
    case 'document':
      return Math.ceil(bytes / page.bytes) * page.tokens
    case 'audio':
      return Math.max(imageTokens, Math.ceil(bytes / audioSecond.bytes) * audioSecond.tokens)
    case 'video':
      return Math.max(imageTokens, Math.ceil(bytes / videoSecond.bytes) * videoSecond.tokens)
  }
}

/** Returns the kind of a file, derived from its media type and, when that is unknown, from the
 *  type of the part. */
function kindOf(part: string, mediaType: string): FileKind {
  const named = `${mediaType} ${part}`
  if (/^image\//i.test(mediaType)) return 'image'
  if (/^(?:text\/|application\/(?:json|xml|javascript))/i.test(mediaType)) return 'text'
  if (/^video\/|video(?:_url)?$/i.test(named)) return 'video'
  if (/^audio\/|audio$/i.test(named)) return 'audio'
  return /image(?:_url)?$/i.test(part) && mediaType === '' ? 'image' : 'document'
}

/** Returns the media type that the members of the file object or the beginning of a data URL
 *  state; '' when they state none. */
function typeIn(file: Json | undefined, head: string): string {
  if (isObject(file)) {
    const said = file.media_type ?? file.mimeType ?? file.mime_type
    if (typeof said === 'string') return said
    if (typeof file.format === 'string') return `audio/${file.format}`
  }
  return /^data:([^;,]*)/i.exec(head)?.[1] ?? ''
}

const dataMembers = ['data', 'file_data', 'url', 'fileUri', 'file_uri']

/** Returns the text that holds the contents of a file or the link to it; undefined when there is
 *  none. */
function textIn(file: Json | undefined): string | undefined {
  if (typeof file === 'string') return file
  if (!isObject(file)) return undefined
  return dataMembers.map(name => file[name]).find(value => typeof value === 'string')
}
