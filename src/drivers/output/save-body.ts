import { open, unlink } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** More came than the limit allows. */
export class TooManyBytesError extends Error {}

/** Writes a stream to a new file and returns its size. Throws `TooManyBytesError` above `maxBytes`, else what the stream or the disk throws; then the file is removed. */
export async function saveBody(body: AsyncIterable<Buffer>, file: string, maxBytes: number): Promise<number> {
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new TooManyBytesError()
      yield chunk
    }
  }
  // Made before the first byte is asked for: a stream would make its file later, and perhaps after what is below has removed it. A file that was there before is not ours to remove.
  const target = await open(file, 'wx', 0o600)
  try {
    await pipeline(counted, target.createWriteStream({ highWaterMark: 256 * 1024 }))
    return bytes
  } catch (error) {
    await target.close().catch(() => {})
    await unlink(file).catch(() => {})
    throw error
  }
}
