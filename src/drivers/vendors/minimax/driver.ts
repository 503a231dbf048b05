import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { videoRuns } from './runs.ts'
import { models, settings } from './settings.ts'

/** The driver for MiniMax's Hailuo, which creates videos from prompts, frames and pictures of a
 *  face. The vendor documents no way to cancel: a task that a caller abandons is still finished
 *  there, and paid. */
export default serviceDriver({
  id: 'minimax',
  title: 'MiniMax (Hailuo)',
  settings,
  open: tools => ({
    offers: { 'video.generate': videoRuns(tools) },
    unusable: models.unusable,
  }),
})
