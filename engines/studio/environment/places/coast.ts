import type { SKRSContext2D } from '@napi-rs/canvas'
import { mix, rgb, smooth } from '../colour.ts'
import { fieldScale, paintField } from '../field.ts'
import { tabulate } from '../noise.ts'
import { lit } from '../palette.ts'
import { type Planting, plantTrees } from '../scatter.ts'
import { paintSky } from '../sky.ts'
import type { Stage } from '../stage.ts'
import { dryOnly, type Surface, sandSurface } from '../surfaces.ts'
import { paintWater } from '../water.ts'
import type { PlacePainter } from './place.ts'
import { scenery } from './scenery.ts'

/** Returns the roughness of open water in the scene's weather, 0 (mirror) to 1 (storm). `calm` is
 *  the roughness in calm weather. */
export function roughness(stage: Stage, calm: number): number {
  if (stage.weather('storm', 'lightning') || stage.has('stormy', 'rough')) return 0.95
  if (stage.weather('wind')) return Math.max(0.7, calm)
  if (stage.has('calm', 'still')) return Math.min(0.15, calm)
  return calm
}

export function seaColours(stage: Stage): { deep: ReturnType<typeof rgb>; shallow: ReturnType<typeof rgb> } {
  const own = stage.scene.setting.colour
  const deep = own === undefined ? rgb('#14577a') : mix(rgb('#14577a'), rgb(own.hex), 0.7)
  return { deep, shallow: own === undefined ? rgb('#4fc3bd') : mix(rgb('#4fc3bd'), rgb(own.hex), 0.5) }
}

export const sea: PlacePainter = stage => {
  const { view } = stage
  const top = Math.max(0, view.horizonY)
  return {
    floor: 'water',
    water: { topY: top, bottomY: stage.height },
    paintBack: context => {
      paintSky(context, stage)
      paintWater(context, stage, { top: view.horizonY, bottom: stage.height, rough: roughness(stage, 0.42), ...seaColours(stage) })
      stage.part(context, 'water')
      hazeLine(context, stage, view.horizonY)
    },
  }
}

/** Draws haze over the horizon, because the line between sea and sky is never sharp. */
export function hazeLine(context: SKRSContext2D, stage: Stage, row: number): void {
  const { palette, unit } = stage
  if (row < 0) return
  const band = unit * 0.035
  const gradient = context.createLinearGradient(0, row - band, 0, row + band)
  const colour = mix(palette.haze, palette.sky[3], 0.5)
  const text = (alpha: number) => `rgba(${Math.round(colour.r)},${Math.round(colour.g)},${Math.round(colour.b)},${alpha})`
  gradient.addColorStop(0, text(0))
  gradient.addColorStop(0.5, text(0.5 * palette.hazeStrength))
  gradient.addColorStop(1, text(0))
  context.fillStyle = gradient
  context.fillRect(0, row - band, stage.width, band * 2)
}

interface Shoreline {
  /** Returns the distance of the waterline from the camera, in metres. `x` is the position to the
   *  right of the middle, in metres. */
  line: (x: number) => number
  shoreZ: number
  /** Unit for lengths on the shore, in metres. The unit depends on the scale of the view, so that
   *  the shore has the same size in the picture in a view from above. */
  span: number
}

function shorelineOf(stage: Stage): Shoreline {
  const { view, unit } = stage
  const noise = stage.noise('shore')
  const row = view.horizonY < 0 ? stage.height * 0.4 : view.horizonY + (view.nearY - view.horizonY) * 0.42
  const shoreZ = view.depth(row)
  const span = (2.6 * unit) / view.metre(view.nearY)
  const slant = stage.sun.side * 0.55
  const line = (x: number) => shoreZ + span * (0.2 * noise.at((x / span) * 1.1, 4) + 0.05 * noise.at((x / span) * 5, 8)) + x * slant
  return { shoreZ, span, line: tabulate(line, -shoreZ * 8, shoreZ * 8, 4096) }
}

