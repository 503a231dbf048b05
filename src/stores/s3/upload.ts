import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { SignedBody } from './attempt.ts'
import type { S3Client } from './client.ts'
import { PassingFault, Refusal } from './faults.ts'
import { abortUpload, beginUpload, endUpload, type PartsUpload, putObject, putPart } from './objects.ts'

/** Bodies up to this length are sent in one request, longer ones in parts of this length. The
 *  parts are longer when there would otherwise be more than `mostParts` of them. */
export const usualPartBytes = 16 * 1024 * 1024
/** Number of parts that an object may have. */
const mostParts = 10_000
const partsAtOnce = 4
/** Largest number of uploads in parts that are begun for one file, when the service loses the
 *  parts again and again. */
const mostTries = 3
const pieceBytes = 1024 * 1024

/** A file with the checksums of its whole and of its parts. */
export interface HashedFile {
  path: string
  bytes: number
  /** SHA-256 of the file, hex. */
  sha256: string
  partBytes: number
  /** SHA-256 of each part, hex; at least one. */
  parts: string[]
}

/** Reads a file once and returns its checksums. Throws the errors of the file system. */
export async function hashInParts(path: string, leastPartBytes: number): Promise<HashedFile> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const partBytes = Math.max(leastPartBytes, Math.ceil(size / mostParts))
    return { path, partBytes, ...(await hashesOf(handle, partBytes)) }
  } finally {
    await handle.close()
  }
}

async function hashesOf(handle: FileHandle, partBytes: number): Promise<Pick<HashedFile, 'bytes' | 'sha256' | 'parts'>> {
  const whole = createHash('sha256')
  const parts: string[] = []
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, partBytes))
  let part = createHash('sha256')
  let bytes = 0
  for (let inPart = 0; ; ) {
    const { bytesRead } = await handle.read(piece, 0, Math.min(piece.length, partBytes - inPart), bytes)
    if (bytesRead === 0) {
      if (inPart > 0 || parts.length === 0) parts.push(part.digest('hex'))
      return { bytes, sha256: whole.digest('hex'), parts }
    }
    const read = piece.subarray(0, bytesRead)
    whole.update(read)
    part.update(read)
    bytes += bytesRead
    inPart += bytesRead
    if (inPart < partBytes) continue
    parts.push(part.digest('hex'))
    part = createHash('sha256')
    inPart = 0
  }
}

/** Stores the file under a key that no object has, with the media type `mediaType`. The service
 *  compares each part with its checksum. When the promise resolves, the object is durable; when it
 *  rejects, there is no object, or one that nothing refers to. Throws `PassingFault` and
 *  `Refusal`. */
export async function uploadFile(client: S3Client, key: string, file: HashedFile, mediaType?: string): Promise<void> {
  if (file.parts.length === 1) return putObject(client, key, partOf(file, 0), mediaType)
  for (let tries = 1; tries <= mostTries; tries++) {
    const upload = await beginUpload(client, key, mediaType)
    if (await sendFile(client, upload, file)) return
  }
  throw new PassingFault('it has lost an upload')
}

/** Uploads the file in parts. Returns false when the service has lost the parts. */
async function sendFile(client: S3Client, upload: PartsUpload, file: HashedFile): Promise<boolean> {
  try {
    if (await endUpload(client, upload, { tags: await sendParts(client, upload, file), bytes: file.bytes })) return true
  } catch (error) {
    abandon(client, upload)
    if (error instanceof Refusal && error.code === 'NoSuchUpload') return false
    throw error
  }
  abandon(client, upload)
  return false
}

/** Begins to remove the parts. The caller does not wait for this, because a service that has just
 *  failed may answer slowly. If the removal fails, the search for old uploads removes the parts
 *  later. */
function abandon(client: S3Client, { key, uploadId }: PartsUpload): void {
  void abortUpload(client, key, uploadId).catch(() => {})
}

/** Returns the tags of the parts, in order. */
async function sendParts(client: S3Client, upload: PartsUpload, file: HashedFile): Promise<string[]> {
  const tags: string[] = []
  let next = 0
  let isFailed = false
  const send = async (): Promise<void> => {
    while (next < file.parts.length && !isFailed) {
      const index = next++
      try {
        tags[index] = await putPart(client, upload, { number: index + 1, body: partOf(file, index) })
      } catch (error) {
        isFailed = true
        throw error
      }
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: partsAtOnce }, send))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return tags
}

function partOf({ path, bytes, partBytes, parts }: HashedFile, index: number): SignedBody {
  const start = index * partBytes
  const length = Math.min(partBytes, bytes - start)
  return {
    bytes: length,
    sha256: parts[index] ?? '',
    open: () => (length === 0 ? Buffer.alloc(0) : createReadStream(path, { start, end: start + length - 1, highWaterMark: 256 * 1024 })),
  }
}
