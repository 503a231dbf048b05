import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { pictureRuns } from './runs.ts'
import { models, settings } from './settings.ts'

export default arkDriver([2_000, 8_000, 30_000])

/** Runs Seedream and SeedEdit with all their features: series of pictures, each streamed as soon as
 *  it is drawn, reference pictures, watermarks, web search. Drawing ends when the caller
 *  disconnects. `retryAfterMs`: waits before a later picture of a job is requested again after the
 *  vendor's rate limit kept it out; each wait allows one more try. */
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
