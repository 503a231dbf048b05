import type { RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { TaskCapability } from '../../core/records/task.ts'
import type { CallFile } from '../call-file.ts'
import type { FileLimits } from '../file-rule.ts'
import type { ModelSummary } from './models.ts'

/** Tasks in the neutral form of requests, which is the same for all families, on models of every
 *  family that the key may use. */
export interface NeutralWork {
  /** Returns the models that the key may use at the endpoint and whose work is a task, without
   *  aliases. */
  models(): OfferedModel[]
  /** Checks a request, and returns its inputs with the range of lengths that the model's family
   *  allows for each (`lengthLimits`). Throws `invalid_request`, with field, value and limit,
   *  when the capability is not the model's, or when no family of the model that the key may use
   *  accepts the request. */
  within<C extends TaskCapability>(capability: C, request: RequestOf<C>, inputs: readonly CallFile[]): CallFile[]
  /** Returns the time from submission to deadline in milliseconds: the longest that one of the
   *  model's families gives its own tasks. */
  deadlineMs(): number
}

export interface OfferedModel extends Pick<ModelSummary, 'id' | 'title' | 'families' | 'unusable'> {
  capability: TaskCapability
  group?: string
  /** The limits of the first family in `families`. */
  limits: NeutralLimits
}

/** Limits of one field. Bounds are inclusive; an absent one sets no limit. `maxLength` counts
 *  characters. */
export interface FieldLimit {
  field: FieldName
  maxLength?: number
  minimum?: number
  maximum?: number
}

export interface InputLimit {
  role: string
  /** Maximum number of files with this role in one request. */
  most: number
  /** Alternative sets of limits: a file has to fit one of them. */
  kinds: FileLimits[]
}

export interface NeutralLimits {
  fields: FieldLimit[]
  inputs: InputLimit[]
  /** True when some operation of the family also accepts files that the gateway stores for the
   *  account; the roles of such files are not in `inputs`. */
  takesKeptFiles: boolean
}
