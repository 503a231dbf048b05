import { pairs, triples } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { accent } from './tint.ts'

export function wheel(pen: Pen, x: number, y: number, radius: number, hub = '#c3ccd6'): void {
  pen.oval(x, y, radius, radius, '#25262d')
  pen.oval(x, y, radius * 0.6, radius * 0.6, hub)
  for (let i = 0; i < 5; i++)
    pen.line([x, y, x + Math.cos(i * 1.257) * radius * 0.52, y + Math.sin(i * 1.257) * radius * 0.52], radius * 0.1, shade(hub, -0.3))
  pen.ovalFlat(x, y, radius * 0.16, radius * 0.16, '#3a3c46')
}

function spokes(pen: Pen, x: number, y: number, radius: number, colour: string): void {
  for (let i = 0; i < 6; i++)
    pen.line(
      [
        x - Math.cos(i * 0.524) * radius,
        y - Math.sin(i * 0.524) * radius,
        x + Math.cos(i * 0.524) * radius,
        y + Math.sin(i * 0.524) * radius,
      ],
      radius * 0.08,
      colour,
    )
  pen.ring(x, y, radius, radius, radius * 0.15, colour)
  pen.oval(x, y, radius * 0.2, radius * 0.2, shade(colour, -0.2))
}

function glassArea(pen: Pen, points: number[]): void {
  const pane = pen.poly(points, '#a9cfe0', 2)
  pen.clip(pane, () => pen.polyFlat([-60, -120, -30, -120, -60, 20, -90, 20], '#ffffff40'))
}

