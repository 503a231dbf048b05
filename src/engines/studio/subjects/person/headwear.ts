import type { SKRSContext2D } from '@napi-rs/canvas'
import { blob, ellipse, fill, form, glow, inside, line, polygon, rectangle } from '../brush.ts'
import { shade } from '../colour.ts'
import type { HeadFrame } from './head.ts'

type WornPainter = (context: SKRSContext2D, frame: HeadFrame, colour: string) => void

/** Paints one worn thing in the head's frame. Unknown kinds are drawn as a plain cap: the prompt asked for something on the head. */
export function paintWorn(context: SKRSContext2D, frame: HeadFrame, worn: { kind: string; colour: string }): void {
  const painter = painters[worn.kind] ?? painters[aliases[worn.kind] ?? 'cap']
  painter?.(context, frame, worn.colour)
}

const aliases: Record<string, string> = {
  hat: 'fedora',
  'top hat': 'top-hat',
  helmet: 'hard-hat',
  'sun-hat': 'straw-hat',
  'baseball-cap': 'cap',
  'party-hat': 'gnome-hat',
  hood: 'ninja-hood',
  turban: 'hijab',
  tie: 'none',
  headband: 'ribbon',
  bow: 'ribbon',
  earmuffs: 'headphones',
  bandana: 'swim-cap',
  necklace: 'none',
  gloves: 'none',
  'winter-hat': 'beanie',
  'bunny-ears': 'bunny-ears',
  bonnet: 'bucket-hat',
  'graduation-cap': 'graduation-cap',
}

/** A dome on the skull down to `low` (in half head heights; negative is above the middle). */
function dome({ w, h, look }: HeadFrame, rise: number, low: number, swell = 1.1) {
  return blob([
    [look * 0.2, -h * rise],
    [w * 0.74 * swell, -h * rise * 0.84],
    [w * swell, low * h],
    [look * 0.6, low * h + h * 0.08],
    [-w * swell, low * h],
    [-w * 0.74 * swell, -h * rise * 0.84],
  ])
}

function brim(context: SKRSContext2D, { w, h, look }: HeadFrame, colour: string, reach: number, y: number): void {
  form(context, ellipse(look * 0.4, h * y, w * reach, h * 0.2), colour, { depth: w * 0.1 })
}

