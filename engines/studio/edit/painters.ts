import type { Scene, Subject } from '../scene.ts'
import type { Pixels } from '../style/pixels.ts'

/** The drawing functions that the pixel editor needs from the rest of the engine. */
export interface Painters {
  /** Draws one subject (`count` is ignored), upright on a transparent ground, cropped to its
   *  outline, about `height` pixels high. Undefined when there is no drawing of it. Equal subject,
   *  height and seed give equal pixels. */
  drawSubject(subject: Subject, height: number, seed: string): Promise<Pixels | undefined>
  /** Draws a whole scene in exactly this size. */
  drawScene(scene: Scene, size: { width: number; height: number }): Promise<Pixels>
  /** Awaited between two steps of an edit. */
  giveWay?(): Promise<void>
}
