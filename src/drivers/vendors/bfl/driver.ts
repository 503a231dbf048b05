import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { fluxRuns } from './runs.ts'
import { groupOf, settings, unknownModel } from './settings.ts'

export default bflDriver(Date.now)

/** The FLUX models of Black Forest Labs. `now`: Unix milliseconds. The vendor cannot cancel: a task that is given up here is drawn there, and paid. */
export function bflDriver(now: () => number): UpstreamSpec {
  return serviceDriver({
    id: 'bfl',
    title: 'Black Forest Labs (FLUX)',
    settings,
    // An account has 24 active tasks at most (docs/vendors/bfl.md#transport); more would be refused
    // and tried again.
    slots: 24,
    open: tools => ({
      offers: { 'image.generate': fluxRuns({ ...tools, now }), 'image.edit': fluxRuns({ ...tools, now }) },
      unusable: (given, model) => (groupOf(given, model) ? undefined : unknownModel(model)),
    }),
  })
}
