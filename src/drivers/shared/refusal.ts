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

/** Calls `check` and returns the refusal that it throws; undefined when it throws nothing. An error
 *  with the code `capability_unavailable` becomes a refusal with the error's message. Other errors
 *  pass through. Drivers that refuse while they build a request pass the function that builds it as
 *  `check`. */
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
