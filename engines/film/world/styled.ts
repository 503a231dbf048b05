/** Applies the style of a scene to its layers, once for the whole shot. The styles in
 *  `gradedStyles` are not applied here but by `createFinish`. */
import type { Piece, SceneLayers } from '@generation-gateway/studio/layers.ts'
import type { StyleKind } from '@generation-gateway/studio/scene.ts'
import { applyStyle } from '@generation-gateway/studio/style/style.ts'
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'

/** The styles that `createFinish` applies: changes of light and colour, and large pixels. */
export const gradedStyles: ReadonlySet<StyleKind> = new Set<StyleKind>(['illustration', 'cinematic', 'photo', 'vintage', 'noir', 'pixel'])

/** Replaces every layer by a version in the style of the scene. */
export function styleLayers(layers: SceneLayers): void {
  const { style, seed } = layers.scene
  if (gradedStyles.has(style)) return
  const canvas = createCanvas(layers.width, layers.height)
  const whole = canvas.getContext('2d')
  const restyle = (piece: Piece): void => {
    whole.drawImage(piece.canvas, piece.x, piece.y, piece.width, piece.height)
    piece.canvas = styled(piece, canvas, { style, seed })
  }
  for (const layer of layers.place) restyle(layer)
  for (const { below, body, moments, above } of layers.subjects) {
    // Every picture of a walk cycle is styled in front of the same background.
    const behind = createCanvas(layers.width, layers.height)
    behind.getContext('2d').drawImage(canvas, 0, 0)
    for (const moment of moments) {
      const scratch = createCanvas(layers.width, layers.height)
      const pen = scratch.getContext('2d')
      pen.drawImage(behind, 0, 0)
      pen.drawImage(moment.canvas, moment.x, moment.y, moment.width, moment.height)
      moment.canvas = styled(moment, scratch, { style, seed })
    }
    if (below) whole.drawImage(below.canvas, below.x, below.y)
    restyle(body)
    if (above) whole.drawImage(above.canvas, above.x, above.y)
  }
}

/** Draws the section of a picture that starts at `box`. Beyond its edges, the picture continues
 *  mirrored. */
function drawMirrored(context: SKRSContext2D, whole: Canvas, box: { x: number; y: number }): void {
  const { width, height } = whole
  for (const column of [-1, 1, 0])
    for (const row of [-1, 1, 0]) {
      context.save()
      context.translate(-box.x + (column > 0 ? width * 2 : 0), -box.y + (row > 0 ? height * 2 : 0))
      context.scale(column === 0 ? 1 : -1, row === 0 ? 1 : -1)
      context.drawImage(whole, 0, 0)
      context.restore()
    }
}

/** Returns a piece in the style. The piece is styled together with its surroundings, and then cut
 *  out of the result along its outline. */
function styled(piece: Piece, whole: Canvas, { style, seed }: { style: StyleKind; seed: string }): Piece['canvas'] {
  const { x, y, width, height } = piece
  // Styles that imitate paper leave a torn edge around the picture, which must lie outside the
  // piece.
  const pad = Math.round(12 + Math.min(width, height) * 0.14)
  const box = { x: Math.floor(x - pad), y: Math.floor(y - pad), width: Math.ceil(width + pad * 2), height: Math.ceil(height + pad * 2) }
  const part = createCanvas(box.width, box.height)
  const context = part.getContext('2d')
  drawMirrored(context, whole, box)
  const drawn = applyStyle({ data: part.data(), width: box.width, height: box.height }, style, { seed })
  const image = context.createImageData(box.width, box.height)
  image.data.set(drawn.data)
  context.putImageData(image, 0, 0)
  context.globalCompositeOperation = 'destination-in'
  context.drawImage(piece.canvas, x - box.x, y - box.y, width, height)
  const result = createCanvas(Math.max(1, Math.ceil(width)), Math.max(1, Math.ceil(height)))
  result.getContext('2d').drawImage(part, box.x - x, box.y - y)
  return result
}
