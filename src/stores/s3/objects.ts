/** The requests of S3 that the blob store needs, for objects of known keys. */
import { createHash } from 'node:crypto'
import type { SignedBody } from './attempt.ts'
import type { S3Client, S3Request, TextAnswer } from './client.ts'
import { PassingFault, Refusal } from './faults.ts'
import { elementsOf, escaped, textOf } from './xml.ts'

/** Media type of objects that only the gateway reads. */
export const plainBytes = 'application/octet-stream'

export async function putObject(client: S3Client, key: string, body: SignedBody, mediaType: string = plainBytes): Promise<void> {
  await client.text({ method: 'PUT', key, body, headers: { 'content-type': mediaType } })
}

/** Writes a text as an object; `headers` are further headers of the request. */
export async function putText(client: S3Client, key: string, text: string, headers: S3Request['headers'] = {}): Promise<void> {
  const body = textBody(text)
  await client.text({ method: 'PUT', key, body, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } })
}

/** Returns the text of a small object; undefined when there is none. */
export async function getText(client: S3Client, key: string): Promise<string | undefined> {
  return (await unlessMissing(client.text({ method: 'GET', key })))?.text
}

/** Deletes an object; a missing one is no error. */
export async function deleteObject(client: S3Client, key: string): Promise<void> {
  await unlessMissing(client.text({ method: 'DELETE', key }))
}

/** Returns the length of an object in bytes; undefined when there is none. Throws `PassingFault`
 *  when there is no such bucket. */
export async function lengthOf(client: S3Client, key: string): Promise<number | undefined> {
  const head = await unlessMissing(client.text({ method: 'HEAD', key }))
  if (head !== undefined) return Number(head.headers['content-length'])
  // The answer to HEAD has no body that could say whether the object or the whole bucket is
  // missing.
  const found = client.open({ method: 'GET', key }, response => {
    response.destroy()
    return Number(response.headers['content-length'])
  })
  return unlessMissing(found)
}

/** Returns the result of a request about an object; undefined when there is no such object. */
async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal && error.isMissing) return undefined
    throw error
  }
}

/** Copies an object within the service. When another request deletes the object at the same
 *  time, either the copy is complete, or it is refused because the object is missing. */
export async function copyObject(client: S3Client, from: string, to: string): Promise<void> {
  const headers = { 'x-amz-copy-source': `/${client.bucket.bucket}/${from}` }
  await client.text({ method: 'PUT', key: to, headers, stallMs: client.patience.workMs / 4 })
}

export interface ListedObject {
  key: string
  bytes: number
  /** Time of the last change, Unix milliseconds. */
  modifiedAt: number
}

/** Returns up to `limit` (at most 1,000) objects whose keys begin with the prefix and sort after
 *  `after`, in order. */
export async function listObjects(
  client: S3Client,
  { prefix, after, limit }: { prefix: string; after: string; limit: number },
): Promise<{ objects: ListedObject[]; isLast: boolean }> {
  const query = { 'list-type': '2', prefix, 'max-keys': String(limit), ...(after === '' ? {} : { 'start-after': after }) }
  const text = await wholeAnswer(client, { query, root: 'ListBucketResult' })
  const objects = elementsOf(text, 'Contents').map(each => ({
    key: textOf(each, 'Key'),
    bytes: Number(textOf(each, 'Size')),
    modifiedAt: Date.parse(textOf(each, 'LastModified')),
  }))
  return { objects, isLast: textOf(text, 'IsTruncated') !== 'true' }
}

/** Removes the parts of uploads that began before `before` (Unix milliseconds) and never ended, as
 *  far as one page of the service's list shows them. Returns the number of these uploads. */
export async function abortUploads(client: S3Client, { prefix, before }: { prefix: string; before: number }): Promise<number> {
  let aborted = 0
  const text = await wholeAnswer(client, { query: { uploads: '', prefix }, root: 'ListMultipartUploadsResult' })
  for (const upload of elementsOf(text, 'Upload')) {
    const [key, uploadId] = [textOf(upload, 'Key'), textOf(upload, 'UploadId')]
    if (!key.startsWith(prefix) || !(Date.parse(textOf(upload, 'Initiated')) < before)) continue
    await abortUpload(client, key, uploadId)
    aborted += 1
  }
  return aborted
}

async function wholeAnswer(client: S3Client, { query, root }: { query: Readonly<Record<string, string>>; root: string }): Promise<string> {
  const accept = ({ text }: TextAnswer): void => {
    if (!text.includes(`</${root}>`)) throw new PassingFault('its answer is not whole')
  }
  return (await client.text({ method: 'GET', key: '', query }, { accept })).text
}

/** An upload in parts. */
export interface PartsUpload {
  key: string
  uploadId: string
}

export async function beginUpload(client: S3Client, key: string, mediaType: string = plainBytes): Promise<PartsUpload> {
  const headers = { 'content-type': mediaType }
  const accept = ({ text }: TextAnswer): void => {
    if (textOf(text, 'UploadId') === '') throw new PassingFault('its answer names no upload')
  }
  const { text } = await client.text({ method: 'POST', key, query: { uploads: '' }, headers }, { accept })
  return { key, uploadId: textOf(text, 'UploadId') }
}

/** Sends a part; parts have the numbers from 1 to 10,000. Returns its tag. */
export async function putPart(
  client: S3Client,
  { key, uploadId }: PartsUpload,
  part: { number: number; body: SignedBody },
): Promise<string> {
  const query = { partNumber: String(part.number), uploadId }
  const accept = ({ headers }: TextAnswer): void => {
    if (headers.etag === undefined) throw new PassingFault('its answer has no tag')
  }
  const { headers } = await client.text({ method: 'PUT', key, query, body: part.body }, { accept })
  return String(headers.etag)
}

/** Joins the parts to the object; `tags` are in the order of the parts. Returns false when the
 *  object does not exist afterwards: the service has lost the parts, or it reports success
 *  without having made the object, as versitygw does after it was killed while it joined the
 *  parts. */
export async function endUpload(
  client: S3Client,
  { key, uploadId }: PartsUpload,
  { tags, bytes }: { tags: readonly string[]; bytes: number },
): Promise<boolean> {
  const rows = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
  const text = `<CompleteMultipartUpload>${rows.join('')}</CompleteMultipartUpload>`
  const body = textBody(text)
  try {
    await client.text({ method: 'POST', key, query: { uploadId }, body, stallMs: client.patience.workMs })
  } catch (error) {
    // An earlier attempt, whose answer was lost, may have joined the parts already.
    if (!(error instanceof Refusal && error.code === 'NoSuchUpload')) throw error
  }
  return (await lengthOf(client, key)) === bytes
}

export async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  try {
    await client.text({ method: 'DELETE', key, query: { uploadId } })
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error
  }
}

function textBody(text: string): SignedBody {
  const bytes = Buffer.from(text)
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), open: () => bytes }
}
