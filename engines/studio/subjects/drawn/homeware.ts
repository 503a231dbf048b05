import { pairs } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** Draws a bin on the kerb: tapered, with a lid and wheels. */
function bin(pen: Pen, colour: string): void {
  for (const x of [-26, 18]) pen.oval(x + 4, -6, 7, 7, '#26282e')
  pen.poly([-36, -84, 36, -84, 28, -4, -28, -4], colour, 5)
  pen.box(-41, -94, 82, 12, shade(colour, -0.16), 5)
  pen.box(-14, -101, 28, 8, shade(colour, -0.26), 3)
  for (const x of [-16, 0, 16]) pen.line([x * 1.05, -76, x * 0.9, -12], 1.6, shade(colour, -0.2))
}

/** Draws the recycling symbol: three white arrows in a ring. */
function recycleMark(pen: Pen, y: number): void {
  for (let i = 0; i < 3; i++) {
    const turn = (i * Math.PI * 2) / 3 - 0.5
    const at = (angle: number, radius: number) => [Math.cos(angle) * radius, y + Math.sin(angle) * radius] as const
    pen.line([...at(turn, 13), ...at(turn + 0.7, 14), ...at(turn + 1.3, 13)], 4.4, '#ffffff')
    const [a, b, c] = [at(turn + 1.85, 13.5), at(turn + 1.25, 20), at(turn + 1.25, 7)]
    pen.polyFlat([...a, ...b, ...c], '#ffffff')
  }
}

