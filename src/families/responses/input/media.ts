/** Checks the form and size of the media in a conversation; the target that uses them fetches and
 *  decodes them. */

import { dataUrlOf } from '@generation-gateway/kit/requests/conversation/data-url.ts'
import { MiB } from '@generation-gateway/kit/units.ts'
import { refuseWith } from './refuse.ts'

/** Largest number of characters of an image's URL and of a document's data URL: the limits of Open
 *  Responses (docs/vendors/openai-responses.md#limits). */
const imageUrlLimit = 20_971_520
const fileDataLimit = 33_554_432
/** Ark's limit for a video inside a request, decoded (docs/vendors/openai-responses.md#limits). */
const videoLimitBytes = 50 * MiB

/** Returns the URL of a picture: an http(s) URL as it is, a base64 data URL in the form that
 *  targets get. Throws `invalid_value` for any other text. */
export function imageUrlOf(url: string, field: string): string {
  if (url.length > imageUrlLimit) {
    throw refuseWith('image_too_large', `${field} has ${url.length} characters; at most ${imageUrlLimit}.`, { field })
  }
  if (isHttpUrl(url)) return url
  const found = dataUrlOf(url)
  if (!found?.mediaType)
    throw refuseWith('invalid_image_url', `${field} must be an http or https URL, or data:image/<format>;base64,<data>.`, { field })
  if (!found.mediaType.startsWith('image/')) {
    throw refuseWith('unsupported_image_media_type', `${field} holds ${found.mediaType}; it must be a picture.`, { field })
  }
  if (found.data === undefined) throw refuseWith('invalid_base64_image', `${field} is not valid base64.`, { field })
  if (found.data === '') throw refuseWith('empty_image_file', `${field} holds no bytes.`, { field })
  return found.url
}

/** Returns the URL of a video, as `imageUrlOf` does; a data URL has at most 50 MB decoded. */
export function videoUrlOf(url: string, field: string): string {
  if (isHttpUrl(url)) return url
  const found = dataUrlOf(url)
  if (!found?.mediaType.startsWith('video/') || !found.data) {
    throw refuseWith('invalid_video_url', `${field} must be an http or https URL, or data:video/<format>;base64,<data>.`, { field })
  }
  const padding = found.data.endsWith('==') ? 2 : found.data.endsWith('=') ? 1 : 0
  const bytes = (found.data.length * 3) / 4 - padding
  if (bytes > videoLimitBytes) {
    throw refuseWith('video_too_large', `${field} holds ${bytes} bytes; at most ${videoLimitBytes}.`, { field })
  }
  return found.url
}

/** Returns the base64 data URL of a document in the form that targets get. */
export function fileDataOf(url: string, field: string): string {
  if (url.length > fileDataLimit) {
    throw refuseWith('invalid_value', `${field} has ${url.length} characters; at most ${fileDataLimit}.`, { field })
  }
  const found = dataUrlOf(url)
  if (!found?.mediaType || !found.data) {
    throw refuseWith('invalid_value', `${field} must be data:<media type>;base64,<data>.`, { field })
  }
  return found.url
}

/** Returns the base64 and the container of an audio data URL; undefined for any other string. */
export function audioOfDataUrl(url: string): { data: string; format: string } | undefined {
  const found = dataUrlOf(url)
  if (!found?.mediaType.startsWith('audio/') || !found.data) return undefined
  const subtype = found.mediaType.slice('audio/'.length).replace(/^x-/, '')
  return { data: found.data, format: subtype === 'mpeg' ? 'mp3' : subtype === 'wave' ? 'wav' : subtype }
}

/** Returns true when the text has no characters other than those of base64 and white space. */
export function isBase64(text: string): boolean {
  return !/[^A-Za-z0-9+/=\s]/.test(text)
}

function isHttpUrl(text: string): boolean {
  if (!/^https?:/i.test(text)) return false
  const url = URL.parse(text)
  return url !== null && url.hostname !== ''
}
