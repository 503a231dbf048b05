/** Tries everything that a gateway does with a bucket. */
import { randomUUID } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { placeOf, type S3Bucket } from './bucket.ts'
import { S3Client } from './client.ts'
import { blobFault } from './faults.ts'
import { markerKeyIn } from './marker.ts'
import { abortUpload, abortUploads, beginUpload, copyObject, deleteObject, getText, listObjects, putText } from './objects.ts'
import { usualPatience } from './retry.ts'
import { blobsFolder } from './store.ts'

const patience = { ...usualPatience, deadlineMs: 3_000, stallMs: 5_000 }

type Attempt = <Result>(what: string, work: Promise<Result>) => Promise<Result>

/** Returns a function that awaits `work`. When `work` fails, the function throws an error with a
 *  sentence such as "The bucket does not let this gateway list objects". `field` is the setting
 *  that names the bucket. */
function attempts(bucket: S3Bucket, field?: string): Attempt {
  return async (what, work) => {
    try {
      return await work
    } catch (error) {
      const sentence = `The ${placeOf(bucket)} at ${bucket.endpoint.origin} does not let this gateway ${what}: ${blobFault(error).message}`
      throw new GatewayError('store_unavailable', sentence, { cause: error, ...(field === undefined ? {} : { field }) })
    }
  }
}

/** Writes, reads, copies, lists and deletes an object of the bucket, and begins and ends an upload
 *  in parts. Returns the text of the marker, if there is one. Throws `store_unavailable` that names
 *  the first of these that fails. */
export async function checkBucketRights(bucket: S3Bucket): Promise<string | undefined> {
  const client = new S3Client(bucket, patience)
  const folder = `${bucket.prefix}doctor/`
  const [key, copy] = [folder + randomUUID(), folder + randomUUID()]
  const attempt = attempts(bucket, 'GATEWAY_BLOBS_URL')
  await attempt('write an object', putText(client, key, 'doctor'))
  try {
    const text = await attempt('read an object', getText(client, key))
    if (text !== 'doctor')
      throw new GatewayError('store_unavailable', `The ${placeOf(bucket)} does not return the bytes that were written.`)
    await attempt('copy an object', copyObject(client, key, copy))
    await attempt('list objects', listObjects(client, { prefix: folder, after: '', limit: 10 }))
    const upload = await attempt('begin an upload in parts', beginUpload(client, copy))
    await attempt('end an upload in parts', abortUpload(client, copy, upload.uploadId))
    await attempt('list uploads in parts', abortUploads(client, { prefix: bucket.prefix + blobsFolder, before: 0 }))
    return (await attempt('read an object', getText(client, markerKeyIn(bucket))))?.trim()
  } finally {
    await attempt('delete an object', deleteObject(client, key))
    await attempt('delete an object', deleteObject(client, copy))
  }
}

/** Tries what the gateway does with a bucket of the operator: lists objects, reads an object
 *  that does not exist, and begins and cancels an upload in parts, which needs the same right as
 *  a write. Leaves no object in the bucket, because the gateway may have no right to delete it.
 *  Throws like `checkBucketRights`. */
export async function checkGuestRights(bucket: S3Bucket): Promise<void> {
  const client = new S3Client(bucket, patience)
  const key = `${bucket.prefix}doctor-${randomUUID()}`
  const attempt = attempts(bucket)
  await attempt('list objects', listObjects(client, { prefix: bucket.prefix, after: '', limit: 1 }))
  await attempt('read an object', getText(client, key))
  const { uploadId } = await attempt('write an object', beginUpload(client, key))
  await attempt('end an upload in parts', abortUpload(client, key, uploadId))
}
