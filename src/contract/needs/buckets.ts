import type { MappedBucket } from '../../core/ports/buckets.ts'
import type { Artifact } from '../../core/records/task.ts'
import type { CallFile } from '../call-file.ts'
import type { FileLimits } from '../file-rule.ts'

export interface FetchedFile {
  /** Path of the field that names the object. */
  field: string
  role: string
  limits: FileLimits
}

/** Buckets of the operator that the configuration file maps. */
export interface Buckets {
  /** Writes an output of a task to the object `name`, unless the bucket already has this object.
   *  Throws `disk_full`, `store_unavailable`, and `gone` for an output that was deleted after
   *  its lifetime. */
  put(bucket: MappedBucket, name: string, artifact: Artifact): Promise<void>
  /** Returns an object as a file of the call, whose header was read and fits the limits;
   *  undefined when there is no object of this name. Throws `invalid_request` with the field and
   *  the limit, `inspection_busy`, `disk_full`, `store_unavailable`. */
  fetch(bucket: MappedBucket, name: string, file: FetchedFile): Promise<CallFile | undefined>
}
