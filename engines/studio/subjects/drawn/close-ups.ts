import { shade } from '../colour.ts'
import type { Drawing, Pen } from './pen.ts'

/** Draws a close-up of an eye. `isSlit` is true for the vertical pupil of a cat, a snake or a
 *  dragon. */
function eye(pen: Pen, { iris, isSlit, skin }: { iris: string; isSlit: boolean; skin: string }): void {
  pen.shape([-112, -50, -70, -96, 0, -112, 70, -96, 112, -50, 70, -8, 0, 6, -70, -8], skin, 5)
  const white = pen.shape([-96, -50, -56, -84, 0, -94, 56, -84, 96, -50, 56, -20, 0, -10, -56, -20], isSlit ? iris : '#fdfcfa', 4)
  pen.clip(white, () => {
    pen.ovalFlat(0, -52, isSlit ? 74 : 41, isSlit ? 60 : 41, shade(iris, -0.3))
    pen.ovalFlat(0, -52, isSlit ? 68 : 37, isSlit ? 54 : 37, iris)
    for (let i = 0; i < 28; i++) {
      const turn = (i / 28) * Math.PI * 2
      const [near, far] = isSlit ? [22, 62] : [17, 34]
      pen.line(
        [Math.cos(turn) * near, -52 + Math.sin(turn) * near, Math.cos(turn) * far, -52 + Math.sin(turn) * far],
        1.4,
        shade(iris, i % 2 ? -0.14 : 0.18),
      )
    }
    if (isSlit) pen.shapeFlat([0, -96, 10, -70, 12, -52, 10, -34, 0, -8, -10, -34, -12, -52, -10, -70], '#15120f')
    else pen.ovalFlat(0, -52, 17, 17, '#15120f')
    pen.ovalFlat(-15, -69, 10, 8, 'rgba(255,255,255,0.9)')
    pen.ovalFlat(16, -38, 4.5, 4, 'rgba(255,255,255,0.55)')
    pen.shapeFlat([-110, -50, -56, -92, 0, -102, 56, -92, 110, -50, 56, -74, 0, -84, -56, -74], 'rgba(40,20,10,0.22)')
  })
  pen.line([-100, -48, -58, -85, 0, -96, 58, -85, 100, -48], 5.5, isSlit ? '#2a1d14' : '#33221c')
  if (isSlit) return
  for (let i = -5; i <= 5; i++) {
    const y = -96 + Math.abs(i) ** 1.9 * 1.25
    pen.line([i * 15, y, i * 19, y - 15, i * 22, y - 19], 3.2, '#33221c')
  }
  pen.line([-74, -112, -40, -128, 10, -132, 66, -120, 88, -106], 8, '#4a3024')
}

/** Draws a closed fist with its forearm and sleeve. A thing that the fist holds is drawn before the
 *  fist, so that the fingers cover it. */
function fist(pen: Pen, skin: string): void {
  const dark = shade(skin, -0.16)
  pen.shape([-17, -8, -18, -30, -24, -46, 24, -46, 18, -30, 17, -8], skin, 4)
  pen.shape([-34, -52, -36, -78, -24, -92, 24, -92, 36, -78, 34, -52, 22, -40, -22, -40], skin, 6)
  for (const [index, x] of [-34, -16.5, 1, 18.5].entries()) {
    const top = index === 0 || index === 3 ? -93 : -98
    pen.box(x, top, 16, 44, skin, 8)
    pen.line([x + 3.5, top + 17, x + 8, top + 19, x + 12.5, top + 17], 1.4, dark)
  }
  pen.shape([-38, -50, -40, -64, -30, -70, 4, -62, 14, -54, 10, -46, -4, -46, -24, -42], skin, 5)
  pen.ovalFlat(6, -54, 5.4, 4, shade(skin, 0.32), 0.3)
  pen.box(-24, -24, 48, 25, '#4a6fa5', 4)
  pen.boxFlat(-24, -24, 48, 5, '#3b5a88', 2)
}

