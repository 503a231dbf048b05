import { type DriverSpec, defineDriver } from '@generation-gateway/kit/driver.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { createUpstream } from '../upstream/upstream.ts'
import { createUrlGuard } from '../upstream/url-guard.ts'
import { imageRuns, planFor } from './image-runs.ts'
import { whyNothingFits } from './request-inputs.ts'
import { settingsSchema } from './settings.ts'
import { workflowFiles } from './workflow.ts'

const title = 'ComfyUI server'

interface ComfyuiDriverOptions {
  /** Waits before a submit of unknown fate is looked up, and sent again when the server has nothing of it. Milliseconds. */
  repeatAfterMs: readonly number[]
  /** Largest picture that is taken, inclusive. */
  maxPictureBytes: number
}

/** Four bytes for each of 16,777,216 pixels, and as much again for what a format and the workflow inside it add. */
const maxPictureBytes = 128 * 1024 * 1024

export default comfyuiDriver({ repeatAfterMs: [500, 2_000, 5_000], maxPictureBytes })

/** Image models on a ComfyUI server of one's own, by workflow files. */
export function comfyuiDriver({ repeatAfterMs, maxPictureBytes }: ComfyuiDriverOptions): DriverSpec {
  return defineDriver({
    id: 'comfyui',
    title,
    kind: 'upstream',
    settings: settingsSchema,
    open: () => {
      const upstream = createUpstream()
      // Outputs come from the server itself, which is the operator's own.
      const guard = createUrlGuard({ allowPrivate: false })
      const files = workflowFiles()
      const tools = { upstream, guard, files, repeatAfterMs, maxPictureBytes }
      return {
        id: 'comfyui',
        title,
        queue: { name: 'upstream:comfyui', slots: 64 },
        offers: { 'image.generate': imageRuns<ImageGenerateRequest>(tools), 'image.edit': imageRuns<ImageEditRequest>(tools) },
        unusable: settings => {
          const plan = planFor(files, settings)
          return 'problem' in plan ? plan.problem : whyNothingFits(plan)
        },
        close: async () => {
          await Promise.all([upstream.close(), guard.close()])
        },
      }
    },
  })
}
