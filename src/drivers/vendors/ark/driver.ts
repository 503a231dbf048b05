import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { pictureRuns } from './runs.ts'
import { groupOf, settings, unknownModel } from './settings.ts'

export default arkDriver([2_000, 8_000, 30_000])

/** Seedream and SeedEdit, natively: groups of pictures, each told as soon as it is drawn, reference pictures, watermarks, web search. A caller who leaves ends the drawing.
 *  `retryAfterMs`: waits before a later picture of a job is asked for again that a limit of the vendor kept out; one more try for each. */
export function arkDriver(retryAfterMs: readonly number[]): UpstreamSpec {
  return serviceDriver({
    id: 'ark',
    title: 'Volcengine Ark images',
    settings,
    open: tools => ({
      offers: { 'image.generate': pictureRuns({ ...tools, retryAfterMs }), 'image.edit': pictureRuns({ ...tools, retryAfterMs }) },
      unusable: (given, model) => (groupOf(given, model) === undefined ? unknownModel(model) : undefined),
    }),
  })
}
