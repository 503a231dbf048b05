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

/** Returns the error of a target that cannot do what one field requests. `says` completes a
 *  sentence that begins with the field's name. */
export function refused(...[field, says]: Parameters<typeof refusal>): RefusedError {
  return new RefusedError(refusal(field, says))
}

/** Returns the refusal that `check` throws, or the reason why the target cannot be used; undefined
 *  when `check` throws nothing. Other errors pass through. Used for the `refuses` function of an
 *  offer whose run throws such refusals itself. */
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
