import type { RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { TaskCapability } from '../../core/records/task.ts'

/** Returns the fields of the request that every target of the chosen model would ignore. These
 *  fields are optional: the task runs without them, and its answer lists them
 *  (docs/decisions/0022). */
export type NotFollowed = <C extends TaskCapability>(capability: C, request: RequestOf<C>) => readonly FieldName[]
