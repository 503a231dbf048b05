import { clamp, mix, rgb, smooth } from '../colour.ts'
import type { Surface } from '../surfaces.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

const strata = ['#b9582f', '#dd9560', '#a5472a', '#cf7a48', '#e6b07c', '#b5623a'].map(rgb)
/** Height in metres of one terrace of the canyon's walls. */
const step = 52

/** Paints a canyon of red rock seen from its rim. The walls rise in terraces, and the colour of the
 *  rock changes with the height. */
export const canyon: PlacePainter = stage => {
  const noise = stage.noise('canyon')
  const height = (x: number, z: number): number => {
    const rim = smooth(180, 700, z)
    const mass = noise.fbm(x * 0.0016 + 5, z * 0.001, 4) * 2.4 + 0.28 + Math.min(0.55, z / 5200)
    const level = clamp(mass, 0, 1.35) * 5
    const floor = Math.floor(level)
    const terrace = floor + smooth(0.62, 0.95, level - floor)
    return rim * (terrace * step - 20) + noise.fbm(x * 0.03, z * 0.03, 3) * 1.2
  }
  const paint: Surface = (point, out) => {
    const bend = noise.fbm(point.x * 0.004, point.z * 0.004, 2) * 14
    const band = (((point.height + bend) / 17) % strata.length) + strata.length
    const index = Math.floor(band) % strata.length
    const colour = mix(strata[index]!, strata[(index + 1) % strata.length]!, smooth(0.75, 1, band - Math.floor(band)))
    const top = mix(colour, rgb('#d9a070'), point.steep < 0.4 ? 0.55 : 0.1)
    const grit = 1 + noise.fbm(point.x * 0.5, point.z * 0.35, 3) * 0.14
    out[0] = top.r * grit
    out[1] = top.g * grit
    out[2] = top.b * grit
  }
  return scenery(stage, { floor: 'soil', terrain: { height, paint, far: 5200, clearness: 5200, relief: 2 } })
}
