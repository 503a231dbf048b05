import type { Scene, Subject } from '../scene.ts'
import type { Pixels } from '../style/pixels.ts'

/** What the pixel editor has drawn for it by the rest of the engine. */
export interface Painters {
  /** One subject (`count` is left aside), standing upright on see-through ground, cut to its outline, about `height` pixels high.
   *  Undefined when there is no drawing of it. Same subject, height and seed give the same pixels. */
  drawSubject(subject: Subject, height: number, seed: string): Promise<Pixels | undefined>
  /** A whole scene, of exactly this size. */
  drawScene(scene: Scene, size: { width: number; height: number }): Promise<Pixels>
  /** Waited for between two steps of an edit. */
  giveWay?(): Promise<void>
}
