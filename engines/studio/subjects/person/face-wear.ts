import { blob, ellipse, fill, form, glow, line, polygon, rectangle, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import { dome, goggles, spectacles, type WornPainter } from './hat-shapes.ts'

/** Functions that draw things worn on the face, over the ears, in the hair, or around the head and
 *  neck. */
export const faceWear: Record<string, WornPainter> = {
  'eye-patch': (c, f, colour) => {
    line(c, [-f.w * 0.96, -f.h * 0.3, f.look * 1.25 + f.w * 0.4, f.h * 0.02, f.w * 0.96, f.h * 0.1], { width: f.w * 0.06, colour })
    fill(c, ellipse(f.look * 1.25 + f.w * 0.36, f.h * 0.05, f.w * 0.22, f.h * 0.2), colour)
  },
  'eye-mask': (c, f, colour) => {
    const mask = blob(scaled([-0.98, -0.14, 0, -0.1, 0.98, -0.14, 0.76, 0.28, 0, 0.12, -0.76, 0.28], [f.w, f.h], [f.look, 0]))
    for (const side of [-1, 1]) mask.addPath(ellipse(f.look * 1.25 + side * f.w * 0.39, f.h * 0.05, f.w * 0.2, f.h * 0.15))
    c.fillStyle = colour
    c.fill(mask, 'evenodd')
  },
  moustache: (c, f, colour) => {
    const x = f.look * 1.4
    for (const side of [-1, 1])
      form(c, blob(scaled([0, 0.42, 0.28, 0.34, 0.6, 0.48, 0.74, 0.3, 0.6, 0.62, 0.22, 0.58], [side * f.w, f.h], [x, 0])), colour, {
        depth: f.w * 0.04,
      })
  },
  earrings: (c, f, colour) => {
    for (const side of [-1, 1])
      form(c, ellipse(side * f.w * 1.0 - f.look * 0.55, f.h * 0.42, f.w * 0.09, f.w * 0.12), colour, { depth: 0.3 })
  },
  bandana: (c, f, colour) => {
    form(c, dome(f, 1.12, -0.36, 1.08), colour, { depth: f.w * 0.2 })
    for (const x of [-0.5, 0, 0.5]) fill(c, ellipse(x * f.w, -f.h * 0.66, f.w * 0.07, f.w * 0.07), '#ffffffc0')
  },
  turban: (c, f, colour) => {
    form(c, ellipse(0, -f.h * 0.72, f.w * 1.22, f.h * 0.56), colour, { depth: f.w * 0.2 })
    for (const y of [-0.5, -0.72, -0.94])
      line(c, [-f.w * 1.05, f.h * (y - 0.1), 0, f.h * (y + 0.16), f.w * 1.05, f.h * (y - 0.06)], {
        width: f.w * 0.05,
        colour: shade(colour, -0.2),
      })
  },
  headband: (c, f, colour) =>
    form(c, blob(scaled([-1.06, -0.5, 0, -0.62, 1.06, -0.5, 1.05, -0.24, 0, -0.36, -1.05, -0.24], [f.w, f.h])), colour, {
      depth: f.w * 0.06,
    }),
  glasses: (c, f, colour) => spectacles(c, f, colour, '#dff1ff40'),
  sunglasses: (c, f, colour) => spectacles(c, f, colour, '#1b1b24e8'),
  goggles: (c, f) => goggles(c, f, -0.46, '#f2a63a'),
  'diving-mask': (c, f, colour) => {
    form(c, rectangle(f.look - f.w * 0.8, -f.h * 0.26, f.w * 1.6, f.h * 0.66, f.h * 0.22), '#26303c', { depth: 0.5 })
    fill(c, rectangle(f.look - f.w * 0.68, -f.h * 0.17, f.w * 1.36, f.h * 0.46, f.h * 0.16), `${colour}aa`)
    line(c, [f.w * 0.9, f.h * 0.5, f.w * 1.3, f.h * 0.1, f.w * 1.3, -f.h * 1.2], { width: f.w * 0.14, colour: '#e9c62e' })
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
    line(c, scaled([-1.06, 0, -0.86, -0.8, 0, -1.2, 0.86, -0.8, 1.06, 0], [f.w, f.h]), { width: f.w * 0.14, colour })
    for (const side of [-1, 1]) form(c, ellipse(side * f.w * 1.06, f.h * 0.12, f.w * 0.22, f.h * 0.32), colour, { depth: 0.5 })
  },
  scarf: (c, f, colour) => {
    form(c, blob(scaled([-0.9, 0.9, 0, 1.14, 0.9, 0.9, 0.96, 1.34, 0, 1.6, -0.96, 1.34], [f.w, f.h])), colour, { depth: f.w * 0.12 })
    form(c, polygon(scaled([-0.5, 1.3, -0.1, 1.4, -0.16, 2.5, -0.66, 2.44], [f.w, f.h])), shade(colour, -0.08), { depth: f.w * 0.1 })
    for (const y of [1.8, 2.2])
      line(c, [-f.w * 0.58, f.h * y, -f.w * 0.16, f.h * (y + 0.05)], { width: f.h * 0.1, colour: shade(colour, 0.45) })
  },
  hijab: (c, f, colour) => {
    const cloth = blob(scaled([0, -1.14, 1.06, -0.6, 1.16, 0.3, 1.3, 1.3, 0, 1.8, -1.3, 1.3, -1.16, 0.3, -1.06, -0.6], [f.w, f.h]))
    cloth.addPath(ellipse(f.look * 1.2, f.h * 0.12, f.w * 0.74, f.h * 0.76))
    c.fillStyle = colour
    c.fill(cloth, 'evenodd')
    line(c, [f.look - f.w * 0.7, f.h * 0.5, 0, f.h * 1.1, f.w * 0.9, f.h * 1.2], { width: f.w * 0.05, colour: shade(colour, -0.25) })
  },
  wimple: (c, f, colour) => {
    faceWear.hijab?.(c, f, '#fbfaf6')
    line(c, scaled([-1.2, 1.3, -1.12, -0.3, 0, -1.02, 1.12, -0.3, 1.2, 1.3], [f.w, f.h]), {
      width: f.w * 0.4,
      colour,
    })
  },
  veil: (c, f) => {
    fill(c, blob(scaled([0, -1.2, 1.2, -0.5, 1.7, 1.6, 1.5, 3.2, -1.5, 3.2, -1.7, 1.6, -1.2, -0.5], [f.w, f.h])), '#ffffff55')
    for (const x of [-0.5, -0.1, 0.34]) form(c, ellipse(x * f.w, -f.h * 0.9, f.w * 0.18, f.w * 0.18), '#fbe3ea', { depth: 0.3 })
  },
  ribbon: (c, f, colour) => {
    for (const side of [-1, 1])
      form(c, blob([f.w * 0.5, -f.h * 0.82, f.w * (0.5 + side * 0.5), -f.h * 1.2, f.w * (0.5 + side * 0.5), -f.h * 0.54]), colour, {
        depth: f.w * 0.06,
      })
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
    form(c, polygon(scaled([0, -1.34, 1.5, -1, 0, -0.7, -1.5, -1], [f.w, f.h])), colour, { depth: f.w * 0.1 })
    line(c, [0, -f.h * 1.02, f.w * 1.1, -f.h * 0.9, f.w * 1.14, -f.h * 0.4], { width: f.w * 0.06, colour: '#f0c84a' })
  },
  'bunny-ears': (c, f, colour) => {
    for (const side of [-1, 1]) {
      form(c, ellipse(side * f.w * 0.42, -f.h * 1.6, f.w * 0.24, f.h * 0.7, side * 0.14), colour, { depth: f.w * 0.06 })
      fill(c, ellipse(side * f.w * 0.42, -f.h * 1.55, f.w * 0.12, f.h * 0.5, side * 0.14), '#f3a6b8')
    }
  },
  halo: (c, f) => glow(c, { x: 0, y: -f.h * 1.5 }, f.w, '#f7d75a', 0.6),
}
