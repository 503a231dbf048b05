import type { RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { TaskCapability } from '../../core/records/task.ts'
import type { CallFile } from '../call-file.ts'
import type { FileLimits } from '../file-rule.ts'
import type { ModelSummary } from './models.ts'

/** Work in neutral words on models of every family that the key may use. */
export interface NeutralWork {
  /** Models that the key may use at the endpoint, without aliases, whose work is a task. */
  models(): OfferedModel[]
  /** The inputs with the lengths that the model's family allows them. Throws `invalid_request`
   *  when the capability is not the model's, or no family of the model that the key may use
   *  takes the request: it names field, value and limit. */
  within<C extends TaskCapability>(capability: C, request: RequestOf<C>, inputs: readonly CallFile[]): CallFile[]
  /** From the submit to its end, milliseconds: as long as the model's family gives its own
   *  tasks. */
  deadlineMs(): number
}

export interface OfferedModel extends Pick<ModelSummary, 'id' | 'title' | 'families' | 'unusable'> {
  capability: TaskCapability
  group?: string
  /** The limits of the first of the families. */
  limits: NeutralLimits
}

/** Bounds are inclusive; an absent one is no bound. `maxLength` counts characters. */
export interface FieldLimit {
  field: FieldName
  maxLength?: number
  minimum?: number
  maximum?: number
}

export interface InputLimit {
  role: string
  /** Files of this role in one request. */
  most: number
  /** A file fits one of these. */
  kinds: FileLimits[]
}

export interface NeutralLimits {
  fields: FieldLimit[]
  inputs: InputLimit[]
  /** Some operation also takes files that the account keeps here: their roles are not in
   *  `inputs`. */
  takesKeptFiles: boolean
}
