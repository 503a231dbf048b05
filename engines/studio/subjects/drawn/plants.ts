import { pairs, triples } from '../../pairs.ts'
import { scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { turned } from './tint.ts'

const green = '#5f9a44'

function stem(pen: Pen, x: number, tip: { x: number; y: number }, width = 2): void {
  pen.line([x, 0, (x + tip.x) / 2 + (tip.x - x) * 0.1, tip.y * 0.5, tip.x, tip.y], width, shade(green, -0.12))
}

function leaf(pen: Pen, x: number, y: number, length: number, turn: number, colour = green): void {
  const dx = Math.cos(turn) * length
  const dy = Math.sin(turn) * length
  pen.shape(
    [x, y, x + dx * 0.5 - dy * 0.22, y + dy * 0.5 + dx * 0.22, x + dx, y + dy, x + dx * 0.5 + dy * 0.16, y + dy * 0.5 - dx * 0.16],
    colour,
    length * 0.04,
  )
}

interface Bloom {
  x: number
  y: number
  radius: number
  petals: number
  colour: string
  heart: string
}

function bloom(pen: Pen, { x, y, radius, petals, colour, heart }: Bloom): void {
  for (let i = 0; i < petals; i++) {
    const angle = (i / petals) * Math.PI * 2 - 1.57
    pen.oval(
      x + Math.cos(angle) * radius * 0.6,
      y + Math.sin(angle) * radius * 0.6,
      radius * 0.46,
      radius * (2.2 / petals + 0.05),
      shade(colour, i % 2 ? -0.05 : 0.06),
      angle,
    )
  }
  pen.oval(x, y, radius * 0.34, radius * 0.34, heart)
}

function blades(pen: Pen, count: number, options: { half: number; low: number; high: number; width: number; colours: string[] }): void {
  for (let i = 0; i < count; i++) {
    const x = ((i + 0.5) / count - 0.5) * 2 * options.half + pen.random.between(-3, 3)
    const height = pen.random.between(options.low, options.high) * (1 - Math.abs(x / options.half) * 0.3)
    const bend = pen.random.between(-0.3, 0.3) * height
    const colour = options.colours[i % options.colours.length] ?? green
    pen.shapeFlat(
      [
        x - options.width,
        0,
        x - options.width * 0.6 + bend * 0.3,
        -height * 0.5,
        x + bend,
        -height,
        x + options.width * 0.6 + bend * 0.3,
        -height * 0.5,
        x + options.width,
        0,
      ],
      colour,
    )
  }
}

const grassTones = [shade(green, -0.25), green, shade(green, 0.2), shade(green, -0.1), '#86b84a']

export const plants: Record<string, Drawing> = {
  grass: { paint: pen => blades(pen, 64, { half: 150, low: 50, high: 104, width: 4.5, colours: grassTones }) },
  wheat: {
    paint: pen => {
      for (let i = 0; i < 22; i++) {
        const x = (i - 10.5) * 4 + pen.random.between(-1.5, 1.5)
        const height = pen.random.between(62, 80)
        const lean = pen.random.between(-6, 8)
        const gold = shade(pen.main('#e3b94e'), pen.random.between(-0.2, 0.16))
        pen.line([x, 0, x + lean * 0.3, -height * 0.6, x + lean, -height], 1, shade(gold, -0.15))
        for (let k = 0; k < 6; k++)
          for (const side of [-1, 1]) pen.ovalFlat(x + lean + side * 1.7, -height - k * 3.2, 1.3, 2.4, gold, side * 0.5)
        pen.line([x + lean, -height - 18, x + lean + 1, -height - 26], 0.5, gold)
      }
    },
  },
  reeds: {
    paint: pen => {
      blades(pen, 22, { half: 44, low: 50, high: 84, width: 1.8, colours: grassTones })
      for (const [x, y] of pairs([-30, -84, -12, -98, 6, -88, 24, -96, 36, -78])) {
        pen.line([x * 0.8, 0, x, y], 1.3, '#7f9a4a')
        pen.box(x - 2.6, y, 5.2, 18, '#7a4a2c', 2.6)
        pen.line([x, y, x, y - 6], 0.7, '#a8844a')
      }
    },
  },
  fern: {
    paint: pen => {
      for (let i = 0; i < 9; i++) {
        const turn = -Math.PI * (0.06 + (i / 8) * 0.88)
        for (let k = 1; k < 14; k++) {
          const t = k / 14
          const x = Math.cos(turn) * 78 * t
          const y = Math.sin(turn) * 104 * t + 18 * t * t - 2
          const size = 17 * (1.1 - t)
          for (const side of [-1, 1])
            pen.ovalFlat(
              x - Math.sin(turn) * side * size * 0.5,
              y + Math.cos(turn) * side * size * 0.5,
              size * 0.6,
              2.2,
              shade(green, i % 2 ? -0.12 : 0.08),
              turn + side * 0.9,
            )
        }
      }
    },
  },
  ivy: {
    paint: pen => {
      for (let i = 0; i < 7; i++) {
        const x = (i - 3) * 11
        const length = pen.random.between(60, 98)
        pen.line([x, -100, x + 4, -100 + length * 0.5, x - 2, -100 + length], 1, '#5a4a34')
        for (let k = 0; k < length / 7; k++)
          leaf(
            pen,
            x + (k % 2 ? 2 : -2),
            -100 + k * 7,
            10,
            (k % 2 ? 0.4 : 2.7) + pen.random.between(-0.4, 0.4),
            shade(green, pen.random.between(-0.25, 0.15)),
          )
      }
    },
  },
  'lily-pad': {
    paint: pen => {
      for (const [x, y, r] of triples([-96, -12, 70, 60, -14, 90, 150, -7, 46])) {
        pen.oval(x, y, r, r * 0.15, shade(green, 0.05))
        pen.polyFlat([x, y, x + r * 0.7, y - r * 0.14, x + r * 0.9, y - r * 0.06], shade(green, -0.35))
      }
    },
  },
  lotus: {
    paint: pen => {
      const pink = pen.main('#f2a0bc')
      pen.oval(0, -6, 62, 8, shade(green, 0.06))
      for (const [turn, size] of pairs([-1.25, 1, 1.25, 1, -0.75, 1.08, 0.75, 1.08, -0.35, 1.15, 0.35, 1.15, 0, 1.2])) {
        turned(pen, { x: 0, y: -10, angle: turn }, () =>
          pen.shape([0, 0, -13, -30 * size, 0, -68 * size, 13, -30 * size], shade(pink, Math.abs(turn) < 0.4 ? 0.25 : -0.04), 3),
        )
      }
      pen.oval(0, -26, 9, 9, '#f2cf4a')
    },
  },
  seaweed: {
    paint: pen => {
      for (let i = 0; i < 6; i++) {
        const x = (i - 2.5) * 11
        const height = pen.random.between(60, 98)
        const tone = shade(pen.main('#3f8f5a'), pen.random.between(-0.25, 0.2))
        pen.line(scaled([0, 0, 7, -0.25, -6, -0.5, 6, -0.75, -1, -1], [1, height], [x, 0]), 5.6, tone)
        pen.line(scaled([-1, 0, 6, -0.25, -7, -0.5, 5, -0.75, -2, -1], [1, height], [x, 0]), 1.4, shade(tone, 0.3))
      }
    },
  },
  'coral-reef': {
    paint: pen => {
      pen.shape([-104, 0, -90, -22, -40, -30, 30, -26, 88, -20, 104, 0], '#7d6a78', 6)
      const branch = (x: number, y: number, angle: number, length: number, width: number, colour: string): void => {
        const to = { x: x + Math.sin(angle) * length, y: y - Math.cos(angle) * length }
        pen.line([x, y, to.x, to.y], width, colour)
        if (width < 2.6) return
        for (const turn of [-0.5, 0.36]) branch(to.x, to.y, angle + turn, length * 0.78, width * 0.76, shade(colour, 0.06))
      }
      branch(-56, -20, -0.1, 26, 7, '#f0705a')
      branch(58, -18, 0.12, 22, 6, '#e8a03a')
      for (const [x, y, r, colour] of [
        [-10, -30, 22, '#d76aa8'],
        [22, -24, 16, '#a07ad9'],
        [-88, -14, 12, '#f2c05a'],
      ] as const) {
        pen.oval(x, y, r, r * 0.8, colour)
        for (let i = 0; i < 5; i++)
          pen.line(
            [x - r * 0.7, y - r * 0.5 + i * r * 0.28, x, y - r * 0.66 + i * r * 0.3, x + r * 0.7, y - r * 0.5 + i * r * 0.28],
            1,
            shade(colour, -0.24),
          )
      }
      for (const x of [-30, 6, 40, 82]) pen.box(x, -52 + (x % 7), 8, 34, shade('#5ab0a8', (x % 3) * 0.1), 4)
    },
  },
  flowers: {
    paint: pen => {
      blades(pen, 40, { half: 108, low: 24, high: 56, width: 2.6, colours: grassTones })
      const colours = ['#e2566b', '#f7d04a', '#b98ae0', '#fbfaf6', '#f08fb0', '#f2803a']
      for (let i = 0; i < 15; i++) {
        const tip = { x: (i - 7) * 14 + pen.random.between(-5, 5), y: -pen.random.between(46, 92) }
        stem(pen, tip.x * 0.94, tip, 2)
        leaf(pen, tip.x * 0.96, tip.y * 0.4, 15, i % 2 ? -0.6 : -2.5)
        bloom(pen, {
          ...tip,
          radius: pen.random.between(9, 13),
          petals: i % 2 ? 6 : 5,
          colour: pen.main(colours[i % colours.length] ?? '#e2566b'),
          heart: i % colours.length === 1 ? '#b3722a' : '#f2c230',
        })
      }
    },
  },
  daisy: {
    paint: pen => {
      for (const [x, y, r] of triples([-15, -62, 14, 13, -84, 16, 22, -48, 11])) {
        stem(pen, x * 0.3, { x, y })
        bloom(pen, { x, y, radius: r, petals: 12, colour: pen.main('#fdfcf8'), heart: '#f2c230' })
      }
      for (const turn of [-0.5, -2.6, -0.9]) leaf(pen, 0, -8, 26, turn)
    },
  },
  poppy: {
    paint: pen => {
      for (const [x, y, r] of triples([-13, -60, 14, 9, -86, 17, 21, -50, 11])) {
        stem(pen, x * 0.3, { x, y })
        const red = pen.main('#d8342b')
        pen.oval(x - r * 0.4, y, r * 0.7, r * 0.8, shade(red, -0.1))
        pen.oval(x + r * 0.4, y, r * 0.7, r * 0.8, red)
        pen.oval(x, y + r * 0.25, r * 0.8, r * 0.62, shade(red, 0.1))
        pen.ovalFlat(x, y - r * 0.1, r * 0.26, r * 0.2, '#2a1c22')
      }
      for (const turn of [-0.6, -2.5]) leaf(pen, 0, -8, 28, turn)
    },
  },
  lavender: {
    paint: pen => {
      blades(pen, 16, { half: 30, low: 20, high: 40, width: 1.6, colours: ['#8aa87a', '#7a9a6a'] })
      for (let i = 0; i < 17; i++) {
        const tip = { x: (i - 8) * 5.4 + pen.random.between(-2, 2), y: -pen.random.between(58, 80) }
        pen.line([tip.x * 0.5, 0, tip.x, tip.y], 1, '#7a9a6a')
        for (let k = 0; k < 7; k++)
          for (const side of [-1, 1])
            pen.ovalFlat(tip.x + side * 1.9, tip.y - k * 3.1, 1.9, 1.8, shade(pen.main('#8a6ad0'), ((k + i) % 3) * 0.12 - 0.12))
      }
    },
  },
  lily: {
    paint: pen => {
      for (const [x, y, size] of triples([-12, -64, 0.8, 14, -82, 1])) {
        stem(pen, x * 0.3, { x, y }, 2.4)
        for (const turn of [-1.4, 1.4, -0.7, 0.7, 0]) {
          turned(pen, { x: x, y: y, angle: turn }, () => {
            pen.shape(
              [0, 3, -5 * size, -9 * size, 0, -21 * size, 5 * size, -9 * size],
              shade(pen.main('#fbf3ee'), turn === 0 ? 0.1 : -0.06),
              1,
            )
          })
        }
        for (const turn of [-2, 0, 2]) pen.line([x, y, x + turn, y - 10 * size], 0.7, '#e0a02e')
      }
      for (const turn of [-1.1, -2.0, -0.7, -2.5]) leaf(pen, 0, -2, 42, turn)
    },
  },
  dandelion: {
    paint: pen => {
      stem(pen, 0, { x: 3, y: -74 })
      for (let i = 0; i < 34; i++) {
        const angle = i * 2.4
        const reach = 9 + (i % 4) * 4
        pen.line([3, -76, 3 + Math.cos(angle) * reach, -76 + Math.sin(angle) * reach], 0.5, '#ffffffc0')
        pen.ovalFlat(3 + Math.cos(angle) * reach, -76 + Math.sin(angle) * reach, 2.4, 2.4, '#ffffffd0')
      }
      pen.oval(3, -76, 4, 4, '#c9b48a')
      for (const turn of [-0.4, -2.8, -0.9, -2.2]) leaf(pen, 0, -1, 26, turn)
    },
  },
  'rose-bush': {
    paint: pen => {
      for (let i = 0; i < 46; i++) {
        const angle = i * 2.4
        const reach = Math.sqrt(i / 46) * 46
        pen.oval(Math.cos(angle) * reach, -46 + Math.sin(angle) * reach * 0.9, 12, 9, shade('#4f8a44', ((i * 7) % 5) * 0.07 - 0.24), angle)
      }
      for (const [x, y] of pairs([-28, -60, 0, -78, 26, -62, -14, -42, 16, -36, -36, -30, 38, -36, 4, -58])) {
        const red = pen.main('#d0364a')
        pen.oval(x, y, 10, 9.4, shade(red, -0.1))
        pen.oval(x - 1, y - 1, 6.4, 6, red)
        pen.ovalFlat(x - 1, y - 1.6, 2.6, 2.2, shade(red, 0.35))
      }
    },
  },
  mushrooms: {
    paint: pen => {
      for (const [x, height, cap] of triples([-26, 54, 24, 30, 42, 18, 2, 98, 38])) {
        pen.shape(scaled([-0.26, 0, -0.2, -0.7, 0.2, -0.7, 0.28, 0], [cap, height], [x, 0]), '#f7efdf', 2)
        const top = pen.shape(
          scaled([-1, -0.62, -0.84, -0.84, 0, -1, 0.84, -0.84, 1, -0.62, 0, -0.56], [cap, height], [x, 0]),
          pen.main('#d23a30'),
          4,
        )
        pen.clip(top, () => {
          for (const [dx, dy, r] of triples([-0.5, 0.76, 0.14, 0.05, 0.9, 0.16, 0.5, 0.72, 0.15, -0.1, 0.68, 0.1]))
            pen.ovalFlat(x + dx * cap, -height * dy, cap * r, cap * r * 0.8, '#fdf8ee')
        })
      }
    },
  },
  leaves: {
    paint: pen => {
      const colours = ['#d9742b', '#e2a02e', '#c8432b', '#b3722a', '#e8c04a']
      for (let i = 0; i < 42; i++)
        leaf(
          pen,
          pen.random.between(-140, 130),
          -pen.random.between(4, 60) * (1 - Math.abs(i - 21) / 40),
          pen.random.between(24, 40),
          pen.random.between(0, 6.28),
          pen.main(colours[i % colours.length] ?? '#d9742b'),
        )
    },
  },
}
