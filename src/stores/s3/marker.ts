/** The object of a bucket that names the database to which the blobs below the prefix belong. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BlobStore } from '../../core/ports/blobs.ts'
import { placeOf, type S3Bucket } from './bucket.ts'
import type { S3Client } from './client.ts'
import { faultsAsErrors, Refusal } from './faults.ts'
import { getText, putText } from './objects.ts'

/** Time in ms within which another process that has found no marker should have written its
 *  own. */
const settleMs = 2_000

export function markerKeyIn({ prefix }: Pick<S3Bucket, 'prefix'>): string {
  return `${prefix}gateway-blobs.txt`
}

/** Returns the part of a blob store that reads and writes the marker of a bucket. */
export function bucketMarker(client: S3Client): Pick<BlobStore, 'place' | 'marker' | 'mark'> {
  const key = markerKeyIn(client.bucket)
  const read = async (): Promise<string | undefined> => (await getText(client, key))?.trim()
  const mark = async (text: string): Promise<string> => {
    const found = await read()
    if (found !== undefined) return found
    // When the second request is sent, there is a marker, so a service that respects the condition
    // (`if-none-match`) refuses this request. Some services do not know the condition, and some
    // ignore it.
    const isExclusive = (await isRefused(client, key, text)) || (await isRefused(client, key, text))
    if (!isExclusive) await sleep(settleMs)
    // When the service ignores the condition, the last of several processes has overwritten the
    // markers of the others.
    return (await read()) ?? ''
  }
  return {
    place: placeOf(client.bucket),
    marker: () => faultsAsErrors(read()),
    mark: text => faultsAsErrors(mark(text)),
  }
}

/** Writes the marker on the condition that there is none. Returns true when the service refuses
 *  because there is one. To a service that does not know the condition, the request is sent
 *  again without it. */
async function isRefused(client: S3Client, key: string, text: string): Promise<boolean> {
  try {
    await putText(client, key, `${text}\n`, { 'if-none-match': '*' })
    return false
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status === 412) return true
    if (error.status !== 501) throw error
  }
  await putText(client, key, `${text}\n`)
  return false
}
