import type { RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { TaskCapability } from '../../core/records/task.ts'
import type { CallFile } from '../call-file.ts'
import type { FileLimits } from '../file-rule.ts'
import type { ModelSummary } from './models.ts'

/** Functions for requests in the neutral form, which is the same for all families. Such a request
 *  may use a model of every family that the key may use. */
export interface NeutralWork {
  /** Returns the models that the key may use at the endpoint and whose work is a task, without
   *  aliases. */
  models(): OfferedModel[]
  /** Checks a request against the limits and rules of those families of the model that the key may
   *  use. Returns the inputs, each with the range of lengths (`lengthLimits`) that the first family
   *  which accepts the request allows for it. Throws `invalid_request`, with field, value and
   *  limit, when no such family accepts the request, or when the capability is not the model's. */
  within<C extends TaskCapability>(capability: C, request: RequestOf<C>, inputs: readonly CallFile[]): CallFile[]
  /** Returns the time from submission to deadline in milliseconds: the longest time that any of the
   *  model's families allows for its own tasks. */
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
