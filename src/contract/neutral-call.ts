/** A neutral request as the rules of a family's operations see it. */
import type { Capability, RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'

/** A neutral request with its inputs, for a model of this group. */
export interface NeutralCall<C extends Capability = Capability> {
  capability: C
  request: RequestOf<C>
  inputs: readonly InputFacts[]
  /** Parameter set of the model; undefined for a model without one. */
  group: string | undefined
}

/** A rule that does not hold, and the sentence about it. */
export interface BrokenRule {
  /** Id of the rule. */
  id: string
  /** The field of the body that the rule names. */
  field: string
  message: string
}

/** A rule that a neutral request breaks. */
export interface NeutralProblem extends BrokenRule {
  /** The neutral field at fault, where the family's `fieldNames` do not tell it. */
  neutralField?: FieldName
}

/** The body of an operation that a neutral request stands for, as far as the rules read it. */
export interface NeutralForm {
  /** Returns the problems of the request, in the order of the rules; undefined when the operation
   *  makes no such requests at all. */
  problems(call: NeutralCall): NeutralProblem[] | undefined
}
