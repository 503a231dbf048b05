import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { imageRuns, planFor } from './image-runs.ts'
import { noWorkflowFits } from './request-inputs.ts'
import { settings } from './settings.ts'
import { workflowFiles } from './workflow.ts'

interface ComfyuiDriverOptions {
  /** Milliseconds to wait before a submit of unknown outcome is looked up; it is sent again when
   *  the server does not have it. */
  repeatAfterMs: readonly number[]
  /** Largest picture accepted, bytes, inclusive. */
  maxPictureBytes: number
}

/** Largest picture in bytes: four bytes for each of 16,777,216 pixels, doubled for the overhead of
 *  the format and the embedded workflow. */
const maxPictureBytes = 128 * 1024 * 1024

export default comfyuiDriver({ repeatAfterMs: [500, 2_000, 5_000], maxPictureBytes })

/** Returns a driver for image models on the operator's own ComfyUI server, which runs workflows
 *  from files. */
export function comfyuiDriver(options: ComfyuiDriverOptions): UpstreamSpec {
  return serviceDriver({
    id: 'comfyui',
    title: 'ComfyUI server',
    settings,
    open: tools => {
      const files = workflowFiles()
      const runs = imageRuns({ ...tools, ...options, files })
      return {
        offers: { 'image.generate': runs, 'image.edit': runs },
        unusable: given => {
          const plan = planFor(files, given)
          return 'problem' in plan ? plan.problem : noWorkflowFits(plan)
        },
      }
    },
  })
}
