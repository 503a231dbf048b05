import { pairs, triples } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

function star(pen: Pen, x: number, y: number, radius: number, colour: string): void {
  pen.poly(
    Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0
        ? x + Math.sin((i / 2) * 0.6283) * radius * ((i / 2) % 2 ? 0.46 : 1)
        : y - Math.cos(((i - 1) / 2) * 0.6283) * radius * (((i - 1) / 2) % 2 ? 0.46 : 1),
    ),
    colour,
    radius * 0.06,
  )
}

function burst(pen: Pen, x: number, y: number, radius: number, colour: string): void {
  pen.aura(x, y, radius * 1.2, colour, 0.6)
  pen.ovalFlat(x, y, radius * 0.1, radius * 0.1, '#ffffff')
  for (let i = 0; i < 22; i++) {
    const angle = (i / 22) * Math.PI * 2
    const reach = radius * (0.82 + ((i * 5) % 4) * 0.06)
    const end = { x: x + Math.cos(angle) * reach, y: y + Math.sin(angle) * reach + radius * 0.06 }
    pen.line(
      [
        x + Math.cos(angle) * radius * 0.24,
        y + Math.sin(angle) * radius * 0.24,
        x + Math.cos(angle) * reach * 0.7,
        y + Math.sin(angle) * reach * 0.68,
        end.x,
        end.y,
      ],
      radius * 0.05,
      colour,
    )
    pen.ovalFlat(end.x, end.y, radius * 0.05, radius * 0.05, '#ffffff')
  }
}

function flake(pen: Pen, x: number, y: number, radius: number): void {
  for (let i = 0; i < 6; i++) {
    const angle = (i * Math.PI) / 3
    const tip = { x: x + Math.cos(angle) * radius, y: y + Math.sin(angle) * radius }
    pen.line([x, y, tip.x, tip.y], radius * 0.1, '#f4faff')
    for (const turn of [-0.7, 0.7])
      pen.line(
        [
          x + Math.cos(angle) * radius * 0.55,
          y + Math.sin(angle) * radius * 0.55,
          x + Math.cos(angle) * radius * 0.55 + Math.cos(angle + turn) * radius * 0.34,
          y + Math.sin(angle) * radius * 0.55 + Math.sin(angle + turn) * radius * 0.34,
        ],
        radius * 0.08,
        '#e3f0fb',
      )
  }
}