export const vehicles: Record<string, Drawing> = {
  'sports-car': {
    paint: pen => {
      const paint = pen.main('#d8262f')
      const body = pen.shape(
        [-168, -34, -164, -62, -120, -70, -66, -94, -20, -98, 22, -90, 60, -66, 128, -56, 166, -40, 168, -18, 150, -10, -150, -10],
        paint,
        8,
      )
      pen.clip(body, () => pen.shapeFlat([-160, -58, 0, -60, 160, -44, 160, -50, 60, -62, -160, -66], shade(paint, 0.35)))
      glassArea(pen, [-58, -68, -40, -89, -10, -92, 16, -86, 42, -66])
      pen.line([-8, -92, -6, -67], 4, paint)
      pen.shape([150, -42, 166, -36, 166, -28, 144, -32], '#fff6d0', 1)
      pen.lamp(160, -34, 3, '#fff0b8')
      pen.shape([-168, -58, -156, -60, -158, -46, -168, -46], '#7d1018', 1)
      pen.line([-120, -22, 110, -22], 3, shade(paint, -0.4))
      pen.poly([-172, -74, -130, -78, -132, -72, -168, -68], shade(paint, -0.2), 1)
      for (const x of [-102, 106]) wheel(pen, x, -26, 26)
    },
    isSided: true,
    anchors: { seat: { x: -10, y: -50 }, top: { x: -14, y: -96, width: 70 } },
  },
  'flying-car': {
    paint: pen => {
      const paint = pen.main('#3fb0d9')
      for (const x of [-84, 84]) {
        pen.aura(x, -4, 44, '#7fe8ff', 0.8)
        pen.oval(x, -16, 30, 12, '#33404f')
        pen.ovalFlat(x, -10, 24, 6, '#b8f4ff')
      }
      const body = pen.shape(
        [-126, -34, -116, -58, -62, -66, -34, -94, 20, -98, 58, -70, 112, -58, 128, -38, 110, -22, -110, -22],
        paint,
        8,
      )
      pen.clip(body, () => pen.boxFlat(-140, -44, 280, 4, '#c8f8ff'))
      glassArea(pen, [-48, -66, -26, -88, 16, -92, 46, -68])
      pen.line([-2, -92, 0, -66], 3, paint)
      pen.poly([-132, -44, -150, -86, -110, -60], shade(paint, -0.2), 3)
      pen.lamp(122, -42, 4, '#fff6d0')
      pen.lamp(-122, -40, 3, '#ff5a6a')
    },
    isSided: true,
  },
  'vintage-car': {
    paint: pen => {
      const paint = pen.main('#3f6f5a')
      pen.shape([-112, -26, -112, -56, -86, -60, -80, -96, 8, -98, 24, -62, 96, -58, 104, -26], paint, 7)
      glassArea(pen, [-68, -62, -64, -88, -36, -90, -36, -62])
      glassArea(pen, [-28, -62, -28, -90, 2, -90, 14, -62])
      for (const x of [-70, 72])
        pen.shape(
          [x - 38, -18, x - 34, -44, x, -58, x + 32, -46, x + 42, -20, x + 26, -20, x + 18, -40, x, -46, x - 20, -38, x - 26, -18],
          shade(paint, -0.3),
          2,
        )
      pen.box(-36, -20, 74, 6, '#2a2c34', 2)
      pen.box(96, -60, 10, 40, '#c9ced6', 2)
      pen.lamp(102, -48, 6, '#fff0b8')
      pen.line([24, -54, 92, -50], 1.4, shade(paint, 0.4))
      for (const x of [-70, 72]) {
        pen.oval(x, -22, 22, 22, '#22232a')
        spokes(pen, x, -22, 15, '#e9e2d2')
      }
      pen.oval(-104, -52, 8, 17, '#22232a')
    },
    isSided: true,
  },
  van: {
    paint: pen => {
      const paint = pen.main('#4fa3a8')
      const body = pen.shape([-104, -16, -104, -88, -92, -99, 60, -99, 84, -84, 98, -52, 102, -18], paint, 7)
      pen.clip(body, () => {
        pen.boxFlat(-120, -100, 240, 46, '#fbf6ec')
        pen.boxFlat(-120, -56, 240, 3, shade(paint, -0.3))
      })
      for (const x of [-92, -54, -16]) glassArea(pen, [x, -62, x, -88, x + 32, -88, x + 32, -62])
      glassArea(pen, [26, -62, 26, -88, 58, -88, 76, -62])
      pen.lamp(97, -40, 6, '#fff0b8')
      pen.box(-108, -22, 214, 7, '#d9dde2', 3)
      for (const x of [-62, 62]) wheel(pen, x, -18, 18)
    },
    isSided: true,
    anchors: { top: { x: -20, y: -99, width: 150 } },
  },
  'steam-train': {
    paint: pen => {
      const paint = pen.main('#2f3a44')
      for (const [x, y, r] of triples([58, -118, 13, 40, -136, 18, 10, -150, 21])) pen.oval(x, y, r, r * 0.8, '#e6e4e2')
      for (const x of [-194, -132]) {
        pen.box(x - 26, -66, 56, 44, '#9c3a30', 3)
        for (const dx of [-18, 0, 18]) pen.window(x + dx - 5, -58, 11, 14, { frame: '#f0d9a8', bars: false })
        pen.box(x - 29, -72, 62, 7, '#5a2a24', 2)
      }
      pen.box(-30, -70, 110, 42, paint, 14)
      pen.box(-82, -92, 56, 66, '#9c3a30', 3)
      pen.window(-70, -80, 28, 22, { frame: '#f0d9a8', bars: false })
      pen.box(-88, -98, 68, 8, '#5a2a24', 3)
      for (const x of [-6, 24, 54]) pen.line([x, -69, x, -29], 2.4, '#d9a84a')
      pen.poly([52, -70, 48, -100, 74, -100, 68, -70], paint, 2)
      pen.oval(14, -72, 11, 9, '#d9a84a')
      pen.lamp(82, -52, 5, '#fff0b8')
      pen.poly([80, -26, 108, 0, 72, 0], '#7d2a24', 2)
      pen.box(-92, -30, 176, 10, '#22262c', 2)
      for (const x of [-64, -28, 8]) spokes(pen, x, -17, 16, '#b3392f')
      for (const x of [42, 66, -206, -180, -144, -118]) spokes(pen, x, -10, 9.4, '#b3392f')
      pen.line([-66, -14, 8, -14], 3.4, '#c3ccd6')
    },
    isSided: true,
  },
  'toy-train': {
    paint: pen => {
      for (const [x, colour] of [
        [-104, '#f2b632'],
        [-40, '#4a9ad0'],
      ] as const) {
        pen.box(x - 26, -58, 52, 40, colour, 4)
        for (const dx of [-13, 13]) wheel(pen, x + dx, -13, 13, '#fbf6ec')
        pen.line([x + 26, -22, x + 40, -22], 5, '#7a5436')
      }
      pen.box(0, -54, 110, 36, pen.main('#d8342b'), 8)
      pen.box(2, -92, 44, 60, '#3f8f5a', 5)
      pen.window(12, -80, 22, 18, { frame: '#fbf6ec', bars: false })
      pen.box(82, -86, 15, 34, '#f2b632', 3)
      pen.oval(110, -36, 9, 12, '#f2b632')
      for (const x of [20, 56, 92]) wheel(pen, x, -14, 14, '#fbf6ec')
    },
    isSided: true,
  },
  carriage: {
    paint: pen => {
      const paint = pen.main('#7d2a3a')
      pen.shape([-56, -34, -58, -70, -46, -90, 0, -99, 42, -90, 54, -68, 50, -34, 0, -26], paint, 6)
      pen.shape([-60, -88, -40, -100, 0, -105, 40, -100, 56, -88, 0, -94], '#e0b34a', 2)
      for (const x of [-34, 10]) pen.window(x, -76, 22, 24, { frame: '#e0b34a', bars: false })
      pen.line([-50, -46, 0, -40, 50, -46], 2.4, '#e0b34a')
      pen.line([44, -30, 90, -24], 4, '#7a5436')
      spokes(pen, -38, -24, 23, '#d9a84a')
      spokes(pen, 44, -18, 17, '#d9a84a')
      pen.lamp(56, -64, 3)
    },
    isSided: true,
  },
  cart: {
    paint: pen => {
      const wood = pen.main('#a8743f')
      pen.poly([-90, -88, 70, -88, 54, -44, -74, -44], wood, 5)
      for (const y of [-76, -62]) pen.line([-86, y, 64, y], 2, shade(wood, -0.35))
      pen.line([58, -52, 118, -62], 5, shade(wood, -0.15))
      pen.line([-64, -44, -74, -4], 5, shade(wood, -0.2))
      spokes(pen, 8, -28, 27, shade(wood, -0.3))
    },
    isSided: true,
    anchors: { opening: { x: -10, y: -86, width: 130 } },
  },
  tank: {
    paint: pen => {
      const green = pen.main('#6a7a4a')
      pen.box(-110, -40, 220, 40, '#3a3c36', 20)
      for (const x of [-84, -50, -16, 18, 52, 86]) pen.oval(x, -18, 15, 15, shade(green, -0.2))
      pen.poly([-112, -40, -96, -60, 92, -60, 118, -42], green, 4)
      pen.shape([-56, -58, -50, -86, -16, -96, 34, -92, 52, -74, 54, -58], green, 5)
      pen.box(44, -80, 96, 9, shade(green, -0.1), 3)
      pen.oval(-14, -97, 17, 6, shade(green, -0.14))
    },
    isSided: true,
  },
  excavator: {
    paint: pen => {
      const yellow = pen.main('#f2b62e')
      pen.box(-84, -22, 112, 22, '#33343a', 11)
      for (const x of [-68, -40, -12, 14]) pen.oval(x, -11, 7, 7, '#5a5c64')
      pen.box(-80, -52, 104, 30, yellow, 4)
      pen.box(-26, -94, 48, 46, yellow, 4)
      glassArea(pen, [-18, -58, -18, -86, 16, -86, 16, -58])
      pen.line([16, -50, 56, -96, 92, -74], 11, yellow)
      pen.line([92, -74, 84, -34], 8, shade(yellow, -0.15))
      pen.shape([70, -36, 98, -38, 98, -14, 84, -8, 68, -20], '#5a5c64', 3)
      pen.line([34, -58, 66, -88], 3, '#c3ccd6')
    },
    isSided: true,
  },
  crane: {
    paint: pen => {
      const yellow = pen.main('#f2b62e')
      const truss = (from: [number, number], to: [number, number], width: number, steps: number) => {
        const isTall = from[0] === to[0]
        const edge = (t: number, side: number): [number, number] => [
          from[0] + (to[0] - from[0]) * t + (isTall ? side * width : 0),
          from[1] + (to[1] - from[1]) * t + (isTall ? 0 : side * width),
        ]
        for (let i = 0; i < steps; i++)
          pen.line([...edge(i / steps, i % 2 ? 1 : -1), ...edge((i + 1) / steps, i % 2 ? -1 : 1)], 0.7, yellow)
        for (const side of [-1, 1]) pen.line([...edge(0, side), ...edge(1, side)], 1.2, side > 0 ? shade(yellow, -0.2) : yellow)
      }
      truss([0, 0], [0, -88], 3, 16)
      truss([-26, -86], [54, -86], 2, 18)
      pen.line([0, -100, 50, -87], 0.6, '#4a4c55')
      pen.line([0, -100, -24, -87], 0.6, '#4a4c55')
      pen.line([0, -88, 0, -100], 1.6, yellow)
      pen.box(-26, -85, 11, 9, '#7d8088')
      pen.box(-4, -84, 9, 8, '#f7f3ea', 1)
      pen.line([40, -84, 40, -52], 0.5, '#4a4c55')
      pen.box(34, -52, 12, 6, '#a8743f')
      pen.box(-9, -3, 18, 3, '#7d8088')
    },
  },
  sleigh: {
    paint: pen => {
      const red = pen.main('#b3262f')
      pen.line([-76, -6, 0, -2, 62, -6, 86, -20, 82, -34], 5, '#d9a84a')
      for (const x of [-50, 30]) pen.line([x, -6, x + 4, -30], 4, '#d9a84a')
      pen.shape([-76, -92, -60, -98, -50, -70, -10, -60, 30, -62, 52, -84, 66, -84, 62, -48, 40, -28, -48, -28, -70, -52], red, 7)
      pen.line([-72, -88, -56, -62, -10, -52, 34, -54, 58, -78], 2.6, '#f2d05a')
      pen.shape([-52, -70, -30, -76, 10, -72, 30, -62, -10, -60], '#7d4a2c', 2)
    },
    isSided: true,
    anchors: { opening: { x: -10, y: -66, width: 80 }, seat: { x: -20, y: -62 } },
  },
  'hot-air-balloon': {
    paint: pen => {
      const main = pen.main('#e0483e')
      const bag = pen.shape([0, -100, 28, -94, 40, -72, 34, -50, 16, -30, 7, -24, -7, -24, -16, -30, -34, -50, -40, -72, -28, -94], main, 5)
      pen.clip(bag, () => {
        for (const [x, w, colour] of [
          [-24, 9, accent(pen, '#f7e3b0', 0.22)],
          [0, 10, accent(pen, '#f7e3b0', 0.22)],
          [24, 9, accent(pen, '#f7e3b0', 0.22)],
        ] as const)
          pen.shapeFlat([x * 0.3, -101, x - w * 0.7, -84, x * 1.1 - w, -66, x * 0.4, -24, x * 1.1 + w, -66, x + w * 0.7, -84], colour)
        pen.shapeFlat([16, -100, 42, -90, 44, -60, 18, -26, 30, -50, 34, -74], '#1c123a30')
        pen.shapeFlat([-30, -84, -20, -94, -14, -86, -24, -70, -32, -66], '#ffffff50')
      })
      for (const x of [-6, 6]) pen.line([x, -24, x * 0.8, -11], 0.7, '#5a4030')
      pen.aura(0, -22, 7, '#ffb84a', 0.7)
      pen.box(-6.4, -11, 12.8, 11, '#a8743f', 2)
      for (const y of [-8, -5, -2]) pen.line([-6, y, 6, y], 0.7, '#7a5028')
    },
  },
  airship: {
    paint: pen => {
      const skin = pen.main('#d9c9a4')
      for (const points of [
        [-118, -60, -158, -92, -140, -58],
        [-118, -60, -158, -28, -138, -60],
      ])
        pen.poly(points, shade(skin, -0.2), 3)
      const bag = pen.shape([-146, -60, -110, -86, -50, -99, 30, -100, 100, -88, 146, -62, 104, -38, 30, -26, -50, -27, -110, -36], skin, 8)
      pen.clip(bag, () => {
        for (const y of [-84, -70, -54, -42])
          pen.line([-150, -61 + (y + 61) * 0.2, 0, y, 150, -61 + (y + 61) * 0.2], 1.1, shade(skin, -0.25))
        pen.boxFlat(-30, -110, 8, 100, '#b3392f')
      })
      pen.shape([-44, -22, -38, -6, 0, 0, 40, -6, 50, -22], '#7a5436', 3)
      for (const x of [-28, -10, 8, 26]) pen.window(x, -18, 9, 8, { frame: '#d9b34a', bars: false })
      pen.line([-60, -26, -64, -16], 3, '#5a4030')
    },
    isSided: true,
  },
  spaceship: {
    paint: pen => {
      const hullColour = pen.main('#dfe5ec')
      pen.aura(-104, -48, 40, '#5fc8ff', 0.9)
      pen.shapeFlat([-88, -60, -130, -48, -88, -36], '#bff0ff')
      pen.poly([-70, -62, -100, -98, -64, -94, 0, -66], shade(hullColour, -0.25), 3)
      pen.poly([-70, -34, -104, 0, -62, -4, 6, -32], shade(hullColour, -0.3), 3)
      const body = pen.shape([-96, -48, -80, -66, 0, -74, 70, -66, 118, -46, 70, -28, 0, -24, -80, -32], hullColour, 6)
      pen.clip(body, () => {
        pen.boxFlat(-100, -46, 220, 4, '#d8433a')
        for (const x of [-50, -10]) pen.line([x, -80, x + 6, -20], 1.2, shade(hullColour, -0.3))
      })
      pen.shape([30, -66, 50, -80, 80, -72, 92, -58, 60, -56], '#4a8fc4', 3)
      for (const x of [-62, -42, -22, -2]) pen.window(x, -58, 8, 7, { frame: '#aab4c0', bars: false })
    },
    isSided: true,
  },
  'space-station': {
    paint: pen => {
      const hullColour = pen.main('#e3e7ec')
      for (const x of [-104, -66, 40, 78])
        for (const y of [-98, -42]) {
          pen.box(x - 4, y, 30, 40, '#2f4f94', 1)
          for (let i = 1; i < 4; i++) pen.line([x - 4, y + i * 10, x + 26, y + i * 10], 0.9, '#7f9fd8')
          pen.line([x + 11, y, x + 11, y + 40], 0.9, '#7f9fd8')
        }
      pen.box(-112, -53, 224, 6, '#aab4c0', 2)
      pen.box(-32, -66, 64, 30, hullColour, 10)
      pen.box(-12, -96, 24, 88, shade(hullColour, -0.08), 8)
      for (const [x, y] of pairs([-22, -54, 14, -54, -4, -84, -4, -24])) pen.window(x, y, 8, 8, { frame: '#9aa4b0', bars: false })
      pen.lamp(0, -99, 2, '#ff6a5a')
    },
  },
  biplane: {
    paint: pen => {
      const red = pen.main('#c8302f')
      pen.poly([-96, -56, -122, -96, -100, -92, -74, -60], red, 3)
      pen.shape([-104, -52, -60, -66, 20, -72, 66, -66, 78, -52, 64, -40, 0, -36, -70, -44], red, 5)
      pen.box(-34, -100, 92, 9, shade(red, 0.1), 4)
      pen.box(-30, -38, 84, 9, shade(red, -0.1), 4)
      for (const x of [-18, 44]) pen.line([x, -92, x, -36], 2.4, '#7a5436')
      pen.line([-18, -92, 44, -34], 0.7, '#4a4038')
      pen.oval(-12, -72, 9, 7, '#6b4a34')
      pen.oval(72, -53, 9, 13, '#c3ccd6')
      pen.ovalFlat(86, -53, 4, 36, '#d9d4c877')
      pen.line([16, -32, 22, -12], 3, '#4a4038')
      pen.oval(23, -9, 10, 10, '#25262d')
    },
    isSided: true,
  },
  'paper-plane': {
    paint: pen => {
      const paper = pen.main('#fbfaf6')
      pen.poly([-92, -60, 92, -100, -30, -30], paper, 2)
      pen.polyFlat([-30, -30, 92, -100, -14, 0], shade(paper, -0.24))
      pen.polyFlat([-30, -30, 92, -100, 10, -40, -14, 0], shade(paper, -0.1))
    },
    isSided: true,
  },
  drone: {
    paint: pen => {
      const body = pen.main('#33383f')
      for (const side of [-1, 1]) {
        pen.line([0, -50, side * 88, -74], 7, body)
        pen.box(side * 88 - 5, -84, 10, 18, body, 3)
        pen.ovalFlat(side * 88, -86, 42, 5, '#aab4c088')
        pen.line([side * 20, -40, side * 40, -2], 4, shade(body, 0.2))
      }
      pen.shape([-40, -56, -24, -72, 24, -72, 40, -56, 24, -36, -24, -36], body, 4)
      pen.oval(0, -34, 13, 13, '#5a6068')
      pen.ovalFlat(0, -34, 7, 7, '#8fd0f0')
      pen.lamp(30, -54, 3, '#5af09a')
    },
  },
}
