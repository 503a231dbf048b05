import { open, unlink } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { openRoom } from '@generation-gateway/kit/disk-room.ts'

/** Thrown when a stream has more bytes than the limit allows. */
export class TooManyBytesError extends Error {}

/** Writes a stream to a new file and returns its size. `announcedBytes` is the size that the sender
 *  announced; that much disk space is reserved. Throws `TooManyBytesError` above `maxBytes`,
 *  `disk_full`, and the errors of the stream and the disk; in all of these cases the file is
 *  removed. */
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
  // The file is created before the first byte is requested. A write stream would create it later,
  // possibly after the clean-up below, and leave it behind. An existing file at the path is not
  // changed.
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
