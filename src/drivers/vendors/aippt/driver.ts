import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { renderings } from './render.ts'
import { Sessions } from './session.ts'
import { settings } from './settings.ts'
import { templatesOf } from './templates.ts'
import { writings } from './write.ts'

interface AipptOptions {
  /** Name of the driver in the YAML. */
  id: string
  /** Milliseconds between two polls. For comparison: the vendor takes about 25 s to write content
   *  and 30 s to export it (docs/vendors/aippt.md#steps). */
  pollEveryMs: number
}

export default aipptDriver({ id: 'aippt', pollEveryMs: 3_000 })

/** Returns a driver for presentations of AiPPT's enterprise platform (docs/vendors/aippt.md#steps).
 *  The service renders only slides that it has written itself. The vendor documents no way to
 *  cancel. */
export function aipptDriver({ id, pollEveryMs }: AipptOptions): UpstreamSpec {
  return serviceDriver({
    id,
    title: 'AiPPT',
    settings,
    open: tools => {
      const sessions = new Sessions(tools)
      return {
        offers: {
          'slides.write': { ...writings(sessions), pollEveryMs },
          'slides.render': { ...renderings(tools, sessions), pollEveryMs },
        },
        templates: requested => templatesOf(sessions, requested),
      }
    },
  })
}