const painters: Record<string, WornPainter> = {
  none: () => undefined,
  cap: (c, f, colour) => {
    form(c, dome(f, 1.16, -0.36), colour, { depth: f.w * 0.2 })
    form(
      c,
      blob([
        [f.look - f.w * 0.5, -f.h * 0.36],
        [f.look + f.w * 0.6, -f.h * 0.42],
        [f.look * 2 + f.w * 1.3, -f.h * 0.22],
        [f.look + f.w * 0.5, -f.h * 0.2],
      ]),
      shade(colour, -0.15),
      { depth: f.w * 0.06 },
    )
    fill(c, ellipse(f.look * 0.2, -f.h * 1.16, f.w * 0.1, f.w * 0.07), shade(colour, -0.2))
  },
  beanie: (c, f, colour) => {
    form(c, dome(f, 1.26, -0.3), colour, { depth: f.w * 0.2 })
    form(c, rectangle(-f.w * 1.12, -f.h * 0.5, f.w * 2.24, f.h * 0.34, f.h * 0.14), shade(colour, -0.12), { depth: f.w * 0.1 })
    form(c, ellipse(0, -f.h * 1.36, f.w * 0.28, f.w * 0.28), '#f7f3ea', { depth: f.w * 0.08 })
  },
  beret: (c, f, colour) => {
    form(c, ellipse(-f.w * 0.18, -f.h * 0.86, f.w * 1.2, f.h * 0.42, -0.16), colour, { depth: f.w * 0.2 })
    line(
      c,
      [
        { x: -f.w * 0.2, y: -f.h * 1.24 },
        { x: -f.w * 0.12, y: -f.h * 1.4 },
      ],
      { width: f.w * 0.1, colour: shade(colour, -0.2) },
    )
  },
  fedora: (c, f, colour) => {
    brim(c, f, colour, 1.55, -0.44)
    form(
      c,
      blob([
        [-f.w * 0.86, -f.h * 0.46],
        [-f.w * 0.74, -f.h * 1.26],
        [f.look * 0.3, -f.h * 1.16],
        [f.w * 0.74, -f.h * 1.28],
        [f.w * 0.88, -f.h * 0.46],
        [0, -f.h * 0.38],
      ]),
      colour,
      { depth: f.w * 0.2 },
    )
    inside(c, rectangle(-f.w, -f.h * 0.74, f.w * 2, f.h * 0.26), () =>
      fill(
        c,
        blob([
          [-f.w * 0.88, -f.h * 0.46],
          [-f.w * 0.8, -f.h * 1.1],
          [f.w * 0.8, -f.h * 1.1],
          [f.w * 0.9, -f.h * 0.46],
          [0, -f.h * 0.4],
        ]),
        shade(colour, -0.45),
      ),
    )
  },
  'top-hat': (c, f, colour) => {
    form(
      c,
      polygon([
        [-f.w * 0.82, -f.h * 0.5],
        [-f.w * 0.9, -f.h * 1.9],
        [f.w * 0.9, -f.h * 1.9],
        [f.w * 0.82, -f.h * 0.5],
      ]),
      colour,
      { depth: f.w * 0.25 },
    )
    fill(c, ellipse(0, -f.h * 1.9, f.w * 0.9, f.h * 0.14), shade(colour, 0.16))
    fill(c, rectangle(-f.w * 0.84, -f.h * 0.84, f.w * 1.68, f.h * 0.28), '#b3262f')
    brim(c, f, colour, 1.42, -0.5)
  },
  'straw-hat': (c, f, colour) => {
    brim(c, f, shade(colour, -0.06), 1.75, -0.42)
    form(c, dome(f, 1.2, -0.46, 0.94), colour, { depth: f.w * 0.18 })
    inside(c, dome(f, 1.2, -0.46, 0.94), () => fill(c, rectangle(-f.w * 1.2, -f.h * 0.72, f.w * 2.4, f.h * 0.2), '#a8432f'))
    for (let i = -4; i <= 4; i++)
      line(
        c,
        [
          { x: i * f.w * 0.36, y: -f.h * 0.5 },
          { x: i * f.w * 0.4, y: -f.h * 0.3 },
        ],
        { width: f.w * 0.03, colour: shade(colour, -0.25) },
      )
  },
  'bucket-hat': (c, f, colour) => {
    form(c, dome(f, 1.14, -0.4, 0.98), colour, { depth: f.w * 0.18 })
    form(
      c,
      polygon([
        [-f.w, -f.h * 0.56],
        [f.w, -f.h * 0.56],
        [f.w * 1.4, -f.h * 0.2],
        [-f.w * 1.4, -f.h * 0.2],
      ]),
      shade(colour, -0.1),
      { depth: f.w * 0.12 },
    )
  },
  'cowboy-hat': (c, f, colour) => {
    form(
      c,
      blob([
        [-f.w * 1.75, -f.h * 0.72],
        [-f.w * 1.1, -f.h * 0.3],
        [0, -f.h * 0.22],
        [f.w * 1.1, -f.h * 0.3],
        [f.w * 1.75, -f.h * 0.72],
        [f.w * 1.1, -f.h * 0.52],
        [0, -f.h * 0.46],
        [-f.w * 1.1, -f.h * 0.52],
      ]),
      colour,
      { depth: f.w * 0.08 },
    )
    form(
      c,
      blob([
        [-f.w * 0.84, -f.h * 0.42],
        [-f.w * 0.7, -f.h * 1.3],
        [-f.w * 0.2, -f.h * 1.16],
        [f.w * 0.2, -f.h * 1.16],
        [f.w * 0.7, -f.h * 1.3],
        [f.w * 0.84, -f.h * 0.42],
        [0, -f.h * 0.32],
      ]),
      colour,
      { depth: f.w * 0.2 },
    )
    line(
      c,
      [
        { x: -f.w * 0.82, y: -f.h * 0.56 },
        { x: 0, y: -f.h * 0.46 },
        { x: f.w * 0.82, y: -f.h * 0.56 },
      ],
      { width: f.h * 0.12, colour: shade(colour, -0.4) },
    )
  },
  'witch-hat': (c, f, colour) => {
    brim(c, f, colour, 1.75, -0.46)
    form(
      c,
      blob([
        [-f.w * 0.92, -f.h * 0.5],
        [-f.w * 0.44, -f.h * 1.5],
        [f.w * 0.1, -f.h * 2.3],
        [f.w * 0.62, -f.h * 2.72],
        [f.w * 0.44, -f.h * 2.1],
        [f.w * 0.5, -f.h * 1.4],
        [f.w * 0.92, -f.h * 0.5],
        [0, -f.h * 0.4],
      ]),
      colour,
      { depth: f.w * 0.22 },
    )
    line(
      c,
      [
        { x: -f.w * 0.8, y: -f.h * 0.68 },
        { x: 0, y: -f.h * 0.56 },
        { x: f.w * 0.8, y: -f.h * 0.68 },
      ],
      { width: f.h * 0.2, colour: '#d08a2e' },
    )
    fill(c, rectangle(-f.w * 0.18 + f.look, -f.h * 0.76, f.w * 0.36, f.h * 0.3), '#f2d04a')
  },
  'wizard-hat': (c, f, colour) => {
    painters['witch-hat']?.(c, f, colour)
    for (const [x, y] of [
      [-0.34, -1.1],
      [0.24, -1.5],
      [0.12, -0.98],
    ] as const)
      star(c, x * f.w, y * f.h, f.w * 0.16)
  },
  'santa-hat': (c, f, colour) => {
    form(
      c,
      blob([
        [-f.w * 1.04, -f.h * 0.4],
        [-f.w * 0.5, -f.h * 1.3],
        [f.w * 0.4, -f.h * 1.5],
        [f.w * 1.3, -f.h * 0.9],
        [f.w * 1.5, -f.h * 0.3],
        [f.w * 1.16, -f.h * 0.5],
        [f.w * 1.0, -f.h * 0.36],
        [0, -f.h * 0.3],
      ]),
      colour,
      { depth: f.w * 0.18 },
    )
    form(c, ellipse(f.w * 1.5, -f.h * 0.22, f.w * 0.27, f.w * 0.27), '#fbfaf6', { depth: f.w * 0.08 })
    form(c, rectangle(-f.w * 1.14, -f.h * 0.54, f.w * 2.28, f.h * 0.36, f.h * 0.18), '#fbfaf6', { depth: f.w * 0.1, amount: 0.12 })
  },
  'gnome-hat': (c, f, colour) =>
    form(
      c,
      blob([
        [-f.w * 1.02, -f.h * 0.36],
        [-f.w * 0.56, -f.h * 1.4],
        [f.w * 0.1, -f.h * 2.5],
        [f.w * 0.5, -f.h * 1.4],
        [f.w * 1.02, -f.h * 0.36],
        [0, -f.h * 0.28],
      ]),
      colour,
      { depth: f.w * 0.24 },
    ),
  'chef-hat': (c, f, colour) => {
    for (const [x, y, r] of [
      [-0.78, -1.44, 0.52],
      [0.78, -1.44, 0.52],
      [0, -1.66, 0.66],
    ] as const)
      form(c, ellipse(x * f.w, y * f.h, r * f.w, r * f.w * 1.0), colour, { depth: f.w * 0.12, amount: 0.1 })
    form(
      c,
      polygon([
        [-f.w * 0.9, -f.h * 0.46],
        [-f.w * 1.0, -f.h * 1.3],
        [f.w * 1.0, -f.h * 1.3],
        [f.w * 0.9, -f.h * 0.46],
      ]),
      colour,
      { depth: f.w * 0.2, amount: 0.1 },
    )
    for (const x of [-0.5, 0, 0.5])
      line(
        c,
        [
          { x: x * f.w, y: -f.h * 0.9 },
          { x: x * f.w * 1.1, y: -f.h * 1.4 },
        ],
        { width: f.w * 0.04, colour: '#d9d4c8' },
      )
  },
  crown: (c, f, colour) => crown(c, f, colour, 0.6),
  tiara: (c, f, colour) => crown(c, f, colour, 0.36),
  'hard-hat': (c, f, colour) => {
    form(c, dome(f, 1.22, -0.42, 1.1), colour, { depth: f.w * 0.22 })
    line(
      c,
      [
        { x: f.look * 0.3, y: -f.h * 1.2 },
        { x: f.look * 0.7, y: -f.h * 0.5 },
      ],
      { width: f.w * 0.24, colour: shade(colour, 0.22) },
    )
    form(c, rectangle(-f.w * 1.18, -f.h * 0.5, f.w * 2.44, f.h * 0.17, f.h * 0.08), shade(colour, -0.1), { depth: 0.4 })
  },
  'army-helmet': (c, f, colour) => form(c, dome(f, 1.2, -0.24, 1.16), colour, { depth: f.w * 0.24 }),
  'fire-helmet': (c, f, colour) => {
    brim(c, f, shade(colour, -0.12), 1.45, -0.4)
    form(c, dome(f, 1.26, -0.42, 1.04), colour, { depth: f.w * 0.22 })
    form(
      c,
      polygon([
        [f.look - f.w * 0.26, -f.h * 0.5],
        [f.look - f.w * 0.32, -f.h * 1.0],
        [f.look, -f.h * 1.16],
        [f.look + f.w * 0.32, -f.h * 1.0],
        [f.look + f.w * 0.26, -f.h * 0.5],
      ]),
      '#f2c230',
      { depth: f.w * 0.06 },
    )
  },
  'bike-helmet': (c, f, colour) => {
    form(
      c,
      blob([
        [-f.w * 1.06, -f.h * 0.36],
        [-f.w * 0.86, -f.h * 1.0],
        [0, -f.h * 1.34],
        [f.w * 0.9, -f.h * 1.0],
        [f.w * 1.14, -f.h * 0.44],
        [0, -f.h * 0.5],
      ]),
      colour,
      { depth: f.w * 0.2 },
    )
    for (const x of [-0.42, 0.04, 0.48]) fill(c, ellipse(x * f.w, -f.h * 0.92, f.w * 0.1, f.h * 0.22, x * 0.8), '#2a2a33')
    line(
      c,
      [
        { x: -f.w * 0.86, y: -f.h * 0.3 },
        { x: -f.w * 0.5, y: f.h * 0.9 },
      ],
      { width: f.w * 0.06, colour: '#2a2a33' },
    )
  },
  'aviator-cap': (c, f, colour) => {
    form(c, dome(f, 1.12, -0.2, 1.1), colour, { depth: f.w * 0.2 })
    for (const side of [-1, 1]) form(c, ellipse(side * f.w * 1.0, f.h * 0.2, f.w * 0.24, f.h * 0.44), colour, { depth: 0.6 })
    goggles(c, f, -0.5, '#9fd3e0')
  },
  'peaked-cap': (c, f, colour) => {
    form(
      c,
      blob([
        [-f.w * 1.3, -f.h * 0.86],
        [-f.w * 0.6, -f.h * 1.26],
        [f.w * 0.7, -f.h * 1.3],
        [f.w * 1.34, -f.h * 0.86],
        [f.w * 0.98, -f.h * 0.56],
        [-f.w * 0.98, -f.h * 0.56],
      ]),
      colour,
      { depth: f.w * 0.2 },
    )
    fill(c, rectangle(-f.w * 1.0, -f.h * 0.66, f.w * 2.0, f.h * 0.24), shade(colour, -0.35))
    form(
      c,
      blob([
        [f.look - f.w * 0.8, -f.h * 0.42],
        [f.look + f.w * 0.9, -f.h * 0.44],
        [f.look * 1.6 + f.w * 0.7, -f.h * 0.2],
        [f.look - f.w * 0.4, -f.h * 0.22],
      ]),
      '#22222a',
      { depth: 0.5 },
    )
    fill(c, ellipse(f.look, -f.h * 0.78, f.w * 0.17, f.w * 0.19), '#f0c84a')
  },
  'nurse-cap': (c, f, colour) => {
    form(
      c,
      polygon([
        [-f.w * 0.66, -f.h * 0.72],
        [-f.w * 0.8, -f.h * 1.24],
        [f.w * 0.8, -f.h * 1.24],
        [f.w * 0.66, -f.h * 0.72],
      ]),
      colour,
      { depth: f.w * 0.12, amount: 0.1 },
    )
    fill(c, rectangle(-f.w * 0.07, -f.h * 1.14, f.w * 0.14, f.h * 0.34), '#d8433a')
    fill(c, rectangle(-f.w * 0.2, -f.h * 1.04, f.w * 0.4, f.h * 0.13), '#d8433a')
  },
  'space-helmet': (c, f, colour) => {
    c.save()
    c.lineWidth = f.w * 0.24
    c.strokeStyle = colour
    c.stroke(ellipse(0, -f.h * 0.04, f.w * 1.5, f.h * 1.36))
    c.restore()
    fill(c, ellipse(0, -f.h * 0.04, f.w * 1.44, f.h * 1.3), '#9fd0f02e')
    line(
      c,
      [
        { x: -f.w * 0.96, y: -f.h * 0.74 },
        { x: -f.w * 0.4, y: -f.h * 1.06 },
        { x: f.w * 0.2, y: -f.h * 1.14 },
      ],
      { width: f.w * 0.13, colour: '#ffffffb0' },
    )
    form(c, rectangle(-f.w * 1.1, f.h * 1.02, f.w * 2.2, f.h * 0.36, f.h * 0.16), shade(colour, -0.12), { depth: 0.8 })
  },
  'knight-helmet': (c, f, colour) => {
    form(c, dome(f, 1.24, -0.26, 1.12), colour, { depth: f.w * 0.26 })
    for (const side of [-1, 1])
      form(
        c,
        blob([
          [side * f.w * 1.1, -f.h * 0.4],
          [side * f.w * 1.12, f.h * 0.5],
          [side * f.w * 0.7, f.h * 0.98],
          [side * f.w * 0.78, f.h * 0.1],
        ]),
        shade(colour, -0.06),
        { depth: f.w * 0.08 },
      )
    form(
      c,
      blob([
        [-f.w * 1.14, -f.h * 0.58],
        [0, -f.h * 0.76],
        [f.w * 1.14, -f.h * 0.58],
        [f.w * 1.12, -f.h * 0.3],
        [0, -f.h * 0.4],
        [-f.w * 1.12, -f.h * 0.3],
      ]),
      shade(colour, 0.12),
      { depth: f.w * 0.06 },
    )
    form(
      c,
      blob([
        [0, -f.h * 1.2],
        [-f.w * 0.3, -f.h * 1.8],
        [-f.w * 1.1, -f.h * 1.9],
        [-f.w * 1.5, -f.h * 1.2],
        [-f.w * 0.9, -f.h * 1.44],
        [-f.w * 0.3, -f.h * 1.2],
      ]),
      '#b3262f',
      { depth: f.w * 0.12 },
    )
  },
  'samurai-helmet': (c, f, colour) => {
    form(
      c,
      blob([
        [-f.w * 1.5, f.h * 0.3],
        [-f.w * 1.06, -f.h * 0.5],
        [0, -f.h * 1.26],
        [f.w * 1.06, -f.h * 0.5],
        [f.w * 1.5, f.h * 0.3],
        [f.w * 0.96, -f.h * 0.2],
        [0, -f.h * 0.4],
        [-f.w * 0.96, -f.h * 0.2],
      ]),
      colour,
      { depth: f.w * 0.2 },
    )
    line(
      c,
      [
        { x: -f.w * 0.8, y: -f.h * 1.6 },
        { x: -f.w * 0.3, y: -f.h * 0.7 },
        { x: f.w * 0.3, y: -f.h * 0.7 },
        { x: f.w * 0.8, y: -f.h * 1.6 },
      ],
      { width: f.w * 0.16, colour: '#e0b340' },
    )
  },
  'viking-helmet': (c, f, colour) => {
    for (const side of [-1, 1])
      form(
        c,
        blob([
          [side * f.w * 0.9, -f.h * 0.7],
          [side * f.w * 1.5, -f.h * 0.9],
          [side * f.w * 1.6, -f.h * 1.6],
          [side * f.w * 1.84, -f.h * 0.9],
          [side * f.w * 1.5, -f.h * 0.46],
          [side * f.w, -f.h * 0.4],
        ]),
        '#f0e4c8',
        { depth: f.w * 0.1 },
      )
    form(c, dome(f, 1.2, -0.36, 1.08), colour, { depth: f.w * 0.22 })
    fill(c, rectangle(-f.w * 1.06, -f.h * 0.52, f.w * 2.12, f.h * 0.2), '#7a5a34')
    fill(c, rectangle(f.look - f.w * 0.1, -f.h * 0.5, f.w * 0.2, f.h * 0.5, f.w * 0.08), '#7a5a34')
  },
  'ninja-hood': (c, f, colour) => {
    const hood = blob([
      [0, -f.h * 1.1],
      [f.w * 1.02, -f.h * 0.6],
      [f.w * 1.1, f.h * 0.2],
      [f.w * 0.8, f.h * 0.86],
      [0, f.h * 1.12],
      [-f.w * 0.8, f.h * 0.86],
      [-f.w * 1.1, f.h * 0.2],
      [-f.w * 1.02, -f.h * 0.6],
    ])
    hood.addPath(ellipse(f.look * 1.2, f.h * 0.04, f.w * 0.84, f.h * 0.27))
    c.save()
    c.fillStyle = colour
    c.fill(hood, 'evenodd')
    c.restore()
    line(
      c,
      [
        { x: -f.w * 0.9, y: -f.h * 0.36 },
        { x: 0, y: -f.h * 0.46 },
        { x: f.w * 0.9, y: -f.h * 0.36 },
      ],
      { width: f.h * 0.14, colour: '#8c2f39' },
    )
  },
  'pirate-hat': (c, f, colour) => {
    form(
      c,
      blob([
        [-f.w * 1.6, -f.h * 0.42],
        [-f.w * 0.9, -f.h * 1.24],
        [0, -f.h * 1.56],
        [f.w * 0.9, -f.h * 1.24],
        [f.w * 1.6, -f.h * 0.42],
        [f.w * 0.7, -f.h * 0.44],
        [0, -f.h * 0.3],
        [-f.w * 0.7, -f.h * 0.44],
      ]),
      colour,
      { depth: f.w * 0.2 },
    )
    fill(c, ellipse(f.look * 0.6, -f.h * 0.98, f.w * 0.24, f.w * 0.22), '#f4f0e6')
    for (const tilt of [-0.5, 0.5]) fill(c, ellipse(f.look * 0.6, -f.h * 0.74, f.w * 0.42, f.w * 0.06, tilt), '#f4f0e6')
  },
  'feather-cap': (c, f, colour) => {
    form(
      c,
      blob([
        [-f.w * 1.1, -f.h * 0.36],
        [-f.w * 0.5, -f.h * 1.16],
        [f.w * 0.3, -f.h * 1.2],
        [f.w * 1.5, -f.h * 0.36],
        [0, -f.h * 0.42],
      ]),
      colour,
      { depth: f.w * 0.16 },
    )
    form(
      c,
      blob([
        [-f.w * 0.6, -f.h * 0.6],
        [-f.w * 1.3, -f.h * 1.5],
        [-f.w * 1.7, -f.h * 1.8],
        [-f.w * 1.2, -f.h * 0.9],
      ]),
      '#c8352f',
      { depth: f.w * 0.05 },
    )
  },
  'eye-patch': (c, f, colour) => {
    line(
      c,
      [
        { x: -f.w * 0.96, y: -f.h * 0.3 },
        { x: f.look * 1.25 + f.w * 0.4, y: f.h * 0.02 },
        { x: f.w * 0.96, y: f.h * 0.1 },
      ],
      { width: f.w * 0.06, colour },
    )
    fill(c, ellipse(f.look * 1.25 + f.w * 0.36, f.h * 0.05, f.w * 0.22, f.h * 0.2), colour)
  },
  'eye-mask': (c, f, colour) => {
    const mask = blob([
      [f.look - f.w * 0.98, -f.h * 0.14],
      [f.look, -f.h * 0.1],
      [f.look + f.w * 0.98, -f.h * 0.14],
      [f.look + f.w * 0.76, f.h * 0.28],
      [f.look, f.h * 0.12],
      [f.look - f.w * 0.76, f.h * 0.28],
    ])
    for (const side of [-1, 1]) mask.addPath(ellipse(f.look * 1.25 + side * f.w * 0.39, f.h * 0.05, f.w * 0.2, f.h * 0.15))
    c.fillStyle = colour
    c.fill(mask, 'evenodd')
  },
  glasses: (c, f, colour) => spectacles(c, f, colour, '#dff1ff40'),
  sunglasses: (c, f, colour) => spectacles(c, f, colour, '#1b1b24e8'),
  goggles: (c, f) => goggles(c, f, -0.46, '#f2a63a'),
  'diving-mask': (c, f, colour) => {
    form(c, rectangle(f.look - f.w * 0.8, -f.h * 0.26, f.w * 1.6, f.h * 0.66, f.h * 0.22), '#26303c', { depth: 0.5 })
    fill(c, rectangle(f.look - f.w * 0.68, -f.h * 0.17, f.w * 1.36, f.h * 0.46, f.h * 0.16), `${colour}aa`)
    line(
      c,
      [
        { x: f.w * 0.9, y: f.h * 0.5 },
        { x: f.w * 1.3, y: f.h * 0.1 },
        { x: f.w * 1.3, y: -f.h * 1.2 },
      ],
      { width: f.w * 0.14, colour: '#e9c62e' },
    )
  },
  mask: (c, f, colour) =>
    form(
      c,
      blob([
        [f.look - f.w * 0.66, f.h * 0.22],
        [f.look * 1.4, f.h * 0.14],
        [f.look + f.w * 0.7, f.h * 0.22],
        [f.look + f.w * 0.52, f.h * 0.86],
        [f.look * 1.4, f.h * 0.98],
        [f.look - f.w * 0.5, f.h * 0.86],
      ]),
      colour,
      { depth: f.w * 0.1, amount: 0.1 },
    ),
  headphones: (c, f, colour) => {
    line(
      c,
      [
        { x: -f.w * 1.06, y: 0 },
        { x: -f.w * 0.86, y: -f.h * 0.8 },
        { x: 0, y: -f.h * 1.2 },
        { x: f.w * 0.86, y: -f.h * 0.8 },
        { x: f.w * 1.06, y: 0 },
      ],
      { width: f.w * 0.14, colour },
    )
    for (const side of [-1, 1]) form(c, ellipse(side * f.w * 1.06, f.h * 0.12, f.w * 0.22, f.h * 0.32), colour, { depth: 0.5 })
  },
  scarf: (c, f, colour) => {
    form(
      c,
      blob([
        [-f.w * 0.9, f.h * 0.9],
        [0, f.h * 1.14],
        [f.w * 0.9, f.h * 0.9],
        [f.w * 0.96, f.h * 1.34],
        [0, f.h * 1.6],
        [-f.w * 0.96, f.h * 1.34],
      ]),
      colour,
      { depth: f.w * 0.12 },
    )
    form(
      c,
      polygon([
        [-f.w * 0.5, f.h * 1.3],
        [-f.w * 0.1, f.h * 1.4],
        [-f.w * 0.16, f.h * 2.5],
        [-f.w * 0.66, f.h * 2.44],
      ]),
      shade(colour, -0.08),
      { depth: f.w * 0.1 },
    )
    for (const y of [1.8, 2.2])
      line(
        c,
        [
          { x: -f.w * 0.58, y: f.h * y },
          { x: -f.w * 0.16, y: f.h * (y + 0.05) },
        ],
        { width: f.h * 0.1, colour: shade(colour, 0.45) },
      )
  },
  hijab: (c, f, colour) => {
    const cloth = blob([
      [0, -f.h * 1.14],
      [f.w * 1.06, -f.h * 0.6],
      [f.w * 1.16, f.h * 0.3],
      [f.w * 1.3, f.h * 1.3],
      [0, f.h * 1.8],
      [-f.w * 1.3, f.h * 1.3],
      [-f.w * 1.16, f.h * 0.3],
      [-f.w * 1.06, -f.h * 0.6],
    ])
    cloth.addPath(ellipse(f.look * 1.2, f.h * 0.12, f.w * 0.74, f.h * 0.76))
    c.fillStyle = colour
    c.fill(cloth, 'evenodd')
    line(
      c,
      [
        { x: f.look - f.w * 0.7, y: f.h * 0.5 },
        { x: 0, y: f.h * 1.1 },
        { x: f.w * 0.9, y: f.h * 1.2 },
      ],
      { width: f.w * 0.05, colour: shade(colour, -0.25) },
    )
  },
  wimple: (c, f, colour) => {
    painters.hijab?.(c, f, '#fbfaf6')
    line(
      c,
      [
        { x: -f.w * 1.2, y: f.h * 1.3 },
        { x: -f.w * 1.12, y: -f.h * 0.3 },
        { x: 0, y: -f.h * 1.02 },
        { x: f.w * 1.12, y: -f.h * 0.3 },
        { x: f.w * 1.2, y: f.h * 1.3 },
      ],
      { width: f.w * 0.4, colour },
    )
  },
  veil: (c, f) => {
    fill(
      c,
      blob([
        [0, -f.h * 1.2],
        [f.w * 1.2, -f.h * 0.5],
        [f.w * 1.7, f.h * 1.6],
        [f.w * 1.5, f.h * 3.2],
        [-f.w * 1.5, f.h * 3.2],
        [-f.w * 1.7, f.h * 1.6],
        [-f.w * 1.2, -f.h * 0.5],
      ]),
      '#ffffff55',
    )
    for (const x of [-0.5, -0.1, 0.34]) form(c, ellipse(x * f.w, -f.h * 0.9, f.w * 0.18, f.w * 0.18), '#fbe3ea', { depth: 0.3 })
  },
  ribbon: (c, f, colour) => {
    for (const side of [-1, 1])
      form(
        c,
        blob([
          [f.w * 0.5, -f.h * 0.82],
          [f.w * (0.5 + side * 0.5), -f.h * 1.2],
          [f.w * (0.5 + side * 0.5), -f.h * 0.54],
        ]),
        colour,
        { depth: f.w * 0.06 },
      )
    fill(c, ellipse(f.w * 0.5, -f.h * 0.84, f.w * 0.12, f.w * 0.13), shade(colour, -0.2))
  },
  'flower-crown': (c, f, colour) => {
    for (let i = 0; i < 7; i++) {
      const x = ((i - 3) / 3) * f.w * 0.92
      const y = -f.h * (0.62 + 0.2 * (1 - ((i - 3) / 3) ** 2))
      form(c, ellipse(x, y, f.w * 0.19, f.w * 0.19), i % 2 ? '#f7e08a' : colour, { depth: 0.4 })
      fill(c, ellipse(x, y, f.w * 0.07, f.w * 0.07), '#f2b632')
    }
  },
  'hair-flower': (c, f, colour) => {
    for (let i = 0; i < 5; i++)
      fill(
        c,
        ellipse(f.w * 0.72 + Math.cos(i * 1.257) * f.w * 0.17, -f.h * 0.72 + Math.sin(i * 1.257) * f.w * 0.17, f.w * 0.14, f.w * 0.14),
        colour,
      )
    fill(c, ellipse(f.w * 0.72, -f.h * 0.72, f.w * 0.09, f.w * 0.09), '#f2c230')
  },
  'swim-cap': (c, f, colour) => form(c, dome(f, 1.06, -0.36, 1.02), colour, { depth: f.w * 0.2 }),
  'graduation-cap': (c, f, colour) => {
    form(c, dome(f, 1.06, -0.4, 1.0), colour, { depth: f.w * 0.2 })
    form(
      c,
      polygon([
        [0, -f.h * 1.34],
        [f.w * 1.5, -f.h * 1.0],
        [0, -f.h * 0.7],
        [-f.w * 1.5, -f.h * 1.0],
      ]),
      colour,
      { depth: f.w * 0.1 },
    )
    line(
      c,
      [
        { x: 0, y: -f.h * 1.02 },
        { x: f.w * 1.1, y: -f.h * 0.9 },
        { x: f.w * 1.14, y: -f.h * 0.4 },
      ],
      { width: f.w * 0.06, colour: '#f0c84a' },
    )
  },
  'bunny-ears': (c, f, colour) => {
    for (const side of [-1, 1]) {
      form(c, ellipse(side * f.w * 0.42, -f.h * 1.6, f.w * 0.24, f.h * 0.7, side * 0.14), colour, { depth: f.w * 0.06 })
      fill(c, ellipse(side * f.w * 0.42, -f.h * 1.55, f.w * 0.12, f.h * 0.5, side * 0.14), '#f3a6b8')
    }
  },
  halo: (c, f) => glow(c, { x: 0, y: -f.h * 1.5 }, f.w, '#f7d75a', 0.6),
}

