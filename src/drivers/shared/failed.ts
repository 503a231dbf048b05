import type { Failed } from '@generation-gateway/kit/requests/job.ts'

/** Returns the failure for an expected refusal or failure of an upstream. The failure is stored
 *  with the task. `reasons` tell the caller why moderation refused something. */
export function failed(code: Failed['code'], message: string, reasons: string[] = []): Failed {
  return reasons.length === 0 ? { state: 'failed', code, message } : { state: 'failed', code, message, reasons }
}

/** Returns the failure of work that the upstream has done or may have done. The upstream may still
 *  charge for it, so the amount reserved for the task (its hold) is not released yet. */
export function failedAfterPay(code: Failed['code'], message: string): Failed {
  return { ...failed(code, message), mayBeCharged: true }
}
