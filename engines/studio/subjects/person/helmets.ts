import { triples } from '../../pairs.ts'
import { blob, ellipse, fill, form, line, polygon, rectangle, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import { brim, crown, dome, goggles, type WornPainter } from './hat-shapes.ts'

/** Functions that draw the headwear of an office or a trade: crowns, helmets, uniform caps. */
export const helmets: Record<string, WornPainter> = {
  'chef-hat': (c, f, colour) => {
    for (const [x, y, r] of triples([-0.78, -1.44, 0.52, 0.78, -1.44, 0.52, 0, -1.66, 0.66]))
      form(c, ellipse(x * f.w, y * f.h, r * f.w, r * f.w * 1.0), colour, { depth: f.w * 0.12, amount: 0.1 })
    form(c, polygon(scaled([-0.9, -0.46, -1, -1.3, 1, -1.3, 0.9, -0.46], [f.w, f.h])), colour, {
      depth: f.w * 0.2,
      amount: 0.1,
    })
    for (const x of [-0.5, 0, 0.5]) line(c, [x * f.w, -f.h * 0.9, x * f.w * 1.1, -f.h * 1.4], { width: f.w * 0.04, colour: '#d9d4c8' })
  },
  crown: (c, f, colour) => crown(c, f, colour, 0.6),
  tiara: (c, f, colour) => crown(c, f, colour, 0.36),
  'hard-hat': (c, f, colour) => {
    form(c, dome(f, 1.22, -0.42, 1.1), colour, { depth: f.w * 0.22 })
    line(c, [f.look * 0.3, -f.h * 1.2, f.look * 0.7, -f.h * 0.5], { width: f.w * 0.24, colour: shade(colour, 0.22) })
    form(c, rectangle(-f.w * 1.18, -f.h * 0.5, f.w * 2.44, f.h * 0.17, f.h * 0.08), shade(colour, -0.1), { depth: 0.4 })
  },
  'army-helmet': (c, f, colour) => form(c, dome(f, 1.2, -0.24, 1.16), colour, { depth: f.w * 0.24 }),
  'fire-helmet': (c, f, colour) => {
    brim(c, f, shade(colour, -0.12), 1.45, -0.4)
    form(c, dome(f, 1.26, -0.42, 1.04), colour, { depth: f.w * 0.22 })
    form(c, polygon(scaled([-0.26, -0.5, -0.32, -1, 0, -1.16, 0.32, -1, 0.26, -0.5], [f.w, f.h], [f.look, 0])), '#f2c230', {
      depth: f.w * 0.06,
    })
  },
  'motorcycle-helmet': (c, f, colour) => {
    form(c, ellipse(0, -f.h * 0.06, f.w * 1.3, f.h * 1.24), colour, { depth: f.w * 0.3 })
    const x = f.look * 1.2
    form(c, rectangle(x - f.w * 0.94, -f.h * 0.34, f.w * 1.88, f.h * 0.72, f.h * 0.3), '#2b3440', { depth: f.w * 0.1 })
    line(c, [x - f.w * 0.6, -f.h * 0.12, x - f.w * 0.1, -f.h * 0.2], { width: f.w * 0.08, colour: '#ffffff90' })
    line(c, [x - f.w * 0.24, f.h * 0.78, x + f.w * 0.24, f.h * 0.78], { width: f.w * 0.07, colour: shade(colour, -0.4) })
  },
  'bike-helmet': (c, f, colour) => {
    form(c, blob(scaled([-1.06, -0.36, -0.86, -1, 0, -1.34, 0.9, -1, 1.14, -0.44, 0, -0.5], [f.w, f.h])), colour, { depth: f.w * 0.2 })
    for (const x of [-0.42, 0.04, 0.48]) fill(c, ellipse(x * f.w, -f.h * 0.92, f.w * 0.1, f.h * 0.22, x * 0.8), '#2a2a33')
    line(c, [-f.w * 0.86, -f.h * 0.3, -f.w * 0.5, f.h * 0.9], { width: f.w * 0.06, colour: '#2a2a33' })
  },
  'aviator-cap': (c, f, colour) => {
    form(c, dome(f, 1.12, -0.2, 1.1), colour, { depth: f.w * 0.2 })
    for (const side of [-1, 1]) form(c, ellipse(side * f.w * 1.0, f.h * 0.2, f.w * 0.24, f.h * 0.44), colour, { depth: 0.6 })
    goggles(c, f, -0.5, '#9fd3e0')
  },
  'peaked-cap': (c, f, colour) => {
    form(c, blob(scaled([-1.3, -0.86, -0.6, -1.26, 0.7, -1.3, 1.34, -0.86, 0.98, -0.56, -0.98, -0.56], [f.w, f.h])), colour, {
      depth: f.w * 0.2,
    })
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
    form(c, polygon(scaled([-0.66, -0.72, -0.8, -1.24, 0.8, -1.24, 0.66, -0.72], [f.w, f.h])), colour, {
      depth: f.w * 0.12,
      amount: 0.1,
    })
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
    line(c, [-f.w * 0.96, -f.h * 0.74, -f.w * 0.4, -f.h * 1.06, f.w * 0.2, -f.h * 1.14], { width: f.w * 0.13, colour: '#ffffffb0' })
    form(c, rectangle(-f.w * 1.1, f.h * 1.02, f.w * 2.2, f.h * 0.36, f.h * 0.16), shade(colour, -0.12), { depth: 0.8 })
  },
  'knight-helmet': (c, f, colour) => {
    form(c, dome(f, 1.24, -0.26, 1.12), colour, { depth: f.w * 0.26 })
    for (const side of [-1, 1])
      form(c, blob(scaled([1.1, -0.4, 1.12, 0.5, 0.7, 0.98, 0.78, 0.1], [side * f.w, f.h])), shade(colour, -0.06), { depth: f.w * 0.08 })
    form(c, blob(scaled([-1.14, -0.58, 0, -0.76, 1.14, -0.58, 1.12, -0.3, 0, -0.4, -1.12, -0.3], [f.w, f.h])), shade(colour, 0.12), {
      depth: f.w * 0.06,
    })
    form(c, blob(scaled([0, -1.2, -0.3, -1.8, -1.1, -1.9, -1.5, -1.2, -0.9, -1.44, -0.3, -1.2], [f.w, f.h])), '#b3262f', {
      depth: f.w * 0.12,
    })
  },
  'samurai-helmet': (c, f, colour) => {
    form(c, blob(scaled([-1.5, 0.3, -1.06, -0.5, 0, -1.26, 1.06, -0.5, 1.5, 0.3, 0.96, -0.2, 0, -0.4, -0.96, -0.2], [f.w, f.h])), colour, {
      depth: f.w * 0.2,
    })
    line(c, scaled([-0.8, -1.6, -0.3, -0.7, 0.3, -0.7, 0.8, -1.6], [f.w, f.h]), {
      width: f.w * 0.16,
      colour: '#e0b340',
    })
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
    const hood = blob(scaled([0, -1.1, 1.02, -0.6, 1.1, 0.2, 0.8, 0.86, 0, 1.12, -0.8, 0.86, -1.1, 0.2, -1.02, -0.6], [f.w, f.h]))
    hood.addPath(ellipse(f.look * 1.2, f.h * 0.04, f.w * 0.84, f.h * 0.27))
    c.save()
    c.fillStyle = colour
    c.fill(hood, 'evenodd')
    c.restore()
    line(c, [-f.w * 0.9, -f.h * 0.36, 0, -f.h * 0.46, f.w * 0.9, -f.h * 0.36], { width: f.h * 0.14, colour: '#8c2f39' })
  },
  'pirate-hat': (c, f, colour) => {
    form(
      c,
      blob(scaled([-1.6, -0.42, -0.9, -1.24, 0, -1.56, 0.9, -1.24, 1.6, -0.42, 0.7, -0.44, 0, -0.3, -0.7, -0.44], [f.w, f.h])),
      colour,
      { depth: f.w * 0.2 },
    )
    fill(c, ellipse(f.look * 0.6, -f.h * 0.98, f.w * 0.24, f.w * 0.22), '#f4f0e6')
    for (const tilt of [-0.5, 0.5]) fill(c, ellipse(f.look * 0.6, -f.h * 0.74, f.w * 0.42, f.w * 0.06, tilt), '#f4f0e6')
  },
  'feather-cap': (c, f, colour) => {
    form(c, blob(scaled([-1.1, -0.36, -0.5, -1.16, 0.3, -1.2, 1.5, -0.36, 0, -0.42], [f.w, f.h])), colour, { depth: f.w * 0.16 })
    form(c, blob(scaled([-0.6, -0.6, -1.3, -1.5, -1.7, -1.8, -1.2, -0.9], [f.w, f.h])), '#c8352f', {
      depth: f.w * 0.05,
    })
  },
}
