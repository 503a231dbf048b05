import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { pictureRuns } from './runs.ts'
import { models, settings } from './settings.ts'

export default arkDriver([2_000, 8_000, 30_000])

/** Returns a driver for Seedream and SeedEdit. The driver supports series of pictures, each
 *  streamed as soon as it is drawn, reference pictures, watermarks and web search. The vendor
 *  stops drawing when the caller disconnects. `retryAfterMs` are waits in milliseconds. When the
 *  vendor's rate limit refuses a request of a job after its first one, the driver waits and
 *  sends that request again; each entry allows one more try. When the vendor states a wait, that
 *  wait is used instead of the entry. */
export function arkDriver(retryAfterMs: readonly number[]): UpstreamSpec {
  return serviceDriver({
    id: 'ark',
    title: 'Volcengine Ark images',
    settings,
    open: tools => ({
      offers: { 'image.generate': pictureRuns({ ...tools, retryAfterMs }), 'image.edit': pictureRuns({ ...tools, retryAfterMs }) },
      unusable: models.unusable,
    }),
  })
}
