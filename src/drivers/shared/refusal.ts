import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'

/** Thrown for a request that this target cannot serve, although another target may be able to. */
export class RefusedError extends GatewayError {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super('not_implemented', refusal.message, defined({ field: refusal.field }))
    this.refusal = refusal
  }
}

/** Returns the error for a target that cannot do what one field requests. The message is the
 *  field's name followed by `says`. */
export function refused(...[field, says]: Parameters<typeof refusal>): RefusedError {
  return new RefusedError(refusal(field, says))
}

/** Returns the refusal that `check` throws, or the message of its error when the target cannot be
 *  used; undefined when `check` throws nothing. Other errors pass through. Some drivers refuse
 *  while they build the request; their `refuses` function passes that code as `check`. */
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
