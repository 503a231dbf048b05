import { css, mix, rgb, shift } from '../colour.ts'
import { paintSky } from '../sky.ts'
import { paintWater } from '../water.ts'
import { roughness, seaColours } from './coast.ts'
import { outdoorShine } from './outdoor-things.ts'
import type { PlacePainter } from './place.ts'
import { paintSkyline } from './skyline.ts'

/** Paints a city on the other side of the water, seen from a promenade. */
export const citySkyline: PlacePainter = stage => {
  const { view, unit, width, height } = stage
  const shore = view.horizonY + unit * 0.012
  const quay = Math.max(shore + unit * 0.1, Math.round(height * 0.84))
  return {
    floor: 'stone',
    water: { topY: shore, bottomY: quay },
    paintBack: context => {
      paintSky(context, stage)
      paintSkyline(context, stage, { row: shore, height: 0.6, clearness: 1.3 })
      paintWater(context, stage, { top: shore, bottom: quay, rough: roughness(stage, 0.14), ...seaColours(stage) })
      const base = outdoorShine(stage).tone(rgb('#a9a39a'), 0.75)
      const slope = context.createLinearGradient(0, quay, 0, height)
      slope.addColorStop(0, css(mix(base, stage.palette.haze, 0.15)))
      slope.addColorStop(1, css(shift(base, -0.16)))
      context.fillStyle = slope
      context.fillRect(0, quay, width, height - quay)
      context.fillStyle = css(shift(base, 0.25))
      context.fillRect(0, quay, width, unit * 0.008)
    },
  }
}