export const homeware: Record<string, Drawing> = {
  'trash-can': { paint: pen => bin(pen, pen.main('#6a727c')), anchors: { opening: { x: 0, y: -92, width: 60 } } },
  'recycling-bin': {
    paint: pen => {
      bin(pen, pen.main('#2f7fc4'))
      recycleMark(pen, -46)
    },
    anchors: { opening: { x: 0, y: -92, width: 60 } },
  },
  'compost-bin': {
    paint: pen => {
      bin(pen, pen.main('#4f9a44'))
      pen.shape([-14, -40, -12, -58, 8, -64, 16, -62, 14, -44, 0, -34], '#ffffff', 1)
      pen.line([-16, -32, -2, -46, 12, -60], 2, '#4f9a44')
    },
    anchors: { opening: { x: 0, y: -92, width: 60 } },
  },
  dumpster: {
    paint: pen => {
      const green = pen.main('#3f7a52')
      for (const x of [-66, 58]) pen.oval(x, -6, 8, 6, '#26282e')
      pen.poly([-92, -78, 92, -78, 80, -8, -80, -8], green, 6)
      pen.poly([-94, -78, -86, -98, 0, -100, 0, -78], '#3a3c46', 2)
      pen.poly([0, -78, 0, -100, 86, -98, 94, -78], '#474a55', 2)
      for (const x of [-50, 0, 50]) pen.line([x, -70, x * 0.92, -12], 2.4, shade(green, -0.24))
    },
  },
  'garbage-bag': {
    paint: pen => {
      const black = pen.main('#33353f')
      pen.shape([-40, -4, -52, -36, -34, -70, -8, -82, 8, -82, 34, -70, 52, -36, 40, -4, 0, 0], black, 7)
      pen.shape([-6, -80, -22, -100, -4, -94, 8, -101, 20, -92, 6, -80], shade(black, 0.12), 2)
      for (const points of [
        [-18, -66, -30, -40],
        [12, -70, 20, -34],
      ])
        pen.line(points, 2.6, shade(black, 0.3))
    },
  },
  'ceiling-fan': {
    paint: pen => {
      const wood = pen.main('#8f5f36')
      pen.box(-14, -100, 28, 8, '#c9a24a', 3)
      pen.box(-3, -94, 6, 32, '#c9a24a')
      for (const [tip, drop] of pairs([-170, -52, -70, -70, 170, -52, 70, -70]))
        pen.poly([Math.sign(tip) * 14, -58, tip, drop - 5, tip * 1.02, drop + 8, Math.sign(tip) * 14, -48], wood, 2)
      pen.poly([-8, -46, 8, -46, 24, -14, -24, -14], wood, 2)
      pen.oval(0, -54, 24, 10, '#d9b25a')
      pen.lamp(0, -38, 13)
    },
  },
  fan: {
    paint: pen => {
      const body = pen.main('#5f9ac0')
      pen.oval(0, -5, 28, 6, body)
      pen.box(-4, -38, 8, 34, body)
      for (let i = 0; i < 3; i++)
        pen.oval(Math.cos(i * 2.094 - 0.5) * 15, -64 + Math.sin(i * 2.094 - 0.5) * 15, 15, 9, shade(body, 0.3), i * 2.094 - 0.5)
      pen.oval(0, -64, 6, 6, '#4a4f5a')
      for (let i = 0; i < 12; i++) pen.line([0, -64, Math.cos(i * 0.524) * 35, -64 + Math.sin(i * 0.524) * 35], 0.9, '#8d97a6')
      pen.ring(0, -64, 35, 35, 3, '#6a7482')
      pen.ring(0, -64, 20, 20, 1, '#8d97a6')
    },
  },
  candelabra: {
    paint: pen => {
      const brass = pen.main('#d0a040')
      pen.poly([-22, 0, 22, 0, 12, -7, -12, -7], brass, 2)
      pen.box(-3, -66, 6, 60, brass, 2)
      for (const side of [-1, 1]) pen.line([0, -34, side * 22, -30, side * 32, -46, side * 32, -56], 4.4, brass)
      for (const [x, y] of pairs([-32, -58, 0, -68, 32, -58])) {
        pen.box(x - 8, y, 16, 4, brass, 2)
        pen.box(x - 4, y - 20, 8, 20, '#f6f0e0')
        pen.shape([x - 4, y - 22, x, y - 33, x + 4, y - 22, x, y - 19], '#ffb03a', 1)
        pen.aura(x, y - 25, 24, '#ffcf6a', 0.5)
      }
    },
    isLuminous: true,
  },
  'flower-pot': {
    paint: pen => {
      const clay = pen.main('#bf6a44')
      pen.poly([-36, -76, 36, -76, 26, 0, -26, 0], clay, 6)
      pen.box(-43, -100, 86, 26, shade(clay, 0.06), 3)
      pen.ovalFlat(0, -99, 40, 6, '#4a3020')
    },
    anchors: { opening: { x: 0, y: -98, width: 64 } },
  },
  'fish-tank': {
    paint: pen => {
      pen.boxFlat(-84, -96, 168, 90, pen.main('#9fd4ec'), 3)
      pen.shapeFlat([-84, -6, -84, -18, -40, -24, 10, -16, 50, -22, 84, -16, 84, -6], '#dcbf85')
      for (const [x, h] of pairs([-60, 40, -50, 54, 58, 48, 68, 32])) pen.line([x, -18, x + 5, -18 - h * 0.5, x - 2, -18 - h], 4, '#3f8a52')
      for (const [x, y, colour] of [
        [-14, -62, '#f08a24'],
        [28, -44, '#f2c230'],
        [-30, -38, '#e0566b'],
      ] as const) {
        pen.oval(x, y, 12, 7, colour)
        pen.polyFlat([x - 10, y, x - 20, y - 7, x - 20, y + 7], colour)
        pen.ovalFlat(x + 6, y - 1.6, 1.6, 1.8, '#22161a')
      }
      for (const [x, y] of pairs([4, -78, 8, -86, 40, -66])) pen.ring(x, y, 2.6, 2.6, 1, '#ffffff')
      pen.line([-76, -84, -76, -24], 4, '#ffffff70')
      for (const y of [-100, -7]) pen.box(-88, y, 176, 8, '#3a3c46', 3)
      for (const x of [-86, 84]) pen.line([x, -96, x, -4], 3, '#6a7482')
    },
  },
  'vacuum-cleaner': {
    paint: pen => {
      const red = pen.main('#d8433a')
      pen.line([16, -22, 44, -64, 62, -94, 54, -100], 5, '#6a7482')
      pen.poly([4, -12, 26, -12, 60, -80, 46, -88], red, 4)
      pen.oval(34, -38, 13, 20, shade(red, -0.2), 0.5)
      pen.box(-26, -14, 58, 14, '#3a3c46', 6)
      pen.boxFlat(-22, -5, 50, 3, '#aab4c0')
    },
    isSided: true,
  },
  iron: {
    paint: pen => {
      const body = pen.main('#3f8fc4')
      pen.context.lineWidth = 11
      pen.context.strokeStyle = '#33363f'
      pen.context.beginPath()
      pen.context.moveTo(-50, -46)
      pen.context.quadraticCurveTo(-40, -94, 20, -86)
      pen.context.quadraticCurveTo(46, -80, 42, -52)
      pen.context.stroke()
      pen.shape([-76, -12, -70, -44, -10, -54, 50, -44, 92, -12], body, 6)
      pen.poly([-80, -12, 98, -12, 100, 0, -80, 0], '#b9c3ce', 2)
    },
    isSided: true,
  },
  mop: {
    paint: pen => {
      pen.box(-1.8, -100, 3.6, 74, pen.main('#c9985c'), 1.6)
      pen.box(-9, -30, 18, 7, '#3f7fc4', 3)
      for (let i = -5; i <= 5; i++)
        pen.line([i * 1.5, -24, i * 3, -12, i * 3.6, -1 - Math.abs(i % 2) * 2], 3, i % 2 ? '#e9e6dc' : '#d3cfc2')
    },
  },
  doorknob: {
    paint: pen => {
      const brass = pen.main('#d9ab4a')
      pen.box(-30, -100, 60, 100, shade(brass, -0.14), 9)
      pen.oval(0, -58, 26, 26, brass)
      pen.ovalFlat(-8, -67, 9, 7, shade(brass, 0.55))
      pen.ovalFlat(0, -20, 4.4, 4.4, '#3a2a1c')
      pen.polyFlat([-2.4, -19, 2.4, -19, 4, -8, -4, -8], '#3a2a1c')
    },
  },
  'door-knocker': {
    paint: pen => {
      const brass = pen.main('#c99a3e')
      for (let i = 0; i < 12; i++) pen.oval(Math.cos(i * 0.524) * 30, -66 + Math.sin(i * 0.524) * 29, 11, 11, shade(brass, -0.24))
      pen.oval(0, -66, 28, 28, brass)
      for (const side of [-1, 1]) {
        pen.oval(side * 17, -90, 7, 7, brass)
        pen.ovalFlat(side * 10, -73, 3.6, 4.4, '#3a2a1c')
        pen.line([side * 5, -79, side * 15, -82], 2.4, shade(brass, -0.45))
      }
      pen.poly([-6, -66, 6, -66, 0, -58], shade(brass, -0.4), 1)
      pen.ring(0, -28, 25, 26, 9, shade(brass, -0.1))
      pen.ring(-1, -29, 24, 25, 3, shade(brass, 0.4))
      pen.oval(0, -54, 14, 7, brass)
    },
  },
  'light-switch': {
    paint: pen => {
      pen.box(-34, -100, 68, 100, pen.main('#f4f2ec'), 7)
      pen.box(-15, -74, 30, 48, '#e0ddd4', 4)
      pen.box(-12, -72, 24, 22, '#fbfaf6', 3)
      for (const y of [-88, -12]) pen.oval(0, y, 3, 3, '#b3afa4')
    },
  },
  outlet: {
    paint: pen => {
      pen.box(-34, -100, 68, 100, pen.main('#f4f2ec'), 7)
      for (const y of [-72, -28]) {
        pen.box(-20, y - 18, 40, 36, '#e0ddd4', 14)
        for (const x of [-8, 8]) pen.boxFlat(x - 2, y - 10, 4, 12, '#33363f')
        pen.ovalFlat(0, y + 9, 3.4, 3.4, '#33363f')
      }
    },
  },
  hanger: {
    paint: pen => {
      pen.line([0, -66, 0, -76, 9, -82, 8, -94, -4, -97, -8, -88], 4, '#8d97a6')
      pen.poly([0, -68, 92, -14, 88, 0, -88, 0, -92, -14], pen.main('#b58a58'), 3)
      pen.context.globalCompositeOperation = 'destination-out'
      pen.polyFlat([0, -54, 74, -11, -74, -11], '#000000')
      pen.context.globalCompositeOperation = 'source-over'
    },
  },
  'fire-pit': {
    paint: pen => {
      pen.aura(0, -60, 90, '#ff9a3a', 0.6)
      pen.ovalFlat(0, -24, 78, 16, '#2a2420')
      for (const [points, colour] of [
        [[-44, -24, -52, -54, -34, -70, -30, -88, -10, -66, 0, -101, 16, -70, 32, -82, 36, -60, 50, -50, 42, -24], '#e8641e'],
        [[-28, -24, -32, -46, -16, -60, -4, -80, 8, -56, 22, -62, 30, -40, 26, -24], '#f7a62c'],
        [[-14, -24, -14, -40, 0, -56, 12, -40, 12, -24], '#ffe27a'],
      ] as const)
        pen.shapeFlat([...points], colour)
      for (const turn of [-1, 1]) pen.line([turn * 46, -20, -turn * 30, -34], 9, '#6a4428')
      const stone = pen.main('#8f8b86')
      for (let i = 0; i < 7; i++) pen.oval(-78 + i * 26, -12 + Math.abs(i - 3) * -2.4, 16, 12, shade(stone, (i % 3) * 0.1 - 0.1))
    },
    isLuminous: true,
  },
  lantern: {
    paint: pen => {
      const metal = pen.main('#4a4038')
      pen.ring(0, -90, 14, 11, 3, metal)
      pen.poly([-22, -70, 0, -88, 22, -70], metal, 2)
      pen.boxFlat(-20, -70, 40, 56, '#ffe9a8')
      pen.shape([-7, -22, 0, -46, 7, -22, 0, -16], '#ff9a2a', 1)
      for (const x of [-20, 0, 18]) pen.boxFlat(x - (x === 0 ? 1 : 0), -70, 2.4, 56, metal)
      pen.box(-26, -14, 52, 14, metal, 2)
      pen.aura(0, -42, 50, '#ffcf6a', 0.5)
    },
    isLuminous: true,
  },
  torch: {
    paint: pen => {
      pen.poly([-5, 0, 5, 0, 8, -58, -8, -58], pen.main('#8a5a32'), 2)
      pen.box(-11, -64, 22, 10, '#5a4630', 3)
      for (const [points, colour] of [
        [[-14, -60, -18, -76, -6, -84, 0, -101, 8, -84, 18, -76, 14, -60], '#e8641e'],
        [[-8, -60, -9, -72, 0, -86, 9, -72, 8, -60], '#ffce4a'],
      ] as const)
        pen.shapeFlat([...points], colour)
      pen.aura(0, -76, 46, '#ff9a3a', 0.6)
    },
    isLuminous: true,
  },
  'pocket-watch': {
    paint: pen => {
      const gold = pen.main('#e0b040')
      pen.line([0, -92, 30, -101, 56, -88, 74, -98], 2.4, gold)
      pen.ring(0, -84, 7, 8, 3, gold)
      pen.oval(0, -38, 39, 38, gold)
      pen.oval(0, -38, 31, 30, '#fbf6e8')
      for (let i = 0; i < 12; i++) pen.ovalFlat(Math.sin(i * 0.524) * 25, -38 - Math.cos(i * 0.524) * 25, 1.7, 1.7, '#33241c')
      pen.line([0, -38, 0, -58], 2, '#33241c')
      pen.line([0, -38, 13, -32], 2.6, '#33241c')
    },
  },
  'wall-clock': {
    paint: pen => {
      pen.oval(0, -50, 50, 50, pen.main('#3a4a5e'))
      pen.oval(0, -50, 43, 43, '#fbfaf6')
      for (let i = 0; i < 12; i++)
        pen.line(
          [Math.sin(i * 0.524) * 35, -50 - Math.cos(i * 0.524) * 35, Math.sin(i * 0.524) * 39, -50 - Math.cos(i * 0.524) * 39],
          2.4,
          '#33241c',
        )
      pen.line([0, -50, -15, -68], 4, '#33241c')
      pen.line([0, -50, 20, -74], 2.8, '#33241c')
      pen.oval(0, -50, 3.4, 3.4, '#d8342b')
    },
  },
  'clock-face': {
    paint: pen => {
      pen.oval(0, -50, 50, 50, pen.main('#3a4a5e'))
      pen.oval(0, -50, 43, 43, '#fbfaf6')
      for (let i = 0; i < 12; i++)
        pen.line(
          [Math.sin(i * 0.524) * 34, -50 - Math.cos(i * 0.524) * 34, Math.sin(i * 0.524) * 39, -50 - Math.cos(i * 0.524) * 39],
          i % 3 ? 2 : 3.6,
          '#33241c',
        )
      pen.oval(0, -50, 2.4, 2.4, '#33241c')
    },
  },
  bust: {
    paint: pen => {
      const stone = pen.main('#d9d5cc')
      pen.box(-24, -10, 48, 10, shade(stone, -0.12), 2)
      pen.box(-11, -20, 22, 12, shade(stone, -0.06))
      pen.shape([-46, -20, -40, -42, -16, -50, -11, -60, 11, -60, 16, -50, 40, -42, 46, -20, 0, -14], stone, 6)
      pen.shape([-22, -74, -18, -96, 0, -101, 18, -96, 22, -74, 12, -56, 0, -52, -12, -56], stone, 5)
      for (let i = 0; i < 9; i++) pen.oval(-22 + i * 5.5, -92 + Math.abs(i - 4) * 2.6, 6.4, 6, shade(stone, (i % 2) * -0.1))
      for (const x of [-9, 9]) {
        pen.line([x - 5, -81, x + 5, -81], 2, shade(stone, -0.32))
        pen.ovalFlat(x, -77, 4, 2, shade(stone, -0.2))
      }
      pen.line([0, -80, -3, -69, 2, -68], 2, shade(stone, -0.28))
      pen.line([-6, -61, 6, -61], 2, shade(stone, -0.34))
      pen.line([-14, -44, 0, -34, 14, -44], 2, shade(stone, -0.2))
    },
  },
}
