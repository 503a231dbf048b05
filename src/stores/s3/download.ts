import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { chunksOf } from './attempt.ts'
import type { S3Client } from './client.ts'
import { blobFault, faultsAsErrors, PassingFault } from './faults.ts'
import { Waits } from './retry.ts'

interface ByteRange {
  start: number
  /** Index of the last byte (inclusive). */
  end: number
}

/** The answer to a GET, and the range of bytes that it contains. */
interface Section extends ByteRange {
  response: IncomingMessage
  etag: string | undefined
}

/** A connection that breaks after fewer bytes counts as one that made no progress. */
const progressBytes = 64 * 1024

/** Returns a stream of the object, or of the range. When a connection breaks, the download
 *  continues at the next byte, of the same version of the object. When this fails until the
 *  deadline, the stream ends with an error; the stream never ends early without an error. Throws
 *  `gone` and `store_unavailable`. */
export async function download(client: S3Client, key: string, range?: ByteRange): Promise<Readable> {
  const first = await faultsAsErrors(openSection(client, key, range ? { range } : {}))
  const stream = Readable.from(bytesOf(client, key, first), { objectMode: false })
  // A stream that is destroyed before it is read never starts the generator, whose `finally`
  // otherwise ends the connection.
  stream.once('close', () => first.response.destroy())
  return stream
}

async function* bytesOf(client: S3Client, key: string, first: Section): AsyncGenerator<Buffer> {
  const { end, etag } = first
  const waits = new Waits(client.patience)
  let section = first
  let chunks = chunksOf(section.response, client.patience.stallMs)
  let position = first.start
  let sinceBreak = 0
  try {
    while (position <= end) {
      let chunk: Buffer
      try {
        chunk = await nextChunk(chunks)
      } catch (error) {
        if (!(error instanceof PassingFault)) throw error
        if (sinceBreak >= progressBytes) waits.reset()
        sinceBreak = 0
        await waits.wait(error)
        section = await openSection(client, key, { range: { start: position, end }, etag })
        chunks = chunksOf(section.response, client.patience.stallMs)
        continue
      }
      position += chunk.length
      sinceBreak += chunk.length
      if (position > end + 1) throw new PassingFault('it sends more bytes than it announced')
      yield chunk
    }
    // The connection can be used again once its answer has been read to the end.
    await chunks.next().catch(() => {})
  } catch (error) {
    throw blobFault(error)
  } finally {
    await chunks.return()
    section.response.destroy()
  }
}

async function nextChunk(chunks: AsyncGenerator<Buffer, void, undefined>): Promise<Buffer> {
  const next = await chunks.next()
  if (next.done) throw new PassingFault('its answer broke off')
  return next.value
}

/** Sends a GET. The request is sent again when the answer does not announce its first and last
 *  byte, or does not begin at the first byte of the range. */
function openSection(client: S3Client, key: string, { range, etag }: { range?: ByteRange; etag?: string | undefined }): Promise<Section> {
  const headers: Record<string, string> = {}
  if (range) headers.range = `bytes=${range.start}-${range.end}`
  if (etag !== undefined) headers['if-match'] = etag
  return client.open({ method: 'GET', key, headers }, response => {
    const found = rangeOf(response, range !== undefined)
    if (found && (range === undefined || found.start === range.start)) return { response, ...found, etag: response.headers.etag }
    throw new PassingFault('its answer has other bytes than the request names')
  })
}

/** Returns the indexes of the first and the last byte that an answer announces; undefined when
 *  it announces none. For an empty object, `end` is -1. */
function rangeOf({ statusCode, headers }: IncomingMessage, isPart: boolean): ByteRange | undefined {
  if (!isPart) {
    const bytes = Number(headers['content-length'] ?? Number.NaN)
    return statusCode === 200 && Number.isSafeInteger(bytes) ? { start: 0, end: bytes - 1 } : undefined
  }
  const [, start, end] = /^bytes (\d{1,15})-(\d{1,15})\/(?:\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
  return statusCode === 206 && start !== undefined && end !== undefined ? { start: Number(start), end: Number(end) } : undefined
}
