import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/** Number of bytes that are read and hashed at once. Hashing a long file therefore blocks other
 *  work only for one such piece at a time. */
const pieceBytes = 1024 * 1024

/** Returns the SHA-256 (hex) and the length in bytes of an open file. Also writes the bytes to
 *  `copy`, when it is given. */
export async function hashFile(handle: FileHandle, copy?: FileHandle): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(pieceBytes)
  let bytes = 0
  for (;;) {
    const { bytesRead } = await handle.read(piece, 0, pieceBytes, bytes)
    if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes }
    const part = piece.subarray(0, bytesRead)
    hash.update(part)
    if (copy) await copy.writeFile(part)
    bytes += bytesRead
  }
}
