import { dayMs } from '@generation-gateway/kit/units.ts'

/** Milliseconds for which a stored completion is kept, as long as a stored response. */
export const keepMs = 30 * dayMs
