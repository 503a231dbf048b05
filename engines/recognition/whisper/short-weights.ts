/** Makes weights for less than 30 seconds of sound. Language detection in whisper.cpp always
 *  processes as many seconds as the weights file has rows of positions, so fewer rows make it
 *  faster. */
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

const framesAt = 2 * 4
const headBytes = 12 * 4
const positions = 'encoder.positional_embedding'
const float32 = 0

/** Places in the weights file that must change for fewer rows, as byte offsets. */
interface WeightPlaces {
  /** Offset of the number of rows in the table of positions. */
  rowsAt: number
  /** Offset of the table. */
  tableAt: number
  rowBytes: number
  rows: number
}

/** Yields the bytes of Whisper's ggml file with only the first `frames` rows of the encoder's table
 *  of positions (50 rows a second). Throws `TypeError` for another kind of file. */
export async function* shortWeights(path: string, frames: number): AsyncGenerator<Buffer> {
  const { rowsAt, tableAt, rowBytes, rows } = await placesIn(path)
  const kept = Math.min(frames, rows)
  const number = Buffer.alloc(4)
  number.writeInt32LE(kept)
  yield* stretch(path, 0, framesAt)
  yield number
  yield* stretch(path, framesAt + 4, rowsAt)
  yield number
  yield* stretch(path, rowsAt + 4, tableAt + kept * rowBytes)
  yield* stretch(path, tableAt + rows * rowBytes, Number.POSITIVE_INFINITY)
}

async function* stretch(path: string, start: number, end: number): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, { start, end: end - 1, highWaterMark: 1024 * 1024 })) yield chunk
}

async function placesIn(path: string): Promise<WeightPlaces> {
  await using file = await open(path, 'r')
  const head = await read(file, 0, headBytes + 8)
  const [bands, bins] = [head.readInt32LE(headBytes), head.readInt32LE(headBytes + 4)]
  let at = headBytes + 8 + bands * bins * 4
  const tokens = (await read(file, at, 4)).readInt32LE()
  at += 4
  for (let token = 0; token < tokens; ) {
    // The token list is read in blocks, because many small reads would be slow; a token has far
    // less than 256 bytes.
    const block = await read(file, at, 65_536)
    let used = 0
    for (; token < tokens && used + 256 < block.length; token++) used += 4 + block.readInt32LE(used)
    if (used === 0) break
    at += used
  }
  for (let tensors = 0; tensors < 8; tensors++) {
    const block = await read(file, at, 256)
    const [dimensions, nameBytes, type] = [block.readInt32LE(0), block.readInt32LE(4), block.readInt32LE(8)]
    const name = block.toString('latin1', 12 + dimensions * 4, 12 + dimensions * 4 + nameBytes)
    const sizes = Array.from({ length: dimensions }, (_, index) => block.readInt32LE(12 + index * 4))
    const tableAt = at + 12 + dimensions * 4 + nameBytes
    const [columns = 0, rows = 0] = sizes
    if (name === positions && type === float32) return { rowsAt: at + 16, tableAt, rowBytes: columns * 4, rows }
    at = tableAt + sizes.reduce((product, size) => product * size, type === float32 ? 4 : 2)
  }
  throw new TypeError(`${path} has no ${positions} where Whisper's weights have it`)
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
