import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'

/** Thrown for what this target cannot do and another one may. */
export class RefusedError extends GatewayError {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super('not_implemented', refusal.message, refusal.field === undefined ? {} : { field: refusal.field })
    this.refusal = refusal
  }
}

/** The error of a target that cannot do what one field asks; `says` goes on behind its name. */
export function refused(...[field, says]: Parameters<typeof refusal>): RefusedError {
  return new RefusedError(refusal(field, says))
}

/** What an offer's `refuses` answers where the work itself throws for what it cannot do: the refusal that `check` throws, or why the target cannot be used; undefined when it throws nothing. Other errors pass. */
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
