import { triples } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { turned } from './tint.ts'

/** Draws a sphere that is bright at the upper left and dark at the lower right; `surface` draws
 *  within it. */
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

export const space: Record<string, Drawing> = {
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
        for (const [x, y, r] of triples([-24, -62, 13, 14, -34, 16, 24, -74, 9, -34, -30, 8])) {
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
      turned(pen, { x: 0, y: -50, angle: -0.25 }, () => {
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
      })
    },
    isLuminous: true,
  },
}
