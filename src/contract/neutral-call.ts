/** Types for checking the rules of a family on a neutral request, which has the same form for all
 *  families. */
import type { Capability, RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'

/** A neutral request with its inputs, for a model of this group. */
export interface NeutralCall<C extends Capability = Capability> {
  capability: C
  request: RequestOf<C>
  inputs: readonly InputFacts[]
  /** The model's parameter set; undefined when its family has only one. */
  group: string | undefined
}

/** A broken rule, with the sentence that describes the problem. */
export interface BrokenRule {
  /** Id of the rule. */
  id: string
  /** The field of the body that the rule names. */
  field: string
  message: string
}

/** A rule that a neutral request breaks. Neutral requests have a form that all families share. */
export interface NeutralProblem extends BrokenRule {
  /** Neutral name of `field`, for a field of the body that the family's `fieldNames` do not
   *  list. */
  neutralField?: FieldName
}

/** Checks neutral requests against the rules of an operation. The rules read fields of the
 *  operation's body, so these fields are derived from the request first. */
export interface NeutralForm {
  /** Returns the problems of the request, in the order of the rules; undefined when the operation
   *  never creates requests of this kind. */
  problems(call: NeutralCall): NeutralProblem[] | undefined
}
