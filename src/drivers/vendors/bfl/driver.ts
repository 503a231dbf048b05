import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { fluxRuns } from './runs.ts'
import { models, settings } from './settings.ts'

export default bflDriver(Date.now)

/** Returns a driver for the FLUX models of Black Forest Labs. `now` returns Unix milliseconds.
 *  Tasks cannot be cancelled at the vendor: a task that a caller abandons is still drawn and
 *  paid. */
export function bflDriver(now: () => number): UpstreamSpec {
  return serviceDriver({
    id: 'bfl',
    title: 'Black Forest Labs (FLUX)',
    settings,
    // The vendor allows 24 active tasks per account (docs/vendors/bfl.md#transport). More jobs at a
    // time would be refused there and repeated.
    slots: 24,
    open: tools => ({
      offers: { 'image.generate': fluxRuns({ ...tools, now }), 'image.edit': fluxRuns({ ...tools, now }) },
      unusable: models.unusable,
    }),
  })
}
