/** Names in buckets: `gs://<bucket>/<folder>`. The gateway keeps the files itself; a name leads back to the operation that made it. */
import type { CallContext } from '../../contract/context.ts'
import type { Task } from '../../core/records/task.ts'

/** Why an operation cannot come to anything, in the words of its query. */
export interface OperationError {
  code: number
  message: string
}

const bucketForm = /^gs:\/\/([^/]+)(?:\/|$)/
const sampleForm = /\/([0-9a-z]{26})\/sample_(\d)\.mp4$/

/** What is wrong with a place for videos; undefined when they may be put there. */
export function storageProblem(context: CallContext<'section'>, uri: string): OperationError | undefined {
  const bucket = bucketForm.exec(uri)?.[1]
  if (bucket === undefined) return { code: 3, message: `Unsupported output storage uri: ${uri.slice(0, 200)}` }
  return mayUse(context, bucket) ? undefined : denied(uri)
}

/** The operation and the sample that a name is of, or why there is none: `undefined` when it is no such name at all. */
export function sampleIn(context: CallContext<'section'>, uri: string): { taskId: string; index: number } | OperationError {
  const bucket = bucketForm.exec(uri)?.[1]
  if (bucket === undefined || !mayUse(context, bucket)) return denied(uri)
  const [, taskId, index] = sampleForm.exec(uri) ?? []
  return taskId === undefined ? missing(uri) : { taskId, index: Number(index) }
}

export function missing(uri: string): OperationError {
  return { code: 5, message: `There is no object ${uri.slice(0, 200)}.` }
}

/** Name of a sample in the place that its operation was given; undefined without one. */
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