/** Draws a portrait of a woman with folded hands in front of hazy hills, in a gilded frame. */
function giocondaPanel(pen: Pen): void {
  pen.box(-40, -100, 80, 100, '#b98a35', 3)
  pen.box(-36, -96, 72, 92, '#8a6424', 2)
  const panel = pen.box(-32, -92, 64, 84, '#93a07a', 1)
  pen.clip(panel, () => {
    pen.boxFlat(-32, -92, 64, 84, pen.down(-92, -8, ['#a9b08c', '#8f9a72', '#6f6a44']))
    pen.shapeFlat([-32, -52, -24, -66, -16, -56, -8, -60, -4, -44, -32, -40], '#6f8272')
    pen.shapeFlat([8, -48, 16, -64, 24, -70, 32, -60, 32, -40, 8, -40], '#7a8a70')
    pen.line([-32, -42, -20, -38, -26, -32, -14, -28], 2.4, '#b9a876')
    pen.shapeFlat([-30, -4, -28, -32, -18, -42, -8, -45, 8, -45, 18, -42, 28, -32, 30, -4], '#3f3d2a')
    pen.shapeFlat([-10, -44, 0, -34, 10, -44, 8, -52, -8, -52], '#d8b98a')
    pen.shapeFlat([-16, -44, -17, -66, -10, -80, 0, -83, 10, -80, 17, -66, 16, -44, 10, -40, 9, -66, -9, -66, -10, -40], '#3a2618')
    pen.ovalFlat(0, -64, 10.5, 14, '#e0c193')
    pen.shapeFlat([-11, -62, -11, -76, 0, -80, 11, -76, 11, -62, 7, -72, 0, -75, -7, -72], '#3a2618')
    for (const x of [-4.2, 4.2]) {
      pen.ovalFlat(x, -66, 1.9, 1.1, '#fbf3e2')
      pen.ovalFlat(x + 0.3, -66, 1, 1.1, '#3a2618')
      pen.line([x - 2.4, -68, x, -68.8, x + 2.4, -68], 0.7, '#9a7450')
    }
    pen.line([0.4, -64, -0.6, -60, 1, -59.4], 0.7, '#b8905f')
    pen.line([-3.6, -55.6, 0, -55, 4, -56.4], 1, '#a35b48')
    pen.shapeFlat([-26, -8, -22, -22, -6, -20, 12, -18, 22, -22, 26, -8], '#55502f')
    pen.ovalFlat(-4, -17, 9, 4.4, '#d8b98a', 0.2)
    pen.ovalFlat(6, -15, 9, 4, '#e0c193', -0.15)
  })
}

/** Draws a sheet of paper held by tape at its upper corners. */
function posterSheet(pen: Pen, paper: string): void {
  pen.box(-37, -100, 74, 100, paper, 1)
  for (const side of [-1, 1]) pen.polyFlat([side * 40, -97, side * 32, -104, side * 27, -99, side * 35, -92], 'rgba(240,232,200,0.85)')
}

/** Returns the point, as `[x, y]`, at which a ray from the middle of the poster meets the edge of
 *  its picture. `turn` is the direction of the ray in radians, clockwise from the right. */
function rayTo(turn: number): number[] {
  const [x, y] = [Math.cos(turn), Math.sin(turn)]
  const reach = Math.min(35 / Math.max(1e-6, Math.abs(x)), (y < 0 ? 44 : 34) / Math.max(1e-6, Math.abs(y)))
  return [x * reach, -54 + y * reach]
}

/** Drawings of close-ups (an eye, a hand), a framed portrait, posters, a neon sign, a hot dog
 *  and a hanging lamp. */
