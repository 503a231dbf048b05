import { pairs } from '../../pairs.ts'
import { blob, ellipse, fill, form, inside, line, polygon, rectangle, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import { brim, dome, star, type WornPainter } from './hat-shapes.ts'

/** Functions that draw soft hats with and without a brim. */
export const hats: Record<string, WornPainter> = {
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
    line(c, [-f.w * 0.2, -f.h * 1.24, -f.w * 0.12, -f.h * 1.4], { width: f.w * 0.1, colour: shade(colour, -0.2) })
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
      fill(c, blob(scaled([-0.88, -0.46, -0.8, -1.1, 0.8, -1.1, 0.9, -0.46, 0, -0.4], [f.w, f.h])), shade(colour, -0.45)),
    )
  },
  'bowler-hat': (c, f, colour) => {
    brim(c, f, colour, 1.4, -0.46)
    form(c, dome(f, 1.34, -0.48, 0.9), colour, { depth: f.w * 0.2 })
    inside(c, dome(f, 1.34, -0.48, 0.9), () => fill(c, rectangle(-f.w, -f.h * 0.72, f.w * 2, f.h * 0.22), shade(colour, 0.2)))
  },
  'top-hat': (c, f, colour) => {
    form(c, polygon(scaled([-0.82, -0.5, -0.9, -1.9, 0.9, -1.9, 0.82, -0.5], [f.w, f.h])), colour, {
      depth: f.w * 0.25,
    })
    fill(c, ellipse(0, -f.h * 1.9, f.w * 0.9, f.h * 0.14), shade(colour, 0.16))
    fill(c, rectangle(-f.w * 0.84, -f.h * 0.84, f.w * 1.68, f.h * 0.28), '#b3262f')
    brim(c, f, colour, 1.42, -0.5)
  },
  'straw-hat': (c, f, colour) => {
    brim(c, f, shade(colour, -0.06), 1.75, -0.42)
    form(c, dome(f, 1.2, -0.46, 0.94), colour, { depth: f.w * 0.18 })
    inside(c, dome(f, 1.2, -0.46, 0.94), () => fill(c, rectangle(-f.w * 1.2, -f.h * 0.72, f.w * 2.4, f.h * 0.2), '#a8432f'))
    for (let i = -4; i <= 4; i++)
      line(c, [i * f.w * 0.36, -f.h * 0.5, i * f.w * 0.4, -f.h * 0.3], { width: f.w * 0.03, colour: shade(colour, -0.25) })
  },
  'bucket-hat': (c, f, colour) => {
    form(c, dome(f, 1.14, -0.4, 0.98), colour, { depth: f.w * 0.18 })
    form(c, polygon(scaled([-1, -0.56, 1, -0.56, 1.4, -0.2, -1.4, -0.2], [f.w, f.h])), shade(colour, -0.1), {
      depth: f.w * 0.12,
    })
  },
  'cowboy-hat': (c, f, colour) => {
    form(
      c,
      blob(scaled([-1.75, -0.72, -1.1, -0.3, 0, -0.22, 1.1, -0.3, 1.75, -0.72, 1.1, -0.52, 0, -0.46, -1.1, -0.52], [f.w, f.h])),
      colour,
      { depth: f.w * 0.08 },
    )
    form(c, blob(scaled([-0.84, -0.42, -0.7, -1.3, -0.2, -1.16, 0.2, -1.16, 0.7, -1.3, 0.84, -0.42, 0, -0.32], [f.w, f.h])), colour, {
      depth: f.w * 0.2,
    })
    line(c, [-f.w * 0.82, -f.h * 0.56, 0, -f.h * 0.46, f.w * 0.82, -f.h * 0.56], { width: f.h * 0.12, colour: shade(colour, -0.4) })
  },
  'witch-hat': (c, f, colour) => {
    brim(c, f, colour, 1.75, -0.46)
    form(
      c,
      blob(scaled([-0.92, -0.5, -0.44, -1.5, 0.1, -2.3, 0.62, -2.72, 0.44, -2.1, 0.5, -1.4, 0.92, -0.5, 0, -0.4], [f.w, f.h])),
      colour,
      { depth: f.w * 0.22 },
    )
    line(c, [-f.w * 0.8, -f.h * 0.68, 0, -f.h * 0.56, f.w * 0.8, -f.h * 0.68], { width: f.h * 0.2, colour: '#d08a2e' })
    fill(c, rectangle(-f.w * 0.18 + f.look, -f.h * 0.76, f.w * 0.36, f.h * 0.3), '#f2d04a')
  },
  'wizard-hat': (c, f, colour) => {
    hats['witch-hat']?.(c, f, colour)
    for (const [x, y] of pairs([-0.34, -1.1, 0.24, -1.5, 0.12, -0.98])) star(c, x * f.w, y * f.h, f.w * 0.16)
  },
  'santa-hat': (c, f, colour) => {
    form(c, blob(scaled([-1.04, -0.4, -0.5, -1.3, 0.4, -1.5, 1.3, -0.9, 1.5, -0.3, 1.16, -0.5, 1, -0.36, 0, -0.3], [f.w, f.h])), colour, {
      depth: f.w * 0.18,
    })
    form(c, ellipse(f.w * 1.5, -f.h * 0.22, f.w * 0.27, f.w * 0.27), '#fbfaf6', { depth: f.w * 0.08 })
    form(c, rectangle(-f.w * 1.14, -f.h * 0.54, f.w * 2.28, f.h * 0.36, f.h * 0.18), '#fbfaf6', { depth: f.w * 0.1, amount: 0.12 })
  },
  'gnome-hat': (c, f, colour) =>
    form(c, blob(scaled([-1.02, -0.36, -0.56, -1.4, 0.1, -2.5, 0.5, -1.4, 1.02, -0.36, 0, -0.28], [f.w, f.h])), colour, {
      depth: f.w * 0.24,
    }),
}
