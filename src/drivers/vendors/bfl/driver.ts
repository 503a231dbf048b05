import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { fluxRuns } from './runs.ts'
import { models, settings } from './settings.ts'

export default bflDriver(Date.now)

/** Returns a driver for the FLUX models of Black Forest Labs. `now` returns Unix milliseconds. The
 *  vendor cannot cancel: an abandoned task is still drawn there, and paid. */
export function bflDriver(now: () => number): UpstreamSpec {
  return serviceDriver({
    id: 'bfl',
    title: 'Black Forest Labs (FLUX)',
    settings,
    // An account can have at most 24 active tasks (docs/vendors/bfl.md#transport); further ones
    // would be refused and tried again.
    slots: 24,
    open: tools => ({
      offers: { 'image.generate': fluxRuns({ ...tools, now }), 'image.edit': fluxRuns({ ...tools, now }) },
      unusable: models.unusable,
    }),
  })
}
