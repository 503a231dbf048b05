import { open, unlink } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { openRoom } from '@generation-gateway/kit/disk-room.ts'

/** More came than the limit allows. */
export class TooManyBytesError extends Error {}

/** Writes a stream to a new file and returns its size. `announcedBytes`: as many as its sender says that there are; room is kept for them.
 *  Throws `TooManyBytesError` above `maxBytes`, `disk_full`, else what the stream or the disk throws; then the file is removed. */
export async function saveBody(body: AsyncIterable<Buffer>, file: string, maxBytes: number, announcedBytes = 0): Promise<number> {
  const room = openRoom(file, announcedBytes)
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new TooManyBytesError()
      room.take(chunk.length)
      yield chunk
    }
  }
  // Made before the first byte is asked for: a stream would make its file later, and perhaps after what is below has removed it. A file that was there before is not ours to remove.
  const target = await open(file, 'wx', 0o600).catch(error => {
    room.close()
    throw error
  })
  try {
    await pipeline(counted, target.createWriteStream({ highWaterMark: 256 * 1024 }))
    return bytes
  } catch (error) {
    await target.close().catch(() => {})
    await unlink(file).catch(() => {})
    throw error
  } finally {
    room.close()
  }
}
