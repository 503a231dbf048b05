import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest } from '@generation-gateway/kit/requests/image.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { artworkRuns } from './runs.ts'
import { settings } from './settings.ts'
import { newPictures, redraw, upscale } from './submits.ts'

/** The driver for Midjourney's enterprise API in China. The vendor draws four pictures per job, and
 *  redraws and upscales only pictures that it drew. It documents no way to cancel: a job that a
 *  caller abandons is still drawn there, and paid. */
export default serviceDriver({
  id: 'youchuan',
  title: 'Youchuan (Midjourney)',
  settings,
  open: tools => ({
    offers: {
      'image.generate': { ...artworkRuns<ImageGenerateRequest>(tools, newPictures), follows: ['flags'] },
      'image.edit': { ...artworkRuns<ImageEditRequest>(tools, redraw), follows: ['flags', 'regions'] },
      'image.upscale': artworkRuns<ImageUpscaleRequest>(tools, upscale),
    },
  }),
})
