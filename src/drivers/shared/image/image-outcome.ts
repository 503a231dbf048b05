import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageResult } from '@generation-gateway/kit/requests/image.ts'
import type { Done, OutputFile } from '@generation-gateway/kit/requests/job.ts'

/** Returns the outcome of a run that produced these pictures. Its usage consists of the number of
 *  pictures, their pixels, and `more`. */
export function doneWithPictures(files: OutputFile[], report: ImageResult, more: UsageUnits[] = []): Done {
  const pixels = files.reduce((sum, { width = 0, height = 0 }) => sum + width * height, 0)
  return { state: 'done', files, report, usage: [{ unit: 'images', units: files.length }, { unit: 'pixels', units: pixels }, ...more] }
}
