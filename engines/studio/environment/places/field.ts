import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../../drawing.ts'
import { clamp, css, mix, rgb, shift, smooth } from '../colour.ts'
import { createFlowerBrush } from '../flowers.ts'
import { paintGrass } from '../grass.ts'
import { lit } from '../palette.ts'
import { greensOf } from '../season.ts'
import type { Stage } from '../stage.ts'
import { grassSurface, type Surface, soilSurface } from '../surfaces.ts'
import { rollingTerrain } from './open-land.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

/** Crops with the words in a setting's details that name them. The last one, wheat, is used when no
 *  word matches. */
const crops: readonly { words: readonly string[]; colour: string }[] = [
  { words: ['lavender'], colour: '#8f6fc0' },
  { words: ['rice', 'green'], colour: '#7fb04a' },
  { words: ['plowed'], colour: '#8a6140' },
  { words: ['tulip', 'tulips'], colour: '#e2574c' },
  { words: [], colour: '#e0b654' },
]

/** Paints a field of a crop up to the horizon. The details and the colour of the setting decide the
 *  crop: wheat, or lavender, rice or tulips, or none on a ploughed field. */
export const field: PlacePainter = stage => {
  const noise = stage.noise('field')
  const named = crops.find(entry => stage.has(...entry.words)) ?? crops.at(-1)
  const crop = rgb(stage.scene.setting.colour?.hex ?? named?.colour ?? '#e0b654')
  const rows = stage.has('lavender', 'tulip', 'tulips', 'cabbage', 'rows', 'plowed')
  const near = stage.view.depth(stage.view.nearY)
  const planted = cropSurface(stage, { crop, rows, near })
  const grass = grassSurface(stage, noise)
  const ground: Surface = (point, out) => (point.z > near * 46 ? grass(point, out) : planted(point, out))
  return scenery(stage, {
    floor: greensOf(stage).snow > 0.9 ? 'snow' : 'grass',
    terrain: rollingTerrain(noise, ground, { hills: 12, ridges: 240, start: near * 40 }),
    plantings: [
      { kinds: ['broad', 'tall', 'bush'], count: 46, near: near * 44, far: near * 120, height: [6, 12], clearness: 620, layers: 2 },
    ],
    // A ploughed field has no crop.
    ...(stage.has('plowed') ? {} : { paintThings: (context: SKRSContext2D) => paintCrop(context, stage, { crop, rows, near }) }),
  })
}

interface Crop {
  crop: Rgb
  rows: boolean
  near: number
}

function cropSurface(stage: Stage, { crop, rows, near }: Crop): Surface {
  const noise = stage.noise('field')
  const soil = soilSurface(stage, noise, ['#8f7048', '#604a32'])
  return (point, out) => {
    const patch = noise.fbm(point.x * 0.09, point.z * 0.07, 3)
    const stripe = rows ? 0.5 + 0.5 * Math.cos((point.x / near) * 9) : 0.75 + 0.35 * noise.fbm(point.x * 1.6, point.z * 0.5, 3)
    const fade = rows ? 1 - smooth(near * 20, near * 60, point.z) : 1
    soil(point, out)
    const share = clamp(0.35 + 0.65 * (stripe * fade + (1 - fade) * 0.6), 0, 1)
    const bright = 1 + patch * 0.3
    out[0] = out[0]! + (Math.min(255, crop.r * bright) - out[0]!) * share
    out[1] = out[1]! + (Math.min(255, crop.g * bright) - out[1]!) * share
    out[2] = out[2]! + (Math.min(255, crop.b * bright) - out[2]!) * share
    point.light = clamp(point.light + (stripe - 0.6) * 0.3 * fade + noise.at(point.x * 4, point.z * 2) * 0.2 * (9 / (9 + point.z)), 0, 1.15)
  }
}

function paintCrop(context: SKRSContext2D, stage: Stage, field: Crop): void {
  if (greensOf(stage).snow > 0.9) return
  const inRow = (x: number) => Math.cos((x / field.near) * 9) > 0.15
  paintGrass(context, stage, {
    height: field.rows ? 0.2 : 0.34,
    density: 1,
    flowers: 0,
    tint: field.rows ? mix(field.crop, rgb('#5f8a44'), 0.55) : field.crop,
    ...(field.rows ? { allow: inRow } : {}),
  })
  if (field.rows) paintRowFlowers(context, stage, { crop: field.crop, inRow })
  else paintEars(context, stage, field.crop)
}

function paintRowFlowers(context: SKRSContext2D, stage: Stage, field: { crop: Rgb; inRow: (x: number) => boolean }): void {
  const random = stage.random.fork('row flowers')
  const { view, unit } = stage
  const top = view.horizonY + unit * 0.04
  const count = Math.min(5200, Math.round((2600 * stage.width) / unit))
  const flowers: { x: number; y: number }[] = []
  for (let i = 0; i < count; i++) flowers.push({ x: random.next() * stage.width, y: top + random.next() ** 1.4 * (stage.height - top) })
  const brush = createFlowerBrush(
    stage,
    [-0.15, 0, 0.15, 0.3].map(amount => shift(field.crop, amount)),
    random.fork('heads'),
  )
  for (const at of flowers.sort((a, b) => a.y - b.y)) {
    const z = view.depth(at.y)
    if (!field.inRow(((at.x - view.centreX) / view.focal) * z)) continue
    brush.draw(context, { ...at, size: Math.min(0.009 * unit, view.metre(at.y) * 0.02), colour: random.integer(0, 3) })
  }
}

/** Draws ears above the blades of the near rows. */
function paintEars(context: SKRSContext2D, stage: Stage, crop: Rgb): void {
  const { view, unit, palette } = stage
  const random = stage.random.fork('ears')
  const top = view.horizonY + (stage.height - view.horizonY) * 0.18
  const count = Math.round((1500 * stage.width) / unit)
  const places = Array.from({ length: Math.min(9000, count) }, () => ({
    x: random.next() * stage.width,
    y: top + random.next() ** 1.3 * (stage.height * 1.06 - top),
    lean: random.between(-0.5, 0.5),
    tone: random.next(),
  })).sort((a, b) => a.y - b.y)
  for (const p of places) {
    const size = Math.min(0.05 * unit, view.metre(p.y) * 0.075)
    const headY = p.y - view.metre(p.y) * 0.3
    context.fillStyle = css(lit(palette, shift(mix(crop, rgb('#fff2c0'), p.tone * 0.4), p.tone * 0.2 - 0.12), 0.55 + p.tone * 0.5), 0.92)
    context.beginPath()
    context.ellipse(p.x + p.lean * size, headY, size * 0.15, size * 0.5, p.lean * 0.7, 0, 7)
    context.fill()
  }
}
