import { dayMs } from '@generation-gateway/kit/units.ts'

/** Milliseconds for which a stored completion is kept; stored responses are kept as long. */
export const keepMs = 30 * dayMs
