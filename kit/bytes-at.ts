import type { FileHandle } from 'node:fs/promises'

/** Returns `count` bytes of the file starting at position `at`; fewer at the end of the file.
 *  Throws the errors of the file system. */
export async function bytesAt(file: FileHandle, at: number, count: number): Promise<Buffer> {
  const bytes = Buffer.alloc(count)
  const { bytesRead } = await file.read(bytes, 0, count, at)
  return bytes.subarray(0, bytesRead)
}
