/** Estimates the tokens of a file in a conversation from its kind and size, before an upstream has
 *  counted any. Quotas reserve the estimate, so it grows with the size of the file and is too high
 *  rather than too low: docs/usage-and-limits.md#limits. */
import { isObject, type Json, type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
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
/** Size and tokens of a page. Anthropic counts up to 3,000 tokens for the text of a page; Gemini
 *  counts 258. */
const page = { bytes: 40 * KiB, tokens: 3_000 }
/** Size and tokens of one second of video with its sound. Gemini counts 263 tokens for the
 *  frames of a second and 32 for its sound. The sizes assume 320 kbit/s for video and 32 kbit/s
 *  for sound. */
const videoSecond = { bytes: 40 * KiB, tokens: 300 }
/** Tokens of one second of a clip whose length the request states. This is more than `videoSecond`,
 *  because Gemini 3 counts 280 tokens for a frame in its highest resolution. */
const clipSecondTokens = 330
/** Share of the sound in the tokens of a second of video, 0 to 1. When a model reads less than one
 *  frame per second, the tokens for the sound stay the same. */
const soundShare = 0.12
const audioSecond = { bytes: 4 * KiB, tokens: 32 }
/** Bytes of a token in a text of digits and signs, such as a log; prose has about four. */
const bytesOfTextToken = 2
/** Largest number of tokens of one file: no document is read further than 100 pages, and no model
 *  takes more than about a million tokens. */
const most: Readonly<Record<FileKind, number>> = {
  image: imageTokens,
  document: 300_000,
  text: 1_000_000,
  audio: 1_000_000,
  video: 1_000_000,
}
/** Tokens of a file that is given as a link, so that its size is unknown: as many as for 20 pages
 *  or five minutes. */
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
  const kind = kindOf(textOf(part.type) ?? '', typeIn(file, head))
  const isLink = /^(?:https?|gs|s3|file):/i.test(head)
  const bytes = ((cut?.bytes ?? text.length) * 3) / 4
  const tokens = isLink ? behindLink[kind] : tokensOfKind(kind, bytes)
  if (kind === 'video') {
    // The metadata that `clipOf` reads exist only in generateContent.
    const clip = contentMembers.includes(name) ? clipOf(part) : {}
    return videoTokens(tokens, { fps: Math.max(1, Number(part.fps) || 1), ...clip })
  }
  return Math.min(most[kind], tokens)
}

/** The part of a video that a model reads: the number of frames per second, and the number of
 *  seconds if it is certain. */
interface Clip {
  fps: number
  seconds?: number
}

/** Returns the estimated tokens of the part of a video that a model reads. `tokens` is the
 *  estimate for the whole video at one frame a second. */
function videoTokens(tokens: number, { fps, seconds = Number.POSITIVE_INFINITY }: Clip): number {
  const share = fps < 1 ? soundShare + (1 - soundShare) * fps : fps
  const whole = Math.min(most.video, tokens * share)
  return Math.ceil(Math.max(imageTokens, Math.min(whole, seconds * clipSecondTokens * share)))
}

/** Returns the frame rate and the length that `videoMetadata` of generateContent states. A
 *  member that the caller has sent in both spellings is ignored, because it is uncertain which
 *  one the upstream reads. */
function clipOf(part: JsonObject): Partial<Clip> {
  const metadata = objectOf(only(part, 'videoMetadata', 'video_metadata'))
  const { fps } = metadata
  const end = secondsIn(only(metadata, 'endOffset', 'end_offset'))
  const seconds = end - (secondsIn(only(metadata, 'startOffset', 'start_offset')) || 0)
  return {
    ...(typeof fps === 'number' && fps > 0 && { fps }),
    ...(seconds > 0 && { seconds }),
  }
}

function only(object: JsonObject, name: string, other: string): Json | undefined {
  return object[name] === undefined ? object[other] : object[other] === undefined ? object[name] : undefined
}

/** Returns the seconds of a duration such as `1.5s`; NaN for any other value. */
function secondsIn(duration: Json | undefined): number {
  return typeof duration === 'string' && /^\d+(?:\.\d+)?s$/.test(duration) ? Number(duration.slice(0, -1)) : Number.NaN
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

/** Matches the media types of texts: `text/csv`, `application/json`, `application/x-python`. */
const textTypes = /^(?:text\/|application\/(?:json|xml|rtf|javascript|x-(?!pdf)|[^;]*\+(?:json|xml)))/i

/** Returns the kind of a file, derived from its media type and, when that is unknown, from the
 *  type of the part. */
function kindOf(part: string, mediaType: string): FileKind {
  const named = `${mediaType} ${part}`
  if (/^image\//i.test(mediaType)) return 'image'
  if (textTypes.test(mediaType)) return 'text'
  if (/^video\/|video(?:_url)?$/i.test(named)) return 'video'
  if (/^audio\/|audio$/i.test(named)) return 'audio'
  return /image(?:_url)?$/i.test(part) && mediaType === '' ? 'image' : 'document'
}

/** Returns the media type that the members of the file object or the beginning of a data URL
 *  state; '' when they state none. */
function typeIn(file: Json | undefined, head: string): string {
  if (isObject(file)) {
    const said = file.media_type ?? file.mimeType ?? file.mime_type
    if (typeof said === 'string') return said.trim()
    if (typeof file.format === 'string') return `audio/${file.format}`
  }
  return /^data:([^;,]*)/i.exec(head)?.[1] ?? ''
}

/** Members of a part of generateContent that hold a file. */
export const contentMembers: readonly string[] = ['inlineData', 'inline_data', 'fileData', 'file_data']

const dataMembers = ['data', 'file_data', 'url', 'fileUri', 'file_uri']

/** Returns the text that holds the contents of a file or the link to it; undefined when there is
 *  none. */
function textIn(file: Json | undefined): string | undefined {
  if (typeof file === 'string') return file
  if (!isObject(file)) return undefined
  return dataMembers.map(name => file[name]).find(value => typeof value === 'string')
}
