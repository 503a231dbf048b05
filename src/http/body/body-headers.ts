/** Reads what the headers of a request declare about its body. */
import type { IncomingMessage } from 'node:http'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type BodyKind, type BodySpec, kindsOf } from '../../contract/body.ts'
import { tooLarge } from './chunks.ts'

/** Returns the kind of the body (JSON, form, ...). A body without a content type counts as JSON,
 *  or, when the operation does not accept JSON, as the first kind that it accepts. Throws
 *  `unsupported_media_type` with the accepted types. */
export function kindOf(request: IncomingMessage, spec: BodySpec): BodyKind {
  const kinds = kindsOf(spec)
  const header = request.headers['content-type']
  if (header === 'application/json' && kinds.includes('json')) return 'json'
  if (header === undefined || header.trim() === '') return kinds.includes('json') ? 'json' : (kinds[0] ?? 'json')
  const type = mediaTypeOf(header)
  const kind = kinds.find(each => isOfKind(each, type, spec))
  if (kind) {
    assertUtf8(header, kind)
    return kind
  }
  const taken = kinds.flatMap(each => namesOf(each, spec.text)).join(', ')
  throw new GatewayError('unsupported_media_type', `The content type has to be ${taken}${kinds.includes('json') ? ' in UTF-8' : ''}.`)
}

/** Throws `unsupported_media_type` for a compressed body, `payload_too_large` when the declared
 *  length exceeds `maxBytes`. */
export function assertPlain(request: IncomingMessage, maxBytes: number): void {
  const { 'content-encoding': encoding, 'content-length': length } = request.headers
  if (encoding !== undefined && !/^(identity)?$/i.test(encoding.trim())) {
    throw new GatewayError('unsupported_media_type', 'Compressed bodies are not supported: send it without content-encoding.')
  }
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes)
}

/** Returns the media type in lower case, without parameters: `text/plain` from `Text/Plain;
 *  charset=utf-8`. */
export function mediaTypeOf(header: string): string {
  return header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function isOfKind(kind: BodyKind, type: string, { text }: BodySpec): boolean {
  if (kind === 'json') return /^(application\/json|[\w.+-]+\/[\w.+-]+\+json)$/.test(type)
  return namesOf(kind, text).includes(type)
}

function namesOf(kind: BodyKind, text: BodySpec['text']): readonly string[] {
  switch (kind) {
    case 'json':
      return ['application/json']
    case 'multipart':
      return ['multipart/form-data']
    case 'form':
      return ['application/x-www-form-urlencoded']
    case 'text':
      return text?.mediaTypes ?? []
  }
}

/** Throws `unsupported_media_type` when the header names a charset other than UTF-8, the only
 *  supported one. ASCII is a part of UTF-8. A charset of a multipart body has no meaning (RFC 7578,
 *  5.1.2), and Apache HttpClient 5 always adds ISO-8859-1; the reader checks each text of the
 *  body. */
function assertUtf8(header: string, kind: BodyKind): void {
  if (kind === 'multipart') return
  const charset = /;\s*charset\s*=\s*"?([^";]*)/i.exec(header)?.[1]?.trim()
  if (charset === undefined || /^(utf-?8|us-ascii|ascii)$/i.test(charset)) return
  throw new GatewayError(
    'unsupported_media_type',
    `The content type names the charset ${JSON.stringify(charset.slice(0, 40))}; the body has to be in UTF-8.`,
  )
}
