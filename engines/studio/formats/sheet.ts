import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Format, Lettering, Scene } from '../scene.ts'
import { drawLayout, fitText } from '../style/lettering.ts'

export interface Size {
  width: number
  height: number
}

export interface Box extends Size {
  x: number
  y: number
}

/** Everything that the drawing functions of the formats (poster, card, ...) need. */
export interface Sheet {
  scene: Scene
  format: Format
  size: Size
  pen: SKRSContext2D
  /** The short side of the picture in pixels. */
  unit: number
  /** Texts that are written on the sheet (title, caption) rather than in the scene. */
  texts: readonly Lettering[]
  /** Draws a scene into a box. */
  print(scene: Scene, box: Box, clip?: (pen: SKRSContext2D) => void): Promise<void>
}

/** Draws texts below one another in a box; the first one is the largest. */
export function writeTexts(pen: SKRSContext2D, texts: readonly Lettering[], box: Box, ink: string): void {
  const shares = texts.map((_, index) => (index === 0 ? 1 : 0.55))
  const whole = shares.reduce((sum, share) => sum + share, 0)
  let y = box.y
  for (const [index, { text, colour }] of texts.entries()) {
    const height = (box.height * (shares[index] ?? 1)) / whole
    const layout = fitText(text, { width: box.width, height }, { smallest: Math.max(7, height * 0.14), largest: height * 0.62 })
    drawLayout(pen, layout, { x: box.x + box.width / 2, y: y + height / 2, colour: colour?.hex ?? ink })
    y += height
  }
}