function crown(c: SKRSContext2D, f: HeadFrame, colour: string, rise: number): void {
  const y = -f.h * 0.66
  const top = y - f.h * rise
  form(
    c,
    polygon([
      [-f.w * 0.84, y],
      [-f.w * 0.96, top],
      [-f.w * 0.46, y - f.h * rise * 0.5],
      [0, top - f.h * 0.14],
      [f.w * 0.46, y - f.h * rise * 0.5],
      [f.w * 0.96, top],
      [f.w * 0.84, y],
    ]),
    colour,
    { depth: f.w * 0.16, amount: 0.26 },
  )
  for (const [x, jewel] of [
    [-0.5, '#3f8fd0'],
    [0, '#d8343f'],
    [0.5, '#3aa36a'],
  ] as const)
    fill(c, ellipse(x * f.w, y - f.h * 0.13, f.w * 0.09, f.w * 0.1), jewel)
  for (const x of [-0.96, 0, 0.96]) fill(c, ellipse(x * f.w, top - (x === 0 ? f.h * 0.16 : 0), f.w * 0.09, f.w * 0.09), shade(colour, 0.4))
}

function spectacles(c: SKRSContext2D, f: HeadFrame, colour: string, lens: string): void {
  c.lineWidth = f.w * 0.065
  c.strokeStyle = colour
  for (const side of [-1, 1]) {
    const shape = ellipse(f.look * 1.25 + side * f.w * 0.39, f.h * 0.07, f.w * 0.27, f.h * 0.215)
    fill(c, shape, lens)
    c.stroke(shape)
  }
  line(
    c,
    [
      { x: f.look * 1.25 - f.w * 0.12, y: f.h * 0.04 },
      { x: f.look * 1.25 + f.w * 0.12, y: f.h * 0.04 },
    ],
    { width: f.w * 0.06, colour },
  )
  for (const side of [-1, 1])
    line(
      c,
      [
        { x: f.look * 1.25 + side * f.w * 0.66, y: f.h * 0.02 },
        { x: side * f.w * 0.96, y: f.h * 0.04 },
      ],
      { width: f.w * 0.055, colour },
    )
}

function goggles(c: SKRSContext2D, f: HeadFrame, y: number, lens: string): void {
  line(
    c,
    [
      { x: -f.w * 1.0, y: f.h * y },
      { x: f.look, y: f.h * (y - 0.06) },
      { x: f.w * 1.0, y: f.h * y },
    ],
    { width: f.h * 0.17, colour: '#33333d' },
  )
  for (const side of [-1, 1]) {
    form(c, ellipse(f.look + side * f.w * 0.36, f.h * y, f.w * 0.32, f.h * 0.24), '#4a4a55', { depth: 0.3 })
    fill(c, ellipse(f.look + side * f.w * 0.36, f.h * y, f.w * 0.24, f.h * 0.17), lens)
  }
}

function star(c: SKRSContext2D, x: number, y: number, radius: number): void {
  fill(
    c,
    polygon(
      Array.from(
        { length: 10 },
        (_, i) =>
          [
            x + Math.sin((i * Math.PI) / 5) * radius * (i % 2 ? 0.45 : 1),
            y - Math.cos((i * Math.PI) / 5) * radius * (i % 2 ? 0.45 : 1),
          ] as const,
      ),
    ),
    '#f2d75c',
  )
}