export const closeUps: Record<string, Drawing> = {
  'human-eye': { paint: pen => eye(pen, { iris: pen.main('#5f8f4a'), isSlit: false, skin: '#e3b493' }) },
  'cat-eye': { paint: pen => eye(pen, { iris: pen.main('#d9a92c'), isSlit: true, skin: '#5b4632' }) },
  'closed-hand': { paint: pen => fist(pen, '#dba582'), anchors: { hand: { x: 0, y: -96 } } },
  'mona-lisa': { paint: giocondaPanel },
  poster: {
    paint: pen => {
      const paper = pen.main('#c8402f')
      posterSheet(pen, paper)
      for (let i = 0; i < 12; i++) {
        const [a, b] = [(i / 12) * Math.PI * 2, ((i + 0.5) / 12) * Math.PI * 2]
        const sheet = rayTo(a).concat(rayTo(b))
        pen.polyFlat([0, -54, ...sheet], shade(paper, 0.22))
      }
      const star = Array.from({ length: 10 }, (_, i) => {
        const turn = (i / 10) * Math.PI * 2 - Math.PI / 2
        const reach = i % 2 ? 8 : 20
        return [Math.cos(turn) * reach, -54 + Math.sin(turn) * reach]
      }).flat()
      pen.polyFlat(star, '#f6e7c1')
      pen.boxFlat(-26, -17, 52, 5, '#f6e7c1')
      pen.boxFlat(-18, -10, 36, 3, '#f6e7c1')
    },
    anchors: { panel: { x: 0, y: -50, width: 62, height: 86 } },
  },
  'blank-poster': {
    paint: pen => posterSheet(pen, pen.main('#f6ecd4')),
    anchors: { panel: { x: 0, y: -50, width: 62, height: 86 } },
  },
  'neon-sign': {
    paint: pen => {
      const tube = pen.main('#ff4fa3')
      pen.line([-60, -100, -60, -84], 3, '#2a2a33')
      pen.line([60, -100, 60, -84], 3, '#2a2a33')
      pen.box(-100, -86, 200, 86, '#1d1b2b', 10)
      pen.glow(0, -43, 110, tube, 0.4)
      pen.context.lineWidth = 5
      pen.context.lineJoin = 'round'
      pen.context.strokeStyle = tube
      pen.context.strokeRect(-88, -74, 176, 62)
      pen.context.lineWidth = 1.6
      pen.context.strokeStyle = '#fff3fb'
      pen.context.strokeRect(-88, -74, 176, 62)
      pen.aura(0, -43, 150, tube, 0.55)
    },
    anchors: { panel: { x: 0, y: -43, width: 156, height: 46 } },
    isLuminous: true,
  },
  'hot-dog': {
    paint: pen => {
      const bun = pen.main('#e0a04c')
      pen.shape([-98, -26, -104, -52, -84, -72, 0, -80, 84, -72, 104, -52, 98, -26], shade(bun, -0.1), 6)
      pen.shape([-122, -58, -118, -76, -96, -84, 0, -88, 96, -84, 118, -76, 122, -58, 110, -44, 0, -38, -110, -44], '#c14a2c', 7)
      pen.line([-100, -66, -80, -78, -58, -64, -36, -78, -14, -64, 8, -78, 30, -64, 52, -78, 74, -64, 96, -74], 6, '#f6c52c')
      pen.shape([-106, -44, -96, -58, 0, -54, 96, -58, 106, -44, 100, -16, 70, 0, -70, 0, -100, -16], bun, 8)
      pen.ovalFlat(-40, -38, 34, 5, shade(bun, 0.3), -0.04)
    },
  },
  'hanging-lamp': {
    paint: pen => {
      pen.line([0, -100, 0, -44], 2, '#33363f')
      pen.barrel(pen.poly([-12, -46, 12, -46, 44, -8, -44, -8], pen.main('#d9a84a'), 3), pen.main('#d9a84a'))
      pen.lamp(0, -7, 12)
      pen.aura(0, -4, 90, '#ffe2a6', 0.5)
    },
    isLuminous: true,
  },
}
