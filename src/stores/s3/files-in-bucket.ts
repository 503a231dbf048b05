import { createWriteStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { writeFault } from '../files/faults.ts'
import type { S3Bucket } from './bucket.ts'
import { S3Client } from './client.ts'
import { download } from './download.ts'
import { blobFault, faultsAsErrors } from './faults.ts'
import { lengthOf } from './objects.ts'
import { usualPatience } from './retry.ts'
import { hashInParts, uploadFile, usualPartBytes } from './upload.ts'

interface FileToPut {
  bytes: number
  mediaType: string
  /** Returns the path of the file; called when it is needed. */
  file(): Promise<string>
}

/** Returns a client for the bucket. Use one client for many calls, so that they share its
 *  connections. */
export function openClient(bucket: S3Bucket): S3Client {
  return new S3Client(bucket, usualPatience)
}

/** Writes a file to the object `name` below the prefix of the bucket, unless there is an object of
 *  this name and length. Throws `store_unavailable`, the errors of `file` and those of the file
 *  system. */
export async function putFile(client: S3Client, name: string, { bytes, mediaType, file }: FileToPut): Promise<void> {
  const key = client.bucket.prefix + name
  try {
    if ((await lengthOf(client, key)) === bytes) return
    await uploadFile(client, key, await hashInParts(await file(), usualPartBytes), mediaType)
  } catch (error) {
    throw blobFault(error)
  }
}

/** Copies the object `name` below the prefix of the bucket into a new file, and returns its
 *  length; undefined when there is none. For an object longer than `maxBytes`, returns the
 *  length without copying. Throws `store_unavailable`, `disk_full`, and `gone` when the object
 *  was just deleted. */
export async function fetchFile(
  client: S3Client,
  name: string,
  { toFile, maxBytes }: { toFile: string; maxBytes: number },
): Promise<number | undefined> {
  const key = client.bucket.prefix + name
  const bytes = await faultsAsErrors(lengthOf(client, key))
  if (bytes === undefined || bytes > maxBytes) return bytes
  try {
    if (bytes === 0) await writeFile(toFile, '', { flag: 'wx', mode: 0o600 })
    // The range limits the download in case the object is replaced by a longer one at this moment.
    // The file is created only when the download has begun: before that, an error of the file would
    // have no listener and end the process, and the file would stay open if the download failed.
    else await pipeline(await download(client, key, { start: 0, end: bytes - 1 }), createWriteStream(toFile, { flags: 'wx', mode: 0o600 }))
    return (await stat(toFile)).size
  } catch (error) {
    throw writeFault(error)
  }
}
