import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs, triples } from '../../pairs.ts'
import type { Subject } from '../../scene.ts'
import type { Anchors, Artwork } from '../artwork.ts'
import { blob, capsule, ellipse, fill, form, inside, line, polygon } from '../brush.ts'
import { shade } from '../colour.ts'
import { vectorArtwork } from '../vector.ts'
import { crawlers } from './crawlers.ts'
import { dinosaurs } from './dinosaurs.ts'
import { seaLife } from './sea-life.ts'

const creatures: Record<string, (context: SKRSContext2D, colour: string | undefined) => void> = {
  frog,
  'western-dragon': dragon,
  ...dinosaurs,
  ...seaLife,
  ...crawlers,
}

export function isCreature(name: string): boolean {
  return creatures[name] !== undefined
}

/** Draws animals with unusual body plans. Throws `RangeError` for an unknown name. */
export function creatureArtwork(name: string, subject: Subject): Artwork {
  const painter = creatures[name]
  if (!painter) throw new RangeError(`no creature rig ${name}`)
  const paint = (context: SKRSContext2D) => painter(context, subject.colour?.hex)
  return {
    ...vectorArtwork({ paint, facing: 'right' }),
    anchors: anchors[name] ?? { seat: { x: -4, y: -56 }, head: { x: 84, y: -72, width: 30 } },
  }
}

const anchors: Record<string, Anchors> = {
  frog: { head: { x: 10, y: -88, width: 70 } },
  'western-dragon': { seat: { x: -4, y: -56 }, head: { x: 52, y: -96, width: 20 }, hand: { x: 122, y: -66 } },
  triceratops: { seat: { x: -14, y: -78 }, head: { x: 80, y: -78, width: 40 } },
}

function frog(context: SKRSContext2D, colour = '#6fb53c'): void {
  const dark = shade(colour, -0.18)
  form(context, blob([-62, -2, -74, -22, -60, -48, -34, -50, -26, -26, -40, -8]), dark, { depth: 4 })
  form(context, blob([-80, 0, -70, -8, -36, -8, -24, 0]), dark, { depth: 2 })
  const body = blob([-52, -30, -40, -58, -10, -72, 24, -80, 50, -68, 56, -44, 44, -16, 10, -4, -30, -6])
  form(context, body, colour, { depth: 6 })
  inside(context, body, () => {
    fill(context, ellipse(26, -14, 36, 26), '#e6eeb4')
    for (const [x, y] of pairs([-24, -50, -6, -62, -36, -32, -12, -40])) fill(context, ellipse(x, y, 6, 4.4), shade(colour, -0.28))
  })
  for (const x of [10, 34]) {
    form(context, capsule({ x, y: -30 }, 7, { x: x + 2, y: -4 }, 5), colour, { depth: 2 })
    for (const toe of [-7, 1, 9]) form(context, ellipse(x + 3 + toe, -2, 5, 2.6), colour, { depth: 0.8 })
  }
  for (const x of [8, 40]) {
    form(context, ellipse(x, -82, 14, 14), colour, { depth: 2 })
    fill(context, ellipse(x + 1, -83, 9.6, 9.6), '#fbf6d8')
    fill(context, ellipse(x + 3, -83, 5.6, 7), '#1d1518')
    fill(context, ellipse(x + 1, -86, 2, 2), '#ffffff')
  }
  line(context, [-2, -52, 26, -42, 54, -54], { width: 2, colour: shade(colour, -0.5) })
  for (const x of [22, 32]) fill(context, ellipse(x, -62, 1.3, 1), shade(colour, -0.5))
}

