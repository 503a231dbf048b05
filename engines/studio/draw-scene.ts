import type { Canvas } from '@napi-rs/canvas'
import { composeScene, type Stage } from './compose.ts'
import { drawFormat } from './formats/draw-format.ts'
import type { Lettering, Scene } from './scene.ts'
import { prepareFont } from './style/fonts.ts'
import { drawLettering } from './style/lettering.ts'
import type { Pixels } from './style/pixels.ts'
import { applyStyle } from './style/style.ts'

/** Draws a scene as finished pixels: composed, lit, styled and lettered. Equal scenes and sizes
 *  give equal pixels. `look` is called after each stage that precedes the style, with the pixels so
 *  far; for a scene with a `format`, it is never called. */
export async function drawScene(
  scene: Scene,
  size: { width: number; height: number },
  look?: (pixels: Pixels, stage: Stage) => Promise<void>,
): Promise<Pixels> {
  if (scene.format) return drawFormat(scene, scene.format, { size, draw: (inner, box) => drawScene(inner, box) })
  // The fonts of all texts are registered first, because a canvas can use only fonts that were
  // registered before the canvas was created.
  for (const lettering of scene.letterings) prepareFont(lettering.text)
  const pixelsOf = (canvas: Canvas): Pixels => ({ data: canvas.data(), width: size.width, height: size.height })
  const canvas = await composeScene(scene, size, look && ((unfinished, stage) => look(pixelsOf(unfinished), stage)))
  const pixels = pixelsOf(canvas)
  const styled = applyStyle(pixels, scene.style, { seed: scene.seed, moods: scene.moods })
  // Lettering on the picture itself is drawn after the style, to stay legible; lettering on a sign
  // is drawn with the sign.
  const free = scene.letterings.filter(lettering => lettering.on === undefined && !lettering.onPlace)
  return free.reduce<Pixels>((drawn, lettering, index) => drawLettering(drawn, lettering, areaOf(scene, free, index, size)), styled)
}

/** Returns the box, in pixels, for text number `index` of `free`. Several texts share the height of
 *  the picture (or its lower part, when there are subjects) from top to bottom. Undefined for a
 *  text whose position the prompt names, and for a single text in a picture with subjects;
 *  `drawLettering` then chooses the box. */
function areaOf(scene: Scene, free: readonly Lettering[], index: number, { width, height }: { width: number; height: number }) {
  const isAlone = scene.subjects.length === 0
  if (free[index]?.place || (!isAlone && free.length === 1)) return undefined
  const room = isAlone ? { top: 0.1, bottom: 0.9 } : { top: 0.62, bottom: 0.98 }
  const share = (room.bottom - room.top) / free.length
  return { x: width * 0.07, y: height * (room.top + share * index), width: width * 0.86, height: height * share * 0.9 }
}
