import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { PackFile } from '@generation-gateway/kit/packs.ts'

/** Returns the bytes of a file from `offset` to its end. */
export type OpenBytes = (offset: number) => AsyncIterable<Uint8Array>

/** Size and SHA-256 of the complete file. */
type Expected = Pick<PackFile, 'bytes' | 'sha256'>

export interface Assembly {
  /** Final path of the file. Until the file is complete and verified, its bytes are in
   *  `<target>.part`. */
  target: string
  /** Called after every write, with the number of bytes of the file that are on disk. */
  onBytes(bytes: number): void
}

/** Writes a file from its source. Bytes of an earlier attempt are kept, and only the rest is
 *  requested. When the SHA-256 is right, the file is moved to its final path, where it replaces
 *  an existing file in one step. When the SHA-256 is wrong, all bytes are discarded; if some of
 *  them were from an earlier attempt, all are requested once more. Throws an error with a short
 *  reason; unless the SHA-256 was wrong, the bytes received so far stay in the `.part` file. */
export async function assemble(file: Expected, openBytes: OpenBytes, { target, onBytes }: Assembly): Promise<void> {
  const partial = `${target}.part`
  for (;;) {
    const handle = await open(partial, 'a+')
    let kept: number
    let digest: string
    try {
      kept = await keptBytes(handle, file)
      digest = await append(file, { handle, partial, kept, openBytes, onBytes })
    } finally {
      await handle.close()
    }
    if (digest === file.sha256) return rename(partial, target)
    await rm(partial)
    if (kept === 0) throw new Error(`its bytes have another sha256 (${digest.slice(0, 12)}...) than the manifest says`)
  }
}

/** Returns the SHA-256 of a file on disk, in lower-case hex. */
export async function sha256Of(path: string): Promise<string> {
  return (await hashed(path, createHash('sha256'))).digest('hex')
}

/** Returns how many bytes of an earlier attempt can be kept. */
async function keptBytes(handle: FileHandle, file: Expected): Promise<number> {
  const { size } = await handle.stat()
  if (size <= file.bytes) return size
  await handle.truncate(0)
  return 0
}

interface FileWriting {
  handle: FileHandle
  partial: string
  kept: number
  openBytes: OpenBytes
  onBytes(bytes: number): void
}

async function append(file: Expected, { handle, partial, kept, openBytes, onBytes }: FileWriting): Promise<string> {
  const hash = await hashed(partial, createHash('sha256'))
  let bytes = kept
  onBytes(bytes)
  if (bytes < file.bytes) {
    for await (const chunk of openBytes(bytes)) {
      if (bytes + chunk.length > file.bytes) throw new Error(`it gives more than the ${file.bytes} bytes of the manifest`)
      await handle.writeFile(chunk)
      hash.update(chunk)
      bytes += chunk.length
      onBytes(bytes)
    }
  }
  if (bytes < file.bytes) throw new Error(`it ended after ${bytes} of ${file.bytes} bytes`)
  await handle.sync()
  return hash.digest('hex')
}

async function hashed(path: string, hash: Hash): Promise<Hash> {
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return hash
}