function dragon(context: SKRSContext2D, colour = '#b3352f'): void {
  const belly = '#f0c878'
  wing(context, colour, true)
  line(context, [-38, -34, -66, -26, -88, -10, -108, -14, -116, -30], { width: 11, colour: shade(colour, -0.2) })
  line(context, [-38, -36, -66, -28, -88, -12, -108, -16, -116, -30], { width: 8, colour })
  form(context, polygon([-124, -26, -120, -50, -106, -30]), shade(colour, -0.15), { depth: 1.5 })
  for (const [hip, foot, tone] of triples([-20, -24, -0.2, 30, 32, -0.2])) leg(context, { hip, foot, colour: shade(colour, tone) })
  const body = blob([-46, -40, -30, -58, 0, -62, 30, -58, 46, -46, 44, -26, 22, -14, -10, -14, -38, -22])
  form(context, body, colour, { depth: 5 })
  inside(context, body, () => {
    fill(context, ellipse(8, -12, 42, 16), belly)
    for (let i = -4; i <= 5; i++) line(context, [i * 9, -26, i * 9 + 3, -12], { width: 1.2, colour: shade(belly, -0.25) })
  })
  for (const [hip, foot] of pairs([-28, -34, 38, 42])) leg(context, { hip, foot, colour })
  const neck = capsule({ x: 36, y: -46 }, 14, { x: 56, y: -78 }, 8)
  form(context, neck, colour, { depth: 3 })
  inside(context, neck, () => fill(context, ellipse(56, -56, 8, 24, 0.5), belly))
  for (let i = 0; i < 9; i++) {
    const t = i / 8
    const x = 48 - t * 92
    const y = -84 + t * 34 + Math.sin(t * 3.1) * -6 + (t < 0.3 ? t * 30 : 8)
    form(context, polygon([x - 5, y + 5, x - 4, y - 7, x + 5, y + 4]), shade(colour, -0.3), { depth: 1 })
  }
  dragonHead(context, colour, belly)
  wing(context, colour, false)
}

function leg(context: SKRSContext2D, { hip, foot, colour }: { hip: number; foot: number; colour: string }): void {
  form(context, capsule({ x: hip, y: -28 }, 11, { x: foot, y: -5 }, 5.6), colour, { depth: 2.4 })
  form(context, ellipse(foot + 4, -4, 10, 4.4), colour, { depth: 1.2 })
  for (const x of [-1, 4, 9]) form(context, polygon([foot + x, -3, foot + x + 5, 0, foot + x, 0]), '#f4ead2', { depth: 0.4 })
}

function wing(context: SKRSContext2D, colour: string, isFar: boolean): void {
  const shift = isFar ? 16 : 0
  const skin = isFar ? shade('#e08a3c', -0.26) : '#e08a3c'
  const membrane = blob([
    8 + shift,
    -54,
    -14 + shift,
    -98,
    -34 + shift,
    -124,
    -58 + shift,
    -110,
    -92 + shift,
    -100,
    -78 + shift,
    -84,
    -82 + shift,
    -66,
    -56 + shift,
    -70,
    -44 + shift,
    -54,
    -26 + shift,
    -60,
  ])
  form(context, membrane, skin, { depth: 4 })
  for (const points of [
    [8, -54, -16, -92, -36, -124],
    [-36, -124, -66, -108, -92, -100],
    [-36, -122, -62, -96, -82, -66],
    [-36, -122, -44, -92, -46, -54],
  ]) {
    line(
      context,
      points.map((value, index) => (index % 2 ? value : value + shift)),
      { width: 3.4, colour: isFar ? shade(colour, -0.25) : colour },
    )
  }
}

function dragonHead(context: SKRSContext2D, colour: string, belly: string): void {
  for (const [x, y] of pairs([46, -90, 54, -92]))
    form(context, blob([x, y, x - 10, y - 10, x - 24, y - 14, x - 10, y + 2]), '#f4ead2', { depth: 1 })
  form(context, blob([58, -80, 84, -76, 96, -74, 92, -68, 70, -66]), belly, { depth: 1.2 })
  form(context, blob([44, -84, 56, -98, 72, -96, 88, -88, 102, -84, 102, -76, 86, -74, 68, -72, 52, -72]), colour, { depth: 3 })
  for (const x of [80, 87, 94]) fill(context, polygon([x, -75, x + 4, -75, x + 2, -69]), '#fffaf0')
  fill(context, ellipse(97, -82, 1.6, 1.3), shade(colour, -0.5))
  fill(context, ellipse(70, -88, 5, 4.6), '#f6d23a')
  fill(context, ellipse(71.4, -88, 1.8, 4.2), '#1d1518')
  line(context, [62, -95, 70, -95, 78, -90], { width: 2, colour: shade(colour, -0.4) })
}
