import type { Failed } from '@generation-gateway/kit/requests/job.ts'

/** An expected refusal or failure of an upstream, as its task keeps it. `reasons` are words for the caller about a moderation verdict. */
export function failed(code: Failed['code'], message: string, reasons: string[] = []): Failed {
  return reasons.length === 0 ? { state: 'failed', code, message } : { state: 'failed', code, message, reasons }
}

/** A failure of something that the upstream has made, or may have made: it may charge for it, so what was held for it stays open. */
export function failedAfterPay(code: Failed['code'], message: string): Failed {
  return { ...failed(code, message), mayBeCharged: true }
}
