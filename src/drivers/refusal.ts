import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Refusal } from '@generation-gateway/kit/requests/job.ts'

/** What an offer's `refuses` answers where the work itself throws for what it cannot do: the refusal in the `not_implemented` or
 *  `capability_unavailable` that `check` throws, undefined when it throws nothing. Other errors pass. */
export function refusalBy(check: () => unknown): Refusal | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    const isRefusal = error instanceof GatewayError && (error.code === 'not_implemented' || error.code === 'capability_unavailable')
    if (!isRefusal) throw error
    const { field, message } = error
    return field === undefined ? { message } : { field, message }
  }
}
