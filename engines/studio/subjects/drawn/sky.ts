import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** A lit ball: light from the upper left, dark on the far side. `surface` paints inside it. */
function globe(pen: Pen, colour: string, surface: () => void): void {
  const ball = pen.oval(0, -50, 50, 50, colour)
  pen.clip(ball, () => {
    surface()
    const shadow = pen.context.createRadialGradient(-20, -72, 18, 0, -50, 58)
    shadow.addColorStop(0, 'rgba(255,255,255,0.22)')
    shadow.addColorStop(0.4, 'rgba(255,255,255,0)')
    shadow.addColorStop(0.75, 'rgba(10,6,34,0.3)')
    shadow.addColorStop(1, 'rgba(10,6,34,0.72)')
    pen.context.fillStyle = shadow
    pen.context.fillRect(-60, -110, 120, 120)
  })
}

function bands(pen: Pen, colours: string[]): void {
  colours.forEach((colour, i) => {
    const y = -100 + (i * 100) / colours.length
    pen.shapeFlat(
      [
        -60,
        y,
        -20,
        y + 3,
        20,
        y - 2,
        60,
        y + 2,
        60,
        y + 100 / colours.length + 3,
        10,
        y + 100 / colours.length + 1,
        -60,
        y + 100 / colours.length + 3,
      ],
      colour,
    )
  })
}

