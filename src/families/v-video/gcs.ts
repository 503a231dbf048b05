/** Handles names of objects in buckets, `gs://<bucket>/<folder>`. The gateway stores the files
 *  itself and uses no bucket: from the name of a file, it finds the operation that created the
 *  file. */
import type { CallContext } from '../../contract/context.ts'
import type { Task } from '../../core/records/task.ts'

/** The error of an operation, as its query reports it: a gRPC code and a message. */
export interface OperationError {
  code: number
  message: string
}

const bucketForm = /^gs:\/\/([^/]+)(?:\/|$)/
const sampleForm = /\/([0-9a-z]{26})\/sample_(\d)\.mp4$/

/** Returns the reason why `uri` is not accepted as the place for videos; undefined when it is. */
export function storageProblem(context: CallContext<'section'>, uri: string): OperationError | undefined {
  const bucket = bucketForm.exec(uri)?.[1]
  if (bucket === undefined) return { code: 3, message: `Unsupported output storage uri: ${uri.slice(0, 200)}` }
  return mayUse(context, bucket) ? undefined : denied(uri)
}

/** Returns the operation and the sample to which a name refers. Returns an error when the caller
 *  may not use the bucket, or when the name has another form. */
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
  return (context.section<string[]>('buckets') ?? []).includes(bucket)
}

function denied(uri: string): OperationError {
  return { code: 7, message: `Permission denied on storage location or model for this account; check access to ${uri.slice(0, 200)}` }
}
