import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { editedImages, newImages } from './images.ts'
import { createCredentials, models, settings } from './settings.ts'
import { taskRuns } from './task-runs.ts'
import { videos } from './videos.ts'

export default klingDriver(Date.now)

/** Returns the driver for Kling's video and picture models. Each job becomes a task at the
 *  vendor, which is polled until it has ended. `now` returns Unix milliseconds. The vendor has
 *  no way to cancel a task: it finishes a task that the caller has abandoned, and charges for
 *  it. */
function klingDriver(now: () => number): UpstreamSpec {
  return serviceDriver({
    id: 'kling',
    title: 'Kling',
    settings,
    open: service => {
      const tools = { ...service, credentials: createCredentials(now) }
      return {
        offers: {
          'video.generate': { ...taskRuns<VideoGenerateRequest>(tools, videos), follows: ['elements', 'ownShots'] },
          'image.generate': { ...taskRuns<ImageGenerateRequest>(tools, newImages), follows: ['series', 'markedCopy'] },
          'image.edit': { ...taskRuns<ImageEditRequest>(tools, editedImages), follows: ['series', 'markedCopy'] },
        },
        unusable: models.unusable,
      }
    },
  })
}