function craters(pen: Pen, colour: string, count: number): void {
  for (let i = 0; i < count; i++) {
    const angle = i * 2.4
    const reach = Math.sqrt((i + 0.4) / count) * 46
    const r = 3 + ((i * 7) % 5) * 1.7
    pen.ovalFlat(Math.cos(angle) * reach, -50 + Math.sin(angle) * reach, r, r * 0.86, shade(colour, -0.16))
    pen.ovalFlat(Math.cos(angle) * reach + r * 0.14, -50 + Math.sin(angle) * reach + r * 0.16, r * 0.78, r * 0.64, shade(colour, -0.05))
  }
}

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
  planet: {
    paint: pen => {
      const base = pen.main('#d98a5a')
      globe(pen, base, () =>
        bands(pen, [
          base,
          shade(base, 0.2),
          shade(base, -0.12),
          shade(base, 0.32),
          base,
          shade(base, -0.2),
          shade(base, 0.1),
          shade(base, -0.1),
        ]),
      )
    },
    isLuminous: true,
  },
  'ringed-planet': {
    paint: pen => {
      const base = pen.main('#e3bd7a')
      const ring = (from: number, to: number) => {
        for (const [r, colour] of [
          [96, '#c9a878'],
          [88, '#ecd9ae'],
          [78, '#b89868'],
        ] as const) {
          pen.context.lineWidth = 7
          pen.context.strokeStyle = colour
          pen.context.beginPath()
          pen.context.ellipse(0, -50, r, r * 0.26, -0.3, from, to)
          pen.context.stroke()
        }
      }
      ring(Math.PI, Math.PI * 2)
      globe(pen, base, () => bands(pen, [base, shade(base, 0.2), shade(base, -0.08), shade(base, 0.1), shade(base, -0.14), base]))
      ring(0, Math.PI)
    },
    isLuminous: true,
  },
  earth: {
    paint: pen => {
      pen.aura(0, -50, 62, '#7fc4ff', 0.5)
      globe(pen, pen.main('#2f7fc4'), () => {
        pen.shapeFlat([-44, -78, -30, -92, -8, -90, -4, -80, -16, -70, -12, -60, -26, -52, -34, -60], '#5f9a4a')
        pen.shapeFlat([-24, -48, -10, -46, -6, -34, -14, -12, -20, -8, -24, -26, -30, -38], '#6fa04f')
        pen.shapeFlat([8, -84, 30, -88, 46, -70, 40, -56, 28, -60, 22, -70, 12, -70], '#7fa84a')
        pen.shapeFlat([8, -62, 24, -58, 30, -46, 24, -24, 16, -18, 12, -36, 4, -48], '#b9a05a')
        for (const points of [
          [-40, -62, -20, -66, 4, -60],
          [10, -40, 30, -44, 46, -38],
          [-20, -24, 0, -28, 14, -22],
          [-10, -96, 10, -94, 26, -96],
        ])
          pen.line(points, 4, '#ffffffb0')
      })
    },
    isLuminous: true,
  },
  moon: {
    paint: pen => {
      const base = pen.main('#f2ecd4')
      pen.aura(0, -50, 74, '#fff6d8', 0.4)
      pen.ovalFlat(0, -50, 50, 50, base)
      craters(pen, base, 13)
    },
    isLuminous: true,
  },
  asteroid: {
    paint: pen => {
      const rock = pen.main('#8a8078')
      const body = pen.shape([-60, -40, -52, -74, -20, -98, 20, -96, 50, -78, 60, -44, 44, -12, 10, 0, -30, -6, -52, -20], rock, 9)
      pen.clip(body, () => {
        for (const [x, y, r] of [
          [-24, -62, 13],
          [14, -34, 16],
          [24, -74, 9],
          [-34, -30, 8],
        ] as const) {
          pen.ovalFlat(x, y, r, r * 0.84, shade(rock, -0.3))
          pen.ovalFlat(x + 1.6, y + 2, r * 0.8, r * 0.64, shade(rock, -0.14))
        }
      })
    },
  },
  'black-hole': {
    paint: pen => {
      for (const [r, colour, alpha] of [
        [100, '#ff8a3a', 0.5],
        [80, '#ffc46a', 0.6],
      ] as const) {
        pen.context.save()
        pen.context.translate(0, -50)
        pen.context.scale(1, 0.42)
        pen.glow(0, 0, r, colour, alpha)
        pen.context.restore()
      }
      pen.ring(0, -50, 34, 34, 5, '#ffd9a0')
      pen.ovalFlat(0, -50, 32, 32, '#050308')
      for (const [r, colour] of [
        [92, '#ff9a4a'],
        [80, '#ffd08a'],
        [66, '#fff0d0'],
      ] as const) {
        pen.context.lineWidth = 4
        pen.context.strokeStyle = colour
        pen.context.beginPath()
        pen.context.ellipse(0, -50, r, r * 0.22, -0.12, 0, Math.PI)
        pen.context.stroke()
      }
    },
    isLuminous: true,
  },
  galaxy: {
    paint: pen => {
      pen.context.save()
      pen.context.translate(0, -50)
      pen.context.rotate(-0.25)
      pen.context.scale(1, 0.5)
      pen.glow(0, 0, 94, pen.main('#7a6af0'), 0.5)
      for (let i = 0; i < 420; i++) {
        const t = i / 420
        const angle = t * 9 + (i % 2) * Math.PI + pen.random.between(-0.3, 0.3)
        const reach = t * 90 + pen.random.between(-6, 6)
        const r = pen.random.between(0.5, 1.8) * (1.3 - t * 0.6)
        pen.ovalFlat(
          Math.cos(angle) * reach,
          Math.sin(angle) * reach,
          r,
          r * 1.6,
          ['#ffffffd0', '#c9b8ffc0', '#ffb8e0b0', '#9fd0ffc0'][i % 4] ?? '#ffffffd0',
        )
      }
      pen.glow(0, 0, 30, '#fff3d8', 1)
      pen.context.restore()
    },
    isLuminous: true,
  },
  bubbles: {
    paint: pen => {
      for (const [x, y, r] of [
        [-36, -34, 26],
        [10, -70, 30],
        [42, -28, 20],
        [-18, -84, 14],
        [50, -72, 10],
        [6, -14, 12],
      ] as const) {
        pen.ovalFlat(x, y, r, r, `${pen.main('#bfe4ff')}40`)
        pen.ring(x, y, r, r, 1.1, '#ffffffc8')
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
      for (const [x, y, r] of [
        [-28, -70, 24],
        [24, -46, 30],
        [-32, -22, 18],
        [20, -88, 12],
      ] as const)
        flake(pen, x, y, r)
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
      for (const [x, y, r] of [
        [-62, -30, 30],
        [60, -30, 32],
        [-30, -52, 36],
        [26, -58, 40],
        [0, -34, 38],
      ] as const)
        pen.ovalFlat(x, y + 3, r, r * 0.9, shade(white, -0.16))
      for (const [x, y, r] of [
        [-62, -34, 28],
        [58, -34, 30],
        [-30, -56, 34],
        [26, -62, 37],
        [0, -38, 36],
      ] as const)
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
      for (const [x, y] of [
        [-20, -8],
        [16, -14],
        [24, -40],
        [-26, -56],
      ] as const)
        pen.box(x, y, 5, 3, '#6b5a4a')
    },
  },
}
