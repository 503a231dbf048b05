/** Handles names of objects in buckets, `gs://<bucket>/<folder>`. The gateway stores the files
 *  itself, and finds a file by the id of its operation, which is part of the file's name. If the
 *  configuration file maps the bucket, the videos are written there as well. */
import type { CallContext } from '../../contract/context.ts'
import type { MappedBucket } from '../../core/ports/buckets.ts'
import type { Task } from '../../core/records/task.ts'
import type { BucketEntries } from './schema.ts'

/** The error of an operation, as its query reports it: a gRPC code and a message. */
export interface OperationError {
  code: number
  message: string
}

const bucketForm = /^gs:\/\/([^/]+)(?:\/|$)/
const nameForm = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/
/** Longest name of an object or folder, in characters. An S3 key has at most 1,024 bytes, in which
 *  the bucket's prefix (201 bytes) and the name of a video (41 bytes) must fit, too. */
const mostNameCharacters = 750
const sampleForm = /\/([0-9a-z]{26})\/sample_(\d)\.mp4$/

/** Returns the reason why `uri` is not accepted as the place for videos; undefined when it is. */
export function storageProblem(context: CallContext<'section'>, uri: string): OperationError | undefined {
  const bucket = bucketForm.exec(uri)?.[1]
  if (bucket === undefined) return { code: 3, message: `Unsupported output storage uri: ${uri.slice(0, 200)}` }
  if (!mayUse(context, bucket)) return denied(uri)
  const folder = uri.slice(`gs://${bucket}`.length).replace(/^\/|\/+$/g, '')
  if (mappedBucket(context, uri) === undefined || folder === '' || isObjectName(folder)) return undefined
  const message = `Unsupported output storage uri: ${uri.slice(0, 200)}; a folder has at most ${mostNameCharacters} letters, digits, dots, dashes and underscores, and begins with none of the dots`
  return { code: 3, message }
}

/** Returns the bucket that the configuration file maps to the bucket of this name; undefined when
 *  it maps none. */
export function mappedBucket(context: CallContext<'section'>, uri: string): MappedBucket | undefined {
  const bucket = bucketForm.exec(uri)?.[1]
  return bucketsOf(context).find(entry => typeof entry !== 'string' && entry.name === bucket) as MappedBucket | undefined
}

/** Returns true for the names that objects and folders of a mapped bucket may have. */
export function isObjectName(name: string): boolean {
  return name.length <= mostNameCharacters && nameForm.test(name)
}

/** Returns the name of an object within its bucket. */
export function objectName(uri: string): string {
  return uri.slice((bucketForm.exec(uri)?.[0] ?? '').length)
}

/** Returns the operation and the sample to which a name refers. Returns an error when the caller
 *  is not allowed to use the bucket, or when the name has another form. */
export function sampleIn(context: CallContext<'section'>, uri: string): { taskId: string; index: number } | OperationError {
  const bucket = bucketForm.exec(uri)?.[1]
  if (bucket === undefined || !mayUse(context, bucket)) return denied(uri)
  const [, taskId, index] = sampleForm.exec(uri) ?? []
  return taskId === undefined ? missing(uri) : { taskId, index: Number(index) }
}

export function missing(uri: string): OperationError {
  return { code: 5, message: `There is no object ${uri.slice(0, 200)}.` }
}

/** Returns the address of a sample under the storage URI of the operation; undefined when the
 *  operation has no storage URI. */
export function sampleUri({ id, shown }: Task, index: number): string | undefined {
  const { storageUri } = shown ?? {}
  return typeof storageUri === 'string' ? `${storageUri.replace(/\/+$/, '')}/${id}/sample_${index}.mp4` : undefined
}

function mayUse(context: CallContext<'section'>, bucket: string): boolean {
  return bucketsOf(context).some(entry => (typeof entry === 'string' ? entry : entry.name) === bucket)
}

function bucketsOf(context: CallContext<'section'>): BucketEntries {
  return context.section<BucketEntries>('buckets') ?? []
}

function denied(uri: string): OperationError {
  return { code: 7, message: `Permission denied on storage location or model for this account; check access to ${uri.slice(0, 200)}` }
}
