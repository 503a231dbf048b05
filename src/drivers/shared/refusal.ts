import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'

/** Thrown for a request that this target cannot serve but another target may. */
export class RefusedError extends GatewayError {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super('not_implemented', refusal.message, defined({ field: refusal.field }))
    this.refusal = refusal
  }
}

/** The error of a target that cannot do what one field requests. `says` is the rest of the sentence
 *  that begins with the field's name. */
export function refused(...[field, says]: Parameters<typeof refusal>): RefusedError {
  return new RefusedError(refusal(field, says))
}

/** The refusal that `check` throws, or the reason why the target cannot be used; undefined when
 *  `check` throws nothing. Other errors pass through. It serves the `refuses` of an offer whose run
 *  itself throws for what it cannot do. */
export function refusalBy(check: () => unknown): Refusal | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal
    if (error instanceof GatewayError && error.code === 'capability_unavailable') return { message: error.message }
    throw error
  }
}
