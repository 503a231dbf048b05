/** Rolls the camera. The view is drawn upright on a larger surface; this surface is then rotated
 *  and drawn on the picture. */
import { Pen } from '../raster/pen.ts'
import type { Surface } from '../raster/store.ts'

/** Calls `draw` with a pen for a surface that is large enough for the rotation. Then draws the
 *  middle of that surface on the picture, rotated clockwise by `angle` (radians). The larger
 *  surface is kept for the next frame. */
type Roll = (pen: Pen, angle: number, draw: (pen: Pen) => void) => void

export function createRoll(): Roll {
  let wide: { pen: Pen; surface: Surface; x: number; y: number } | undefined
  return (pen, angle, draw) => {
    if (Math.abs(angle) < 1e-5) {
      draw(pen)
      return
    }
    const turn = Math.min(1, Math.abs(Math.sin(angle)))
    const x = Math.ceil((pen.height * turn) / 2) + 2
    const y = Math.ceil((pen.width * turn) / 2) + 2
    if (!wide || wide.x < x || wide.y < y) {
      // The surface is made larger than this angle needs. A shaking camera rotates a little further
      // from frame to frame, and would otherwise need a new surface each time.
      const [more, taller] = [Math.ceil(x * 1.3) + 8, Math.ceil(y * 1.3) + 8]
      const surface = pen.store.surface(pen.width + more * 2, pen.height + taller * 2)
      wide = { pen: new Pen(pen.store, surface), surface, x: more, y: taller }
    }
    const { surface } = wide
    wide.pen.save()
    wide.pen.translate(wide.x, wide.y)
    draw(wide.pen)
    wide.pen.restore()
    pen.save()
    pen.translate(pen.width / 2, pen.height / 2)
    pen.rotate(angle)
    pen.surfaceImage(surface, -surface.width / 2, -surface.height / 2)
    pen.restore()
  }
}
