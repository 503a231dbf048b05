import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { imageRuns, planFor } from './image-runs.ts'
import { noWorkflowFits } from './request-inputs.ts'
import { settings } from './settings.ts'
import { workflowFiles } from './workflow.ts'

interface ComfyuiDriverOptions {
  /** Waits in milliseconds. When the outcome of a submit is unknown, the driver looks up the prompt
   *  after each wait. It submits the prompt again when the server does not know it. */
  repeatAfterMs: readonly number[]
  /** Largest picture accepted, bytes, inclusive. */
  maxPictureBytes: number
}

/** Largest picture in bytes: four bytes for each of 16,777,216 pixels, times two as a reserve for
 *  the file format and the workflow that ComfyUI embeds. */
const maxPictureBytes = 128 * 1024 * 1024

export default comfyuiDriver({ repeatAfterMs: [500, 2_000, 5_000], maxPictureBytes })

/** Returns a driver for image models on a ComfyUI server of the operator. The server runs
 *  workflows; the driver reads them from files. */
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
