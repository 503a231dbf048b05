/** Answers GET and HEAD requests for one blob, with support for ranges and ETags, and with
 *  headers that keep a browser from running the content as a script. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { BlobStore, StoredBlob } from '../core/ports/blobs.ts'

export interface ServeFileOptions {
  blob: Pick<StoredBlob, 'id' | 'key' | 'mediaType' | 'bytes' | 'sha256'>
  blobs: Pick<BlobStore, 'read'>
  /** Returns a URL that leads directly to the bytes. Set only when the caller needs no key, because
   *  only such callers may be redirected to the blob store. */
  directLink?: BlobStore['directLink']
  /** Time at which the link or the blob expires, whichever is sooner, in Unix milliseconds: caches
   *  may keep the bytes until then. */
  expiresAt: number
  /** Unix milliseconds. */
  now: number
  /** Further headers of the answer: `x-request-id`, those for CORS, and a `content-disposition`
   *  in place of the default one. */
  headers?: OutgoingHttpHeaders
}

interface ByteRange {
  start: number
  /** Index of the last byte (inclusive). */
  end: number
}

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/aac': 'aac',
  'audio/mp4': 'm4a',
  'audio/pcm': 'pcm',
  'audio/midi': 'mid',
  'application/json': 'json',
  'application/x-subrip': 'srt',
  'text/vtt': 'vtt',
  'text/plain': 'txt',
  'text/html': 'html',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
}
// Media types that can contain scripts. A browser would run such scripts with the rights of the
// gateway's origin.
const activeType = /^(text\/(html|xml)|application\/(xml|xhtml\+xml)|.*\+xml)\b/
const sandbox = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"

/** Writes the answer and resolves when it is finished: true when everything was sent, false when
 *  the client has disconnected. Statuses: 200, 206 (one range), 302 (redirect to the store of
 *  the bytes), 304, 416. A request with several ranges, or with a malformed range, gets the
 *  whole file. Throws `gone` when the bytes are missing, before anything was written. */
export async function serveFile(request: IncomingMessage, response: ServerResponse, options: ServeFileOptions): Promise<boolean> {
  const { blob } = options
  const headers = headersOf(options)
  if (matches(request.headers['if-none-match'], blob.sha256)) {
    response.writeHead(304, headers).end()
    return true
  }
  headers['content-type'] = blob.mediaType
  const range = request.method === 'GET' ? rangeOf(request, blob) : 'whole'
  if (range === 'unsatisfiable') {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${blob.bytes}`, 'content-length': 0 }).end()
    return true
  }
  const { start, end } = range === 'whole' ? { start: 0, end: blob.bytes - 1 } : range
  headers['content-length'] = end - start + 1
  if (range !== 'whole') headers['content-range'] = `bytes ${start}-${end}/${blob.bytes}`
  const status = range === 'whole' ? 200 : 206
  if (request.method === 'HEAD' || blob.bytes === 0) {
    response.writeHead(status, headers).end()
    return true
  }
  const location = await directLinkOf(options, headers)
  if (location !== undefined) {
    // The answer contains the URL, which is secret while it is valid and useless after that. So
    // caches must not keep the answer.
    response.writeHead(302, { ...options.headers, location, 'cache-control': 'no-store', 'content-length': 0 }).end()
    return true
  }
  const source = await (range === 'whole' ? options.blobs.read(blob.key) : options.blobs.read(blob.key, range))
  if (response.destroyed) {
    // The client has disconnected since the reading was requested. `pipeline` would neither read
    // nor close the source, and an error that nothing listens to would end the process.
    source.on('error', () => {})
    source.destroy()
    return false
  }
  response.writeHead(status, headers)
  let left = end - start + 1
  source.on('data', (chunk: Buffer) => {
    left -= chunk.length
  })
  try {
    await pipeline(source, response, { end: false })
    // The file had fewer bytes than the head announced. Only a cut connection can still show that
    // to the client.
    if (left === 0) response.end()
    else response.destroy()
    return left === 0
  } catch {
    // The client has disconnected or reading failed. With `end: false`, `pipeline` leaves the
    // answer open, and only a cut connection can still report the failure.
    response.destroy()
    return false
  }
}

/** Returns a URL that leads directly to the bytes; undefined when the gateway has to send them
 *  itself. Files that may contain scripts are always sent by the gateway, because only its
 *  headers keep a browser from running the scripts. */
async function directLinkOf(
  { blob, directLink, expiresAt, now }: ServeFileOptions,
  headers: OutgoingHttpHeaders,
): Promise<string | undefined> {
  if (directLink === undefined || activeType.test(blob.mediaType)) return undefined
  const disposition = String(headers['content-disposition'])
  return directLink(blob.key, { mediaType: blob.mediaType, disposition, seconds: (expiresAt - now) / 1000 })
}

function headersOf({ blob, expiresAt, now, headers }: ServeFileOptions): OutgoingHttpHeaders {
  const result: OutgoingHttpHeaders = {
    ...headers,
    etag: `"${blob.sha256}"`,
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${Math.max(0, Math.floor((expiresAt - now) / 1000))}`,
    'content-disposition': headers?.['content-disposition'] ?? `inline; filename="${fileName(blob.id, blob.mediaType)}"`,
    'x-content-type-options': 'nosniff',
  }
  if (activeType.test(blob.mediaType)) result['content-security-policy'] = sandbox
  return result
}

/** Returns the name under which a browser saves the file, such as `<id>.png`. */
function fileName(id: string, mediaType: string): string {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return `${id.replace(/[^\w.-]/g, '_')}.${extensions[type] ?? 'bin'}`
}

/** Compares ETags as If-None-Match requires, that is by weak comparison (the prefix `W/` is
 *  ignored). */
function matches(header: string | undefined, sha256: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some(tag => tag.trim().replace(/^W\//, '') === `"${sha256}"`)
}

function rangeOf(request: IncomingMessage, blob: ServeFileOptions['blob']): ByteRange | 'whole' | 'unsatisfiable' {
  const { range, 'if-range': ifRange } = request.headers
  // `If-Range` may contain a date instead of an ETag. Files are served without a date
  // (Last-Modified), so no date can match.
  if (range === undefined || (ifRange !== undefined && ifRange !== `"${blob.sha256}"`)) return 'whole'
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(range)
  if (match === null) return 'whole'
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), blob.bytes)
    return length === 0 ? 'unsatisfiable' : { start: blob.bytes - length, end: blob.bytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? blob.bytes - 1 : Math.min(Number(last), blob.bytes - 1)
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= blob.bytes ? 'unsatisfiable' : { start, end }
}
