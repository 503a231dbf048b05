import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { createTokens } from './service-account.ts'
import { settings } from './settings.ts'
import { videoOffer } from './videos.ts'

/** The driver for Veo on Vertex AI: videos from prompts, first and last frames, reference pictures,
 *  and earlier videos that it extends. */
export default serviceDriver({
  id: 'vertex',
  title: 'Vertex AI',
  settings,
  open: tools => {
    const tokens = createTokens({ upstream: tools.upstream, now: Date.now })
    return { offers: { 'video.generate': videoOffer({ ...tools, tokens }) } }
  },
})
