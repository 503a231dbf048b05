import { dayMs } from '@generation-gateway/kit/units.ts'

/** How long a stored completion is kept: as long as a response. */
export const keepMs = 30 * dayMs
