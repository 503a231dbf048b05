import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { writeFault } from '../files/faults.ts'
import type { S3Bucket } from './bucket.ts'
import { S3Client } from './client.ts'
import { download } from './download.ts'
import { blobFault } from './faults.ts'
import { lengthOf } from './objects.ts'
import { usualPatience } from './retry.ts'
import { hashInParts, uploadFile, usualPartBytes } from './upload.ts'

interface FileToPut {
  bytes: number
  /** Returns the path of the file; called when it is needed. */
  file(): Promise<string>
}

/** Writes a file to the object `name` below the prefix of the bucket, unless there is an object of
 *  this name and length. Throws `store_unavailable` and the errors of `file`. */
export async function putFile(bucket: S3Bucket, name: string, { bytes, file }: FileToPut): Promise<void> {
  const client = new S3Client(bucket, usualPatience)
  const key = bucket.prefix + name
  try {
    if ((await lengthOf(client, key)) === bytes) return
    await uploadFile(client, key, await hashInParts(await file(), usualPartBytes))
  } catch (error) {
    throw blobFault(error)
  }
}

/** Copies the object `name` below the prefix of the bucket into a new file, and returns its length;
 *  undefined when there is none. An object longer than `maxBytes` is not copied. Throws
 *  `store_unavailable`, `disk_full`. */
export async function fetchFile(
  bucket: S3Bucket,
  name: string,
  { toFile, maxBytes }: { toFile: string; maxBytes: number },
): Promise<number | undefined> {
  const client = new S3Client(bucket, usualPatience)
  const key = bucket.prefix + name
  const bytes = await lengthOf(client, key).catch(error => {
    throw blobFault(error)
  })
  if (bytes === undefined || bytes > maxBytes) return bytes
  const file = createWriteStream(toFile, { flags: 'wx', mode: 0o600 })
  await pipeline(await download(client, key), file).catch(error => {
    throw writeFault(error)
  })
  return file.bytesWritten
}
