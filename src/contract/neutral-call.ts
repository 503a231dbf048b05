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

/** A rule that a neutral request (the form of requests that all families share) breaks. */
export interface NeutralProblem extends BrokenRule {
  /** The field of the neutral request that breaks the rule, where the family's `fieldNames` do not
   *  show it. */
  neutralField?: FieldName
}

/** Checks neutral requests against the rules of an operation. For this it derives from the request
 *  the parts of the operation's body that the rules read. */
export interface NeutralForm {
  /** Returns the problems of the request, in the order of the rules; undefined when the operation
   *  never creates requests of this kind. */
  problems(call: NeutralCall): NeutralProblem[] | undefined
}
