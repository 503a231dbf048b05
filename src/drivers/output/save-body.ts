import { createWriteStream } from 'node:fs'
import { unlink } from 'node:fs/promises'
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
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600, highWaterMark: 256 * 1024 })
  try {
    await pipeline(counted, target)
    return bytes
  } catch (error) {
    // A file that was there before is not ours to remove.
    const isOurs = !(error instanceof Error && 'code' in error && error.code === 'EEXIST')
    if (isOurs) await unlink(file).catch(() => {})
    throw error
  }
}
