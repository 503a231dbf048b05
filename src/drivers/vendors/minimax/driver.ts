import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { videoRuns } from './runs.ts'
import { models, settings } from './settings.ts'

/** The driver for MiniMax's Hailuo: videos from prompts, frames and faces. The vendor has no known
 *  call to cancel: an abandoned task is still created there, and paid. */
export default serviceDriver({
  id: 'minimax',
  title: 'MiniMax (Hailuo)',
  settings,
  open: tools => ({
    offers: { 'video.generate': videoRuns(tools) },
    unusable: models.unusable,
  }),
})
