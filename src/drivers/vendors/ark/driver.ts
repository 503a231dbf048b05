import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { pictureRuns } from './runs.ts'
import { models, settings } from './settings.ts'

export default arkDriver([2_000, 8_000, 30_000])

/** Returns a driver for Seedream and SeedEdit. The driver supports series of pictures, each
 *  streamed as soon as it is drawn, reference pictures, watermarks and web search. The vendor stops
 *  drawing when the caller disconnects. When the vendor's rate limit refuses a request that is not
 *  the first of its job, the driver waits and sends it again. `retryAfterMs` has the waits in
 *  milliseconds, one for each further try. A wait that the vendor states is used instead. */
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
