/** Checks the form and size of the media in a conversation; the target that uses them fetches and
 *  decodes them. */
import { MiB } from '@generation-gateway/kit/units.ts'
import { refuseWith } from './refuse.ts'

/** Largest number of characters of an image's URL and of a document's data URL: the limits of Open
 *  Responses (docs/vendors/openai-responses.md#limits). */
const imageUrlLimit = 20_971_520
const fileDataLimit = 33_554_432
/** Ark's limit for a video inside a request, decoded (docs/vendors/openai-responses.md#limits). */
const videoLimitBytes = 50 * MiB

const dataUrlHead = /^data:([a-z]+\/[a-z0-9.+-]+)(?:;[^;,]*)*?;base64,/i
const notBase64 = /[^A-Za-z0-9+/=\s]/g

interface DataUrl {
  mediaType: string
  /** Offset of the base64 in the URL, in characters. */
  start: number
}

/** Accepts an http(s) URL or a base64 data URL of a picture. */
export function checkImageUrl(url: string, field: string): void {
  if (url.length > imageUrlLimit) {
    throw refuseWith('image_too_large', `${field} has ${url.length} characters; at most ${imageUrlLimit}.`, { field })
  }
  if (isHttpUrl(url)) return
  const data = dataUrlOf(url)
  if (!data)
    throw refuseWith('invalid_image_url', `${field} must be an http or https URL, or data:image/<format>;base64,<data>.`, { field })
  if (!data.mediaType.startsWith('image/')) {
    throw refuseWith('unsupported_image_media_type', `${field} holds ${data.mediaType}; it must be a picture.`, { field })
  }
  if (!isBase64(url, data.start)) throw refuseWith('invalid_base64_image', `${field} is not valid base64.`, { field })
  if (url.length === data.start) throw refuseWith('empty_image_file', `${field} holds no bytes.`, { field })
}

/** Accepts an http(s) URL or a base64 data URL of a video of at most 50 MB decoded. */
export function checkVideoUrl(url: string, field: string): void {
  if (isHttpUrl(url)) return
  const data = dataUrlOf(url)
  if (!data?.mediaType.startsWith('video/') || url.length === data.start || !isBase64(url, data.start)) {
    throw refuseWith('invalid_video_url', `${field} must be an http or https URL, or data:video/<format>;base64,<data>.`, { field })
  }
  const padding = url.endsWith('==') ? 2 : url.endsWith('=') ? 1 : 0
  const bytes = Math.floor(((url.length - data.start) * 3) / 4) - padding
  if (bytes > videoLimitBytes) {
    throw refuseWith('video_too_large', `${field} holds ${bytes} bytes; at most ${videoLimitBytes}.`, { field })
  }
}

/** Accepts a base64 data URL of a document. */
export function checkFileData(url: string, field: string): void {
  if (url.length > fileDataLimit) {
    throw refuseWith('invalid_value', `${field} has ${url.length} characters; at most ${fileDataLimit}.`, { field })
  }
  const data = dataUrlOf(url)
  if (!data || url.length === data.start || !isBase64(url, data.start)) {
    throw refuseWith('invalid_value', `${field} must be data:<media type>;base64,<data>.`, { field })
  }
}

/** Returns the base64 and the container of an audio data URL; undefined for any other string. */
export function audioOfDataUrl(url: string): { data: string; format: string } | undefined {
  const data = dataUrlOf(url)
  if (!data?.mediaType.startsWith('audio/') || !isBase64(url, data.start)) return undefined
  const subtype = data.mediaType.slice('audio/'.length).replace(/^x-/, '')
  return { data: url.slice(data.start), format: subtype === 'mpeg' ? 'mp3' : subtype === 'wave' ? 'wav' : subtype }
}

export function isDataUrl(url: string): boolean {
  return /^data:/i.test(url)
}

/** Returns true when the text is base64 from `start` on. Searches for a wrong character, because
 *  matching a whole file would exhaust the stack of the regular expression. */
export function isBase64(text: string, start = 0): boolean {
  notBase64.lastIndex = start
  return !notBase64.test(text)
}

function dataUrlOf(url: string): DataUrl | undefined {
  const head = dataUrlHead.exec(url.slice(0, 300))
  return head?.[1] === undefined ? undefined : { mediaType: head[1].toLowerCase(), start: head[0].length }
}

function isHttpUrl(text: string): boolean {
  if (!/^https?:/i.test(text)) return false
  const url = URL.parse(text)
  return url !== null && url.hostname !== ''
}
