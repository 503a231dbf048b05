import type { Scene, Subject } from '../scene.ts'
import type { Pixels } from '../style/pixels.ts'

/** The parts of the studio that pixel edits use: its drawing functions, and a pause. */
export interface Painters {
  /** Returns a drawing of one copy of a subject, upright on a transparent background, cropped to
   *  its outline and about `height` pixels high. Undefined when the catalogue has no drawing of it.
   *  Equal subject, height and seed give equal pixels. */
  drawSubject(subject: Subject, height: number, seed: string): Promise<Pixels | undefined>
  /** Draws a whole scene in exactly this size. */
  drawScene(scene: Scene, size: { width: number; height: number }): Promise<Pixels>
  /** Called and awaited between two steps of an edit, so that other jobs can run. */
  giveWay?(): Promise<void>
}
