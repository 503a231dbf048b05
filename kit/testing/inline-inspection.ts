import { askFfmpeg } from '../media/ffmpeg-header.ts'
import type { Inspection } from '../media/inspection.ts'
import { inspectionMethods } from '../media/inspection-methods.ts'
import { inspectionBy } from '../media/open-inspection.ts'

/** An inspection that runs in this process, for tests of drivers, whose files are trusted. */
export const inlineInspection: Inspection = inspectionBy({
  header: inline,
  pixels: inline,
  packets: (path, asker) => askFfmpeg(path, asker?.signal),
  warm: () => {},
  close: async () => {},
})

async function inline(method: string, payload: unknown): Promise<unknown> {
  const run = inspectionMethods[method]
  if (!run) throw new TypeError(`the inspection has no method ${method}`)
  // The cast is not checked: the type of `payload` is lost here, as on the channel between
  // processes.
  return run(payload as never)
}
