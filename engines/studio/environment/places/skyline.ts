import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mix, rgb, shift } from '../colour.ts'
import { farTone } from '../far-tone.ts'
import type { Stage } from '../stage.ts'

/** Draws a row of distant towers in front of the sky. */
export function paintSkyline(context: SKRSContext2D, stage: Stage, band: { row: number; height: number; clearness: number }): void {
  const { unit, width, palette } = stage
  const random = stage.random.fork('skyline')
  for (const layer of [0, 1, 2]) {
    const fade = palette.hazeStrength * (0.86 - layer * 0.2) * Math.min(1, 1.6 - band.clearness)
    const tall = unit * band.height * (1 - layer * 0.22)
    for (let x = -0.05 * unit; x < width; ) {
      const w = unit * random.between(0.035, 0.09)
      const h = tall * random.between(0.3, 1) ** 1.4
      const colour = mix(
        farTone(stage, mix(rgb('#6f7f95'), rgb('#b9a79a'), random.next()), random.between(0.2, 0.7), 0, 1),
        palette.haze,
        fade,
      )
      const gradient = context.createLinearGradient(0, band.row - h, 0, band.row)
      gradient.addColorStop(0, css(colour))
      gradient.addColorStop(1, css(mix(colour, palette.haze, 0.55 * Math.min(1, 1.6 - band.clearness))))
      context.fillStyle = gradient
      context.fillRect(x, band.row - h, w, h + unit * 0.01)
      if (random.next() < 0.25) context.fillRect(x + w * 0.46, band.row - h * 1.18, w * 0.06, h * 0.2)
      context.fillStyle = palette.isDim ? css(mix(rgb('#ffd890'), palette.haze, fade * 0.6), 0.85) : css(shift(colour, -0.12), 0.5)
      context.beginPath()
      const cell = unit * 0.0085
      for (let u = x + cell; u < x + w - cell; u += cell * 1.6) {
        for (let v = band.row - h + cell; v < band.row - cell; v += cell * 2)
          if (random.next() < (palette.isDim ? 0.42 : 0.8)) context.rect(u, v, cell * 0.8, cell)
      }
      context.fill()
      x += w * random.between(0.75, 1.15)
    }
  }
}