/** Paints sand, surf and sea; with the detail `palm`, `palms` or `tropical` also palms. */
export const beach: PlacePainter = stage => {
  const { view, unit } = stage
  const noise = stage.noise('shore')
  const { line, shoreZ, span } = shorelineOf(stage)
  const sand = sandSurface(stage, noise)
  const wetSand: Surface = (point, out) => {
    sand(point, out)
    const wet = smooth(-span * 0.34, -span * 0.1, point.z - line(point.x))
    for (let i = 0; i < 3; i++) out[i] = out[i]! * (1 - 0.36 * wet)
  }
  const height = (x: number, z: number) => noise.fbm(x * 0.25, z * 0.2, 2) * 0.06 * (z < shoreZ * 0.8 ? 1 : 0)
  return scenery(stage, {
    floor: 'sand',
    terrain: { height, far: 4000, clearness: 2500, relief: 2, paint: dryOnly(stage, wetSand, (x, z) => (z - line(x)) * 0.16) },
    water: {
      top: view.horizonY,
      bottom: stage.height,
      depth: (x, z) => (z - line(x)) * 0.16 + 0.02,
      rough: roughness(stage, 0.36),
      clarity: span * 0.3,
      ...seaColours(stage),
    },
    paintThings: context => {
      hazeLine(context, stage, view.horizonY)
      paintSurf(context, stage, { line, span, top: view.horizonY + 0.02 * unit })
      stage.part(context, 'water')
      if (!stage.has('palm', 'tropical', 'palms')) return
      const palms = palmsOf(shoreZ, view.eye, (x, z) => z < line(x) * 1.02)
      plantTrees(context, stage, { height: () => 0 }, palms, 'palms')
    },
  })
}

function palmsOf(shoreZ: number, eye: number, isDry: (x: number, z: number) => boolean): Planting {
  return {
    kinds: ['palm'],
    count: 16,
    near: shoreZ * 0.72,
    far: shoreZ * 1.3,
    height: [eye * 3, eye * 4.6],
    clearness: 900,
    layers: 1,
    allow: (x, z) => isDry(x, z) && Math.abs(x / z) > 0.27,
  }
}

/** Draws breaking waves: foam like lace at the waterline, a film of water on the sand, and white
 *  crests farther out. */
function paintSurf(context: SKRSContext2D, stage: Stage, surf: { line: (x: number) => number; span: number; top: number }): void {
  const { view, palette } = stage
  const noise = stage.noise('surf')
  const white = lit(palette, rgb('#ffffff'), 0.98)
  const wet = mix(palette.sky[2], palette.sky[3], 0.5)
  const unitZ = surf.span * 0.1
  const top = Math.max(0, surf.top)
  paintField(
    context,
    { x: 0, y: top, width: stage.width, height: stage.height - top },
    fieldScale(stage.width, stage.height, 1.2),
    (x, y, out) => {
      const z = view.depth(y)
      const worldX = ((x - view.centreX) / view.focal) * z
      const off = (z - surf.line(worldX)) / unitZ
      out[3] = 0
      if (off < -4.5 || off > 34) return
      const lace = noise.fbm((worldX / unitZ) * 0.9, (z / unitZ) * 1.3, 3)
      let foam = 0
      for (const [place, width, strength] of waves) {
        const bend = noise.at((worldX / unitZ) * 0.12 + place, place * 3) * (0.5 + place * 0.28)
        const d = (off - place - bend) / width
        if (d > 0 && d < 6) foam = Math.max(foam, strength * Math.exp(-d * 1.1) * smooth(-0.25, 0.3, lace + 0.35 * Math.exp(-d)))
        else if (d <= 0 && d > -0.7) foam = Math.max(foam, strength * (1 + d / 0.7) * smooth(-0.3, 0.2, lace))
      }
      const sheet = off < 0 ? 0.4 * smooth(-3.2, -0.2, off) : 0
      const alpha = foam + sheet * (1 - foam)
      if (alpha <= 0.002) return
      const share = foam / alpha
      out[0] = wet.r + (white.r - wet.r) * share
      out[1] = wet.g + (white.g - wet.g) * share
      out[2] = wet.b + (white.b - wet.b) * share
      out[3] = 255 * Math.min(1, alpha)
    },
  )
}
/** For each wave: its distance from the waterline and the depth of the foam behind it (both in
 *  tenths of the shore's `span`), and the strength of the foam. */
const waves = [
  [-0.4, 0.5, 1],
  [2.6, 0.8, 0.9],
  [8, 1.2, 0.8],
  [17, 1.8, 0.6],
] as const