export const sky: Record<string, Drawing> = {
  contrail: {
    paint: pen => {
      const white = pen.main('#ffffff')
      for (let part = 0; part < 12; part++) {
        const [from, to] = [-170 + part * 28, -140 + part * 28]
        const [y, next] = [-22 - part * 6, -28 - part * 6]
        const thick = 9 - part * 0.6
        pen.context.globalAlpha = 0.3 + part * 0.055
        pen.polyFlat([from, y - thick, to, next - thick, to, next + thick, from, y + thick], white)
      }
      pen.context.globalAlpha = 1
    },
  },
  bubbles: {
    paint: pen => {
      for (const [x, y, r] of triples([-36, -34, 26, 10, -70, 30, 42, -28, 20, -18, -84, 14, 50, -72, 10, 6, -14, 12])) {
        pen.ovalFlat(x, y, r, r, `${pen.main('#bfe4ff')}40`)
        pen.ring(x, y, r, r, 2, '#ffffffe0')
        pen.line([x + r * 0.3, y + r * 0.76, x + r * 0.66, y + r * 0.46, x + r * 0.8, y], 1.4, '#f7b8e0a0')
        pen.ovalFlat(x - r * 0.36, y - r * 0.42, r * 0.22, r * 0.15, '#ffffffe0', -0.7)
      }
    },
    isLuminous: true,
  },
  fireworks: {
    paint: pen => {
      burst(pen, -26, -62, 36, pen.main('#ff5a7a'))
      burst(pen, 32, -72, 28, '#ffd25a')
      burst(pen, 14, -30, 24, '#6ac8ff')
    },
    isLuminous: true,
  },
  snowflakes: {
    paint: pen => {
      for (const [x, y, r] of triples([-28, -70, 24, 24, -46, 30, -32, -22, 18, 20, -88, 12])) flake(pen, x, y, r)
    },
    isLuminous: true,
  },
  'string-lights': {
    paint: pen => {
      const sag = (t: number) => -96 + Math.sin(((t * 3) % 1) * Math.PI) * 56
      pen.line(
        Array.from({ length: 122 }, (_, i) => (i % 2 === 0 ? -230 + (i / 120) * 460 : sag((i - 1) / 120.01))),
        2.4,
        '#3a4038',
      )
      const colours = ['#ff6a5a', '#ffd25a', '#6af08a', '#6ac8ff', '#d98aff']
      for (let i = 0; i < 22; i++) {
        const t = (i + 0.5) / 22
        const x = -230 + t * 460
        const y = sag(t)
        pen.box(x - 2.4, y, 4.8, 7, '#3a4038', 1)
        pen.lamp(x, y + 14, 8, colours[i % 5])
        pen.oval(x, y + 15, 8, 11, pen.main(colours[i % 5] ?? '#ffd25a'))
      }
    },
  },
  'paper-lantern': {
    paint: pen => {
      const paper = pen.main('#e8483a')
      pen.aura(0, -52, 62, '#ffb84a', 0.35)
      pen.box(-14, -92, 28, 6, '#d9a84a', 1)
      const body = pen.shape([-14, -87, -36, -74, -42, -50, -36, -28, -14, -16, 14, -16, 36, -28, 42, -50, 36, -74, 14, -87], paper, 5)
      pen.clip(body, () => {
        pen.glow(0, -48, 36, '#ffe08a', 0.75)
        for (const x of [-26, -9, 9, 26]) pen.line([x * 0.4, -88, x * 1.2, -50, x * 0.4, -14], 1, shade(paper, -0.24))
      })
      pen.box(-14, -17, 28, 6, '#d9a84a', 1)
      pen.line([0, -92, 0, -101], 1.4, '#d9a84a')
      for (const x of [-4, 0, 4]) pen.line([x, -11, x, 0], 1.4, '#d9a84a')
    },
    isLuminous: true,
  },
  heart: {
    paint: pen => {
      const red = pen.main('#e0304a')
      const body = pen.shape(
        [0, 0, -34, -30, -54, -62, -48, -88, -26, -99, -6, -90, 0, -78, 6, -90, 26, -99, 48, -88, 54, -62, 34, -30],
        red,
        6,
      )
      pen.clip(body, () => pen.ovalFlat(-28, -78, 14, 8, '#ffffff60', -0.6))
    },
  },
  star: {
    paint: pen => {
      pen.aura(0, -50, 66, '#ffe89a', 0.45)
      star(pen, 0, -48, 52, pen.main('#f7cf3a'))
    },
    isLuminous: true,
  },
  cloud: {
    paint: pen => {
      const white = pen.main('#f7f9fc')
      for (const [x, y, r] of triples([-62, -30, 30, 60, -30, 32, -30, -52, 36, 26, -58, 40, 0, -34, 38]))
        pen.ovalFlat(x, y + 3, r, r * 0.9, shade(white, -0.16))
      for (const [x, y, r] of triples([-62, -34, 28, 58, -34, 30, -30, -56, 34, 26, -62, 37, 0, -38, 36]))
        pen.ovalFlat(x - 2, y, r * 0.96, r * 0.84, white)
      pen.boxFlat(-86, -30, 172, 24, shade(white, -0.1), 12)
    },
  },
  rainbow: {
    paint: pen => {
      const colours = ['#e8423f', '#f28a32', '#f7d53f', '#5fb850', '#3f8fd8', '#5a5ac8', '#9a5ac0']
      colours.forEach((colour, i) => {
        pen.context.lineWidth = 6.2
        pen.context.strokeStyle = `${colour}c8`
        pen.context.beginPath()
        pen.context.ellipse(0, 0, 97 - i * 6, 97 - i * 6, 0, Math.PI, Math.PI * 2)
        pen.context.stroke()
      })
    },
    isLuminous: true,
  },
  tornado: {
    paint: pen => {
      const dust = pen.main('#8a8f9a')
      for (let i = 0; i < 15; i++) {
        const t = i / 14
        pen.oval(Math.sin(t * 5) * 7, -3 - t * 93, 5 + t * t * 30 + t * 6, 3 + t * 5, shade(dust, (i % 3) * 0.1 - 0.14))
      }
      for (const [x, y] of pairs([-20, -8, 16, -14, 24, -40, -26, -56])) pen.box(x, y, 5, 3, '#6b5a4a')
    },
  },
}
