import type { FileHandle } from 'node:fs/promises'

/** `count` bytes of the file starting at position `at`; fewer at its end. Throws what the file
 *  system throws. */
export async function bytesAt(file: FileHandle, at: number, count: number): Promise<Buffer> {
  const bytes = Buffer.alloc(count)
  const { bytesRead } = await file.read(bytes, 0, count, at)
  return bytes.subarray(0, bytesRead)
}
