/** Reads the data URLs of pictures, sounds, videos and documents in conversations. */
import { Base64Error, decodeBase64 } from '../../media/base64-decoder.ts'

export interface DataUrl {
  /** In lower case; empty when the URL states none. */
  mediaType: string
  /** The base64 in the standard alphabet with padding; undefined when the URL has something else in
   *  its place. */
  data: string | undefined
  /** The URL that targets get: `data:<media type>;base64,<data>`, perhaps with parameters. */
  url: string
}

/** Matches the beginning of a URL that targets can get unchanged. Most clients send such URLs. */
const plainHead = /^data:([a-z]+\/[a-z0-9.+-]+)(?:;[^;,\s]*)*?;base64,/
const plainBase64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Returns the parts of a data URL in base64, by the rules for input files: it may be
 *  percent-encoded and have spaces, parameters, letters of either case, the URL-safe alphabet and
 *  no padding. Returns undefined for any other text. */
export function dataUrlOf(text: string): DataUrl | undefined {
  const [head, plainType] = plainHead.exec(text.slice(0, 256)) ?? []
  const rest = text.slice(head?.length ?? 0)
  if (plainType !== undefined && rest.length % 4 === 0 && plainBase64.test(rest)) return { mediaType: plainType, data: rest, url: text }
  if (!isDataUrl(text)) return undefined
  try {
    const { bytes, mediaType: type = '' } = decodeBase64(text)
    const mediaType = type.toLowerCase()
    const data = bytes.toString('base64')
    return { mediaType, data, url: `data:${mediaType};base64,${data}` }
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error
    if (error.fault === 'prefix') return undefined
    const mediaType = /^\s*data:\s*([^\s,;]*)/i.exec(text.slice(0, 256))?.[1]?.toLowerCase() ?? ''
    return { mediaType, data: undefined, url: text }
  }
}

export function isDataUrl(text: string): boolean {
  return /^\s*data:/i.test(text)
}
