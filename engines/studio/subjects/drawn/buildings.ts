import { pairs, triples } from '../../pairs.ts'
import { scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'
import { turned } from './tint.ts'

/** Draws the horizontal lines between rows of bricks or planks, `step` units apart, within the
 *  `area`. */
export function courses(pen: Pen, area: { left: number; right: number; top: number; bottom: number }, step: number, colour: string): void {
  for (let y = area.top + step; y < area.bottom; y += step) pen.line([area.left, y, area.right, y], step * 0.07, colour)
}

export function bricks(pen: Pen, area: { left: number; right: number; top: number; bottom: number }, step: number, colour: string): void {
  courses(pen, area, step, colour)
  let row = 0
  for (let y = area.top; y < area.bottom; y += step) {
    for (let x = area.left + (row % 2) * step; x < area.right; x += step * 2)
      pen.line([x, y, x, Math.min(area.bottom, y + step)], step * 0.07, colour)
    row++
  }
}

function door(pen: Pen, x: number, width: number, height: number, colour = '#7a4a2c'): void {
  pen.boxFlat(x - width * 0.12, -height - width * 0.12, width * 1.24, height + width * 0.12, '#efe6d4', width * 0.1)
  pen.box(x, -height, width, height, colour, width * 0.06)
  pen.ovalFlat(x + width * 0.82, -height * 0.46, width * 0.07, width * 0.07, '#e9c65a')
}

function tiles(pen: Pen, points: number[], colour: string, step = 6): void {
  const roof = pen.poly(points, colour, 4)
  pen.clip(roof, () => {
    for (let y = -140; y < 0; y += step) pen.line([-130, y, 130, y], step * 0.14, shade(colour, -0.2))
  })
}

function house(pen: Pen, style: { wall: string; roof: string; beams?: boolean; thatch?: boolean; logs?: boolean }): void {
  const wall = pen.poly([-52, 0, -52, -48, 0, -48, 52, -48, 52, 0], style.wall, 5)
  pen.clip(wall, () => {
    if (style.logs) courses(pen, { left: -60, right: 60, top: -48, bottom: 0 }, 7, shade(style.wall, -0.4))
    pen.boxFlat(-60, -48, 120, 9, '#00000022')
  })
  pen.box(26, -96, 11, 36, '#a8705a')
  pen.boxFlat(24, -99, 15, 5, '#8a5848')
  if (style.thatch) {
    const roof = pen.shape([-64, -42, -52, -70, -28, -92, 0, -97, 28, -92, 52, -70, 64, -42, 30, -49, 0, -51, -30, -49], style.roof, 6)
    pen.clip(roof, () => {
      for (let i = -16; i <= 16; i++) pen.line([i * 2.4, -98, i * 4.4, -40], 0.8, shade(style.roof, -0.22))
    })
  } else tiles(pen, [-64, -44, -42, -90, 42, -90, 64, -44], style.roof)
  if (style.beams) for (const x of [-50, -18, 18, 48]) pen.boxFlat(x, -46, 3, 46, '#6b4a34')
  door(pen, -9, 18, 32)
  pen.window(-42, -34, 17, 17)
  pen.window(25, -34, 17, 17)
  pen.shapeFlat([-60, 0, -56, -9, -44, -10, -34, -7, -30, 0], '#5f9a44')
  pen.shapeFlat([28, 0, 34, -8, 46, -11, 58, -8, 62, 0], '#548c3e')
  for (const [x, y] of pairs([-52, -6, -44, -5, -38, -4, 38, -5, 46, -7, 55, -5])) pen.ovalFlat(x, y, 1.7, 1.7, '#f08fa8')
}

function tower(pen: Pen, colour: string, half: number, roof?: string): void {
  const body = pen.poly([-half, 0, -half * 0.88, -76, half * 0.88, -76, half, 0], colour, 4)
  pen.clip(body, () => bricks(pen, { left: -half, right: half, top: -80, bottom: 0 }, 5, shade(colour, -0.2)))
  pen.box(-half * 1.12, -82, half * 2.24, 8, shade(colour, 0.08))
  if (roof) tiles(pen, [-half * 1.25, -82, 0, -122, half * 1.25, -82], roof)
  else for (let i = -2; i <= 2; i++) pen.box(i * half * 0.48 - half * 0.16, -90, half * 0.32, 9, shade(colour, 0.04))
  pen.window(-half * 0.2, -62, half * 0.4, 10, { frame: shade(colour, -0.3), arched: true, bars: false })
  pen.window(-half * 0.2, -38, half * 0.4, 10, { frame: shade(colour, -0.3), arched: true, bars: false })
  pen.polyFlat(scaled([-0.32, 0, -0.32, -14, -0.2, -19, 0, -21, 0.2, -19, 0.32, -14, 0.32, 0], [half, 1]), '#5a3a26')
}

/** Draws a storey of a pagoda with its upturned roof. */
function pagodaTier(pen: Pen, y: number, half: number, height: number, roof: string): void {
  pen.box(-half * 0.66, y - height, half * 1.32, height, '#b8402f')
  for (const x of [-0.4, -0.08, 0.24]) pen.window(half * x, y - height * 0.72, half * 0.18, height * 0.46, { frame: '#7d2a20' })
  pen.shape(
    scaled(
      [-1.2, -1.08, -0.8, -1.06, -0.5, -1.55, 0.5, -1.55, 0.8, -1.06, 1.2, -1.08, 0.9, -0.9, 0, -0.86, -0.9, -0.9],
      [half, height],
      [0, y],
    ),
    roof,
    2.5,
  )
}

function columns(pen: Pen, from: number, to: number, count: number, top: number, colour: string): void {
  for (let i = 0; i < count; i++) {
    const x = from + ((to - from) * i) / (count - 1)
    pen.box(x - 3, top, 6, -top, colour)
    for (const dx of [-1.4, 0.4]) pen.line([x + dx, top + 2, x + dx, -2], 0.5, shade(colour, -0.2))
    pen.boxFlat(x - 4.4, top - 2.4, 8.8, 3, shade(colour, 0.12))
  }
}

export const buildings: Record<string, Drawing> = {
  windmill: {
    paint: pen => {
      const body = pen.poly([-21, 0, -14, -62, 14, -62, 21, 0], pen.main('#efe6d6'), 5)
      pen.clip(body, () => courses(pen, { left: -24, right: 24, top: -62, bottom: 0 }, 7, '#cfc2ac'))
      pen.shape([-17, -60, -12, -74, 0, -80, 12, -74, 17, -60], '#a8503a', 3)
      pen.polyFlat([-6, 0, -6, -15, 0, -19, 6, -15, 6, 0], '#6b4428')
      pen.window(-4, -46, 8, 9, { arched: true })
      for (let i = 0; i < 4; i++) {
        const angle = 0.42 + (i * Math.PI) / 2
        turned(pen, { x: 0, y: -64, angle: angle }, () => {
          pen.line([0, 0, 0, -50], 2, '#6b4a34')
          pen.polyFlat([1, -12, 11, -13, 11, -49, 1, -49], '#f6efdfee')
          for (let k = 0; k < 6; k++) pen.line([1, -14 - k * 7, 11, -14.5 - k * 7], 0.7, '#8a6a4a')
          pen.line([11, -13, 11, -49], 0.9, '#8a6a4a')
        })
      }
      pen.oval(0, -64, 3.4, 3.4, '#4a3426')
    },
  },
  skyscraper: {
    paint: pen => {
      const colour = pen.main('#5f7f9f')
      pen.box(-16, -100, 32, 100, shade(colour, -0.06))
      pen.boxFlat(6, -100, 10, 100, shade(colour, -0.24))
      for (let row = 0; row < 21; row++)
        for (let column = 0; column < 6; column++)
          pen.window(-14 + column * 3.4 + (column > 3 ? 1.4 : 0), -97 + row * 4.5, 2.4, 2.8, { frame: shade(colour, -0.1), bars: false })
      pen.box(-10, -106, 20, 6, shade(colour, -0.16))
      pen.line([0, -106, 0, -124], 1, '#8a94a0')
      pen.lamp(0, -124, 1, '#ff5a4a')
      pen.boxFlat(-18, -6, 36, 6, shade(colour, -0.4))
    },
  },
  barn: {
    paint: pen => {
      const red = pen.main('#b3392f')
      const wall = pen.poly([-60, 0, -60, -48, -44, -74, 0, -92, 44, -74, 60, -48, 60, 0], red, 6)
      pen.clip(wall, () => {
        for (let x = -58; x < 60; x += 6) pen.line([x, -92, x, 0], 0.6, shade(red, -0.24))
      })
      pen.line([-65, -46, -46, -76, 0, -95, 46, -76, 65, -46], 6, '#6a5a52')
      pen.box(-24, -40, 48, 40, shade(red, -0.12))
      for (const x of [-24, 0]) {
        pen.context.strokeStyle = '#fbf6ec'
        pen.context.lineWidth = 2.4
        pen.context.strokeRect(x + 1, -39, 22, 38)
        pen.line([x + 2, -38, x + 22, -2], 2, '#fbf6ec')
        pen.line([x + 22, -38, x + 2, -2], 2, '#fbf6ec')
      }
      pen.window(-8, -72, 16, 16, { frame: '#fbf6ec' })
    },
  },
  cottage: { paint: pen => house(pen, { wall: pen.main('#f4ead6'), roof: '#c99a55', thatch: true, beams: true }) },
  cabin: { paint: pen => house(pen, { wall: pen.main('#9a6a40'), roof: '#6b4a3a', logs: true }) },
  shed: { paint: pen => house(pen, { wall: pen.main('#8a7a64'), roof: '#5f5a58', logs: true }) },
  lighthouse: {
    paint: pen => {
      const red = pen.main('#d0392f')
      const body = pen.poly([-15, 0, -9, -72, 9, -72, 15, 0], '#f7f4ee', 4)
      pen.clip(body, () => {
        for (const y of [-72, -44, -16]) pen.boxFlat(-16, y, 32, 14, red)
        pen.boxFlat(3, -74, 14, 76, '#1c123a30')
      })
      pen.box(-12, -75, 24, 3.4, '#4a4a55')
      pen.boxFlat(-7, -87, 14, 12, '#cfe6f2')
      pen.lamp(0, -81, 4, '#ffe08a')
      for (const x of [-7, -2.4, 2, 6]) pen.boxFlat(x, -87, 1, 12, '#4a4a55')
      pen.shape([-10, -87, -5, -95, 0, -100, 5, -95, 10, -87], red, 2)
      pen.polyFlat([-4, 0, -4, -9, 0, -12, 4, -9, 4, 0], '#6b4428')
      pen.window(-2, -54, 4, 6, { arched: true, bars: false })
      pen.window(-2, -30, 4, 6, { arched: true, bars: false })
      pen.shape([-32, 0, -26, -8, -12, -6, 4, -7, 22, -9, 32, 0, 0, 4], '#7d7a78', 2)
    },
  },
  tower: { paint: pen => tower(pen, pen.main('#9a958e'), 20, '#a5432f') },
  'clock-tower': {
    paint: pen => {
      const stone = pen.main('#cdb58a')
      const body = pen.box(-12, -70, 24, 70, stone)
      pen.clip(body, () => {
        for (const x of [-8, -3, 2, 7]) pen.line([x, -70, x, 0], 0.6, shade(stone, -0.2))
      })
      pen.box(-14, -90, 28, 21, shade(stone, 0.06))
      pen.oval(0, -79.5, 8.6, 8.6, '#fbf7ea')
      pen.ring(0, -79.5, 8.6, 8.6, 1, '#4a4038')
      pen.line([0, -79.5, 0, -86], 0.9, '#2a2422')
      pen.line([0, -79.5, 4.6, -77.6], 0.9, '#2a2422')
      pen.poly([-14, -90, 0, -116, 14, -90], '#5a6b60', 3)
      pen.line([0, -114, 0, -122], 0.8, '#c9a84a')
      for (const y of [-60, -46, -32, -18]) pen.window(-2.4, y, 4.8, 8, { frame: shade(stone, -0.24), arched: true, bars: false })
    },
  },
  pagoda: {
    paint: pen => {
      const roof = pen.main('#3f5f5a')
      pen.box(-27, -5, 54, 5, '#b8ada0')
      for (const [y, half, height] of triples([-5, 27, 15, -27, 23, 12.6, -45, 19, 11, -61, 15.6, 9.4, -75, 12.4, 8]))
        pagodaTier(pen, y, half, height, roof)
      pen.line([0, -86, 0, -104], 1.6, '#e0b34a')
      for (const y of [-90, -94, -98]) pen.ovalFlat(0, y, 2.4 - (-y - 90) * 0.15, 1, '#e0b34a')
    },
  },
  'chinese-pavilion': {
    paint: pen => {
      pen.box(-56, -8, 112, 8, '#b8ada0')
      for (const x of [-44, -16, 12, 40]) pen.box(x, -56, 5, 48, '#b8402f')
      pen.boxFlat(-48, -18, 96, 3, '#b8402f')
      pen.boxFlat(-50, -58, 100, 7, '#2f6b6a')
      pen.shape(
        [-72, -60, -50, -60, -22, -78, -5, -98, 5, -98, 22, -78, 50, -60, 72, -60, 54, -52, 0, -50, -54, -52],
        pen.main('#d9a03a'),
        4,
      )
      pen.ovalFlat(0, -99, 3.6, 4, '#c98a2a')
    },
    anchors: { opening: { x: 0, y: -10, width: 70 } },
  },
  temple: {
    paint: pen => {
      pen.box(-90, -12, 180, 12, '#cfc5b6')
      for (let i = 0; i < 4; i++) pen.boxFlat(-24, -12 + i * 3, 48, 1.4, '#a89d8c')
      pen.box(-70, -48, 140, 36, '#b8402f')
      for (let i = 0; i < 7; i++) pen.box(-70 + i * 22, -50, 5, 38, '#8f2f24')
      pen.boxFlat(-14, -40, 28, 28, '#5a2a1e')
      for (const x of [-52, -31, 24, 45]) pen.window(x - 1, -40, 13, 16, { frame: '#d9a03a' })
      pen.shape([-100, -50, -74, -52, -54, -66, 54, -66, 74, -52, 100, -50, 80, -44, 0, -42, -80, -44], pen.main('#3f5f5a'), 4)
      pen.box(-44, -76, 88, 11, '#b8402f')
      pen.shape([-72, -76, -50, -78, -30, -96, 30, -96, 50, -78, 72, -76, 56, -71, 0, -70, -56, -71], pen.main('#3f5f5a'), 4)
      pen.boxFlat(-30, -99, 60, 4, '#d9a03a')
    },
  },
  'greek-temple': {
    paint: pen => {
      const stone = pen.main('#e9e2d2')
      for (let i = 0; i < 3; i++) pen.box(-92 + i * 4, -4 * (i + 1), 184 - i * 8, 4, shade(stone, -0.05 * i))
      pen.boxFlat(-72, -62, 144, 50, shade(stone, -0.34))
      pen.context.save()
      pen.context.translate(0, -12)
      columns(pen, -74, 74, 8, -48, stone)
      pen.context.restore()
      pen.box(-82, -70, 164, 8, stone)
      pen.poly([-86, -70, 0, -100, 86, -70], shade(stone, 0.06), 4)
      pen.polyFlat([-62, -73, 0, -94, 62, -73], shade(stone, -0.16))
    },
  },
  cathedral: {
    paint: pen => {
      const stone = pen.main('#c2b8a6')
      pen.poly([-26, 0, -26, -56, 0, -78, 26, -56, 26, 0], stone, 4)
      for (const side of [-1, 1]) {
        pen.box(side * 32 - 12, -72, 24, 72, shade(stone, 0.04))
        pen.poly([side * 32 - 13, -72, side * 32, -112, side * 32 + 13, -72], '#5f6b78', 3)
        pen.line([side * 32, -112, side * 32, -119], 1, '#c9a84a')
        for (const y of [-56, -30]) pen.window(side * 32 - 4, y, 8, 14, { frame: shade(stone, -0.24), arched: true })
      }
      pen.oval(0, -48, 10, 10, shade(stone, -0.24))
      for (let i = 0; i < 8; i++)
        pen.ovalFlat(
          Math.cos(i * 0.785) * 5.6,
          -48 + Math.sin(i * 0.785) * 5.6,
          2.2,
          2.2,
          ['#c8434a', '#3f7fc4', '#e0b03a', '#4a9a6a'][i % 4] ?? '#c8434a',
        )
      pen.polyFlat([-9, 0, -9, -18, 0, -29, 9, -18, 9, 0], '#5a3a26')
      pen.line([-9, 0, -9, -18, 0, -29, 9, -18, 9, 0], 1.6, shade(stone, -0.3))
    },
  },
  igloo: {
    paint: pen => {
      const ice = pen.main('#eaf4fb')
      const dome = pen.shape([-80, 0, -76, -44, -48, -84, 0, -98, 44, -86, 70, -50, 76, 0], ice, 8)
      pen.clip(dome, () => {
        for (const y of [-22, -44, -66, -84]) pen.line([-90, y + 6, 0, y - 4, 90, y + 6], 1.4, '#b9d3e4')
        for (let i = -5; i <= 5; i++) pen.line([i * 17, 2, i * 14, -50, i * 5, -100], 1, '#c9deec')
      })
      pen.shape([18, 0, 20, -34, 46, -46, 72, -34, 78, 0], shade(ice, 0.3), 5)
      pen.shapeFlat([28, 0, 30, -24, 48, -34, 64, -24, 68, 0], '#3f5a74')
    },
  },
  treehouse: {
    paint: pen => {
      pen.shape([-12, 0, -8, -40, -12, -70, 10, -70, 8, -40, 14, 0], '#6b4a34', 4)
      for (const [x, y, r] of triples([-34, -78, 24, 0, -92, 30, 34, -78, 24, -16, -64, 18, 22, -62, 18]))
        pen.oval(x, y, r, r * 0.86, '#5f9a3e')
      pen.box(-30, -46, 60, 5, '#8a6038')
      pen.box(-23, -72, 46, 27, pen.main('#b9824a'))
      pen.poly([-30, -70, 0, -92, 30, -70], '#8f3f30', 3)
      pen.window(-16, -64, 10, 10)
      pen.box(6, -66, 11, 21, '#6b4428')
      for (const x of [20, 27]) pen.line([x, -42, x + 3, 0], 1.4, '#8a6038')
      for (let i = 0; i < 6; i++) pen.line([20 + i * 0.5, -38 + i * 7, 28 + i * 0.5, -38 + i * 7], 1.3, '#8a6038')
    },
  },
  greenhouse: {
    paint: pen => {
      const frame = pen.main('#f4f1ea')
      for (const x of [-70, -44, -10, 26, 56]) pen.shape([x, -4, x - 6, -22, x + 6, -34, x + 16, -20, x + 10, -4], '#5f9a44', 3)
      pen.polyFlat([-90, 0, -90, -56, -62, -96, 62, -96, 90, -56, 90, 0], '#cfe9ee88')
      for (let i = 0; i <= 8; i++) pen.line([-90 + i * 22.5, 0, -90 + i * 22.5, -56, -62 + i * 15.5, -96], 2, frame)
      for (const y of [0, -28, -56]) pen.line([-90, y, 90, y], 2.4, frame)
      pen.line([-62, -96, 62, -96], 3, frame)
      pen.lamp(0, -70, 2)
    },
  },
  teepee: {
    paint: pen => {
      for (const [x, y] of pairs([-8, -104, 0, -108, 8, -104])) pen.line([x, y, -x * 0.4, -86], 1.8, '#7a5436')
      const cloth = pen.poly([-44, 0, -3, -94, 3, -94, 44, 0], pen.main('#ecdcb8'), 5)
      pen.clip(cloth, () => {
        pen.boxFlat(-60, -12, 120, 6, '#b8472f')
        for (let i = -4; i <= 4; i++) pen.polyFlat([i * 10 - 5, -13, i * 10, -22, i * 10 + 5, -13], '#3f6f7a')
        pen.boxFlat(-40, -66, 80, 4, '#b8472f')
      })
      pen.polyFlat([-11, 0, 0, -46, 11, 0], '#5a4030')
      pen.polyFlat([11, 0, 0, -46, 19, -4], '#f6ead0')
    },
  },
}
