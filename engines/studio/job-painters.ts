/** Drawing functions for jobs that share one process: they pause regularly so that other jobs can
 *  run. */
import type { EngineCall } from '@generation-gateway/kit/process/child.ts'
import { throttledGiveWay } from '@generation-gateway/kit/process/throttled-give-way.ts'
import { drawScene } from './draw-scene.ts'
import { drawSubject } from './draw-subject.ts'
import type { Painters } from './edit/painters.ts'

/** Returns drawing functions that await `giveWay` before each drawing and between its stages. */
export function jobPainters(call: Pick<EngineCall, 'giveWay'>): Required<Painters> {
  const giveWay = throttledGiveWay(call.giveWay)
  return {
    giveWay,
    drawScene: async (scene, size) => {
      await giveWay()
      return drawScene(scene, size, giveWay)
    },
    drawSubject: async (subject, height, seed) => {
      await giveWay()
      return drawSubject(subject, height, seed)
    },
  }
}
