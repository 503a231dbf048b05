import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { videoRuns } from './runs.ts'
import { models, settings } from './settings.ts'

/** MiniMax's Hailuo: videos from words, frames and faces. The vendor has no known call to cancel:
 *  an abandoned task is still made there, and paid. */
export default serviceDriver({
  id: 'minimax',
  title: 'MiniMax (Hailuo)',
  settings,
  open: tools => ({
    offers: { 'video.generate': videoRuns(tools) },
    unusable: models.unusable,
  }),
})
