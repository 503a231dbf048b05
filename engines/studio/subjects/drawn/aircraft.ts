import { pairs } from '../../pairs.ts'
import { shade } from '../colour.ts'
import type { Drawing } from './pen.ts'
import { accent } from './tint.ts'

export const aircraft: Record<string, Drawing> = {
  airplane: {
    paint: pen => {
      const skin = pen.main('#eef2f6')
      const livery = accent(pen, '#2f6fc4', -0.2)
      pen.poly([14, -60, -34, -100, -54, -100, -26, -58], shade(skin, -0.26), 2)
      pen.poly([-112, -64, -150, -84, -164, -84, -138, -62], shade(skin, -0.26), 1)
      pen.poly([-140, -62, -164, -112, -138, -112, -98, -66], livery, 3)
      const body = pen.shape([-152, -64, -128, -72, 60, -76, 112, -71, 142, -57, 130, -45, 92, -38, -50, -38, -118, -50], skin, 8)
      pen.clip(body, () => {
        pen.polyFlat([-160, -62, 150, -50, 150, -46, -160, -56], livery)
        pen.polyFlat([-160, -56, 150, -42, 150, -20, -160, -20], shade(skin, -0.1))
      })
      for (let x = -104; x <= 92; x += 11) pen.boxFlat(x, -65 + (x + 104) * 0.006, 6, 7, '#3c5f7c', 2.4)
      pen.poly([106, -68, 126, -61, 122, -56, 104, -59], '#3c5f7c', 1)
      pen.box(-28, -27, 42, 14, shade(skin, -0.06), 7)
      pen.ovalFlat(12, -20, 3.4, 6, '#5a6470')
      pen.poly([40, -47, -58, 0, -84, 0, -34, -50], shade(skin, -0.12), 3)
      pen.poly([-58, 0, -84, 0, -72, -9, -46, -5], livery, 1)
      pen.poly([-108, -58, -156, -40, -172, -41, -136, -60], shade(skin, -0.14), 2)
    },
    isSided: true,
    anchors: { opening: { x: 40, y: -60, width: 120 } },
  },
  'heart-balloon': {
    paint: pen => {
      const main = pen.main('#e0305a')
      const heart = [
        0, -84, -8, -96, -24, -101, -40, -95, -47, -80, -42, -62, -24, -42, -7, -25, 7, -25, 24, -42, 42, -62, 47, -80, 40, -95, 24, -101,
        8, -96,
      ]
      const bag = pen.shape(heart, main, 5)
      pen.clip(bag, () => {
        for (const [x, tone] of pairs([-38, 0.12, -14, 0.07, 14, -0.05, 38, -0.12]))
          pen.shapeFlat(
            [x * 1.1 - 8, -104, x * 1.15 + 8, -104, x * 1.1 + 8, -70, x * 0.3 + 3, -24, x * 0.3 - 3, -24, x * 1.1 - 8, -70],
            shade(main, tone),
          )
        pen.shapeFlat([30, -102, 52, -90, 48, -60, 8, -22, 30, -50, 40, -78], '#1c123a2c')
        pen.shapeFlat([-36, -84, -26, -95, -16, -92, -28, -80, -36, -68], '#ffffff60')
      })
      for (const x of [-6, 6]) pen.line([x, -25, x * 0.8, -11], 0.7, '#5a4030')
      pen.aura(0, -22, 7, '#ffb84a', 0.7)
      pen.box(-6.4, -11, 12.8, 11, '#a8743f', 2)
      for (const y of [-8, -5, -2]) pen.line([-6, y, 6, y], 0.7, '#7a5028')
    },
  },
  'fighter-jet': {
    paint: pen => {
      const skin = pen.main('#8f9ba8')
      pen.aura(-148, -44, 18, '#ffb05a', 0.7)
      pen.poly([-104, -60, -146, -104, -122, -104, -70, -62], shade(skin, -0.1), 3)
      pen.shape([-146, -50, -120, -62, -20, -64, 60, -60, 120, -50, 172, -42, 120, -36, 40, -30, -120, -32, -146, -40], skin, 6)
      pen.shape([30, -60, 46, -74, 76, -74, 104, -56, 70, -54], '#4f86a8', 3)
      pen.line([62, -74, 66, -55], 1.6, shade(skin, -0.3))
      pen.poly([40, -42, -82, -4, -112, -6, -66, -44], shade(skin, -0.16), 3)
      pen.poly([-96, -44, -148, -24, -160, -28, -126, -46], shade(skin, -0.2), 2)
      pen.box(-70, -14, 66, 6, '#e9edf1', 3)
      pen.poly([-4, -14, 8, -11, -4, -8], '#c2423a', 1)
      pen.boxFlat(-154, -50, 9, 11, '#3a3d46', 3)
      pen.ovalFlat(-20, -48, 7, 7, accent(pen, '#2f5fa8', -0.35))
      pen.ovalFlat(-20, -48, 3.4, 3.4, '#f4f6f9')
      pen.line([172, -42, 188, -42], 1.6, '#3a3d46')
    },
    isSided: true,
  },
  'propeller-plane': {
    paint: pen => {
      const skin = pen.main('#f2c037')
      pen.poly([-104, -62, -124, -98, -102, -98, -74, -66], accent(pen, '#2f6fc4', -0.2), 3)
      pen.poly([10, -74, -26, -96, -46, -96, -20, -72], shade(skin, -0.28), 2)
      pen.shape([-122, -58, -60, -68, -20, -84, 22, -84, 40, -70, 84, -66, 90, -50, 74, -40, -20, -36, -90, -50], skin, 6)
      pen.shape([-18, -70, -10, -81, 6, -81, 6, -68], '#5f9cbc', 2)
      pen.shape([10, -68, 10, -81, 22, -80, 34, -68], '#5f9cbc', 2)
      pen.poly([28, -50, -38, -18, -62, -18, -26, -52], shade(skin, -0.1), 3)
      pen.poly([-88, -57, -122, -46, -130, -50, -104, -61], shade(skin, -0.16), 1)
      pen.oval(88, -55, 7, 13, accent(pen, '#2f6fc4', -0.2))
      pen.ovalFlat(97, -55, 3.6, 36, '#4a505c99')
      pen.oval(98, -55, 4, 4, '#3a3d46')
      pen.line([36, -40, 40, -14], 3.4, '#5a5f6a')
      pen.line([-20, -38, -26, -14], 3.4, '#5a5f6a')
      for (const x of [41, -26]) pen.oval(x, -9, 9, 9, '#25262d')
    },
    isSided: true,
  },
  seaplane: {
    paint: pen => {
      const skin = pen.main('#e6503e')
      const white = accent(pen, '#f6f4ee', 0.4)
      pen.box(-46, -100, 110, 9, white, 4)
      for (const x of [-20, 34]) pen.line([x, -92, x + 6, -74], 3, '#5a5f6a')
      pen.poly([-106, -66, -128, -98, -104, -98, -76, -68], skin, 3)
      pen.shape([-124, -62, -50, -76, 10, -82, 50, -74, 84, -68, 88, -54, 70, -46, -20, -44, -90, -54], skin, 6)
      pen.shape([-18, -66, -14, -77, 8, -78, 8, -66], '#5f9cbc', 2)
      pen.shape([12, -66, 12, -78, 26, -76, 40, -66], '#5f9cbc', 2)
      pen.oval(88, -60, 6, 11, white)
      pen.ovalFlat(96, -60, 3.4, 32, '#4a505c99')
      for (const x of [-24, 40]) pen.line([x, -46, x, -14], 3, '#5a5f6a')
      pen.shape([-76, -16, -60, -20, 70, -20, 96, -14, 80, -4, 10, 0, -66, -6], white, 4)
    },
    isSided: true,
  },
  'space-shuttle': {
    paint: pen => {
      const skin = pen.main('#f3f4f6')
      pen.aura(-150, -44, 34, '#ffb05a', 0.8)
      pen.poly([-98, -66, -142, -112, -112, -112, -62, -68], skin, 3)
      for (const y of [-58, -44]) pen.poly([-126, y - 7, -148, y - 10, -148, y + 10, -126, y + 5], '#5a5f6a', 2)
      const body = pen.shape([-128, -62, -90, -72, 60, -72, 110, -60, 140, -42, 120, -32, 60, -28, -110, -28, -128, -34], skin, 6)
      pen.clip(body, () => pen.shapeFlat([-140, -40, 0, -38, 100, -38, 146, -44, 146, -20, -140, -20], '#2a2d34'))
      pen.poly([20, -40, -70, -10, -128, -10, -112, -40], shade(skin, -0.06), 3)
      pen.poly([20, -40, -60, -13, -128, -13, -128, -6, -66, -6], '#2a2d34', 1)
      pen.poly([88, -66, 112, -58, 108, -52, 86, -58], '#33506a', 1)
      for (const x of [-56, -20, 16, 52]) pen.line([x, -70, x, -42], 0.9, shade(skin, -0.2))
    },
    isSided: true,
  },
}
