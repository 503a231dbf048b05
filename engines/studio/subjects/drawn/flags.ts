import type { Drawing, Pen } from './pen.ts'

type Emblem = (pen: Pen) => void

const disc =
  (colour: string, radius = 17): Emblem =>
  pen =>
    pen.ovalFlat(0, -70, radius, radius, colour)
const star =
  (x: number, y: number, radius: number, colour: string): Emblem =>
  pen => {
    const points: number[] = []
    for (let i = 0; i < 10; i++) {
      const far = i % 2 ? radius * 0.4 : radius
      points.push(x + Math.sin((i * Math.PI) / 5) * far, y - Math.cos((i * Math.PI) / 5) * far)
    }
    pen.polyFlat(points, colour)
  }
/** Returns a function that draws the horizontal and the vertical bar of a cross on a flag; the
 *  vertical bar is centred at `x`. */
const cross =
  (colour: string, width: number, x = 0): Emblem =>
  pen => {
    pen.boxFlat(-45, -70 - width / 2, 90, width, colour)
    pen.boxFlat(x - width / 2, -100, width, 60, colour)
  }
const canton =
  (colour: string): Emblem =>
  pen =>
    pen.boxFlat(-45, -100, 38, 32, colour)
const wedge =
  (colour: string, reach = 28): Emblem =>
  pen =>
    pen.polyFlat([-45, -100, -45 + reach, -70, -45, -40], colour)
const saltire =
  (colour: string, width: number): Emblem =>
  pen => {
    pen.line([-45, -100, 45, -40], width, colour)
    pen.line([-45, -40, 45, -100], width, colour)
  }

interface Flag {
  /** Arrangement of the stripes: side by side (`v`, for vertical stripes) or one below the other
   *  (`h`, for horizontal stripes). */
  way: 'v' | 'h'
  stripes: readonly string[]
  emblems?: readonly Emblem[]
}

const stars = (places: readonly (readonly [number, number, number])[], colour: string): Emblem[] =>
  places.map(([x, y, radius]) => star(x, y, radius, colour))
const america = Array.from({ length: 13 }, (_, i) => (i % 2 ? '#ffffff' : '#b22234'))
const field = Array.from({ length: 15 }, (_, i) => [-41 + (i % 5) * 7.4, -95 + Math.floor(i / 5) * 11, 2.8] as const)

const flags: Readonly<Record<string, Flag>> = {
  japan: { way: 'h', stripes: ['#ffffff'], emblems: [disc('#bc002d')] },
  france: { way: 'v', stripes: ['#0055a4', '#ffffff', '#ef4135'] },
  italy: { way: 'v', stripes: ['#008c45', '#f4f9ff', '#cd212a'] },
  ireland: { way: 'v', stripes: ['#169b62', '#ffffff', '#ff883e'] },
  belgium: { way: 'v', stripes: ['#1a1a1a', '#fdda24', '#ef3340'] },
  romania: { way: 'v', stripes: ['#002b7f', '#fcd116', '#ce1126'] },
  mexico: { way: 'v', stripes: ['#006847', '#ffffff', '#ce1126'], emblems: [disc('#8a5a2a', 7)] },
  germany: { way: 'h', stripes: ['#1a1a1a', '#dd0000', '#ffce00'] },
  netherlands: { way: 'h', stripes: ['#ae1c28', '#ffffff', '#21468b'] },
  russia: { way: 'h', stripes: ['#ffffff', '#0039a6', '#d52b1e'] },
  austria: { way: 'h', stripes: ['#ed2939', '#ffffff', '#ed2939'] },
  hungary: { way: 'h', stripes: ['#cd2a3e', '#ffffff', '#436f4d'] },
  poland: { way: 'h', stripes: ['#ffffff', '#dc143c'] },
  ukraine: { way: 'h', stripes: ['#0057b7', '#ffd700'] },
  indonesia: { way: 'h', stripes: ['#ce1126', '#ffffff'] },
  spain: { way: 'h', stripes: ['#aa151b', '#f1bf00', '#f1bf00', '#aa151b'], emblems: [pen => pen.box(-28, -78, 14, 17, '#aa151b', 3)] },
  india: { way: 'h', stripes: ['#ff9933', '#ffffff', '#138808'], emblems: [pen => pen.ring(0, -70, 8, 8, 1.6, '#000080')] },
  argentina: { way: 'h', stripes: ['#74acdf', '#ffffff', '#74acdf'], emblems: [disc('#f6b40e', 7)] },
  brazil: {
    way: 'h',
    stripes: ['#009c3b'],
    emblems: [pen => pen.polyFlat([-38, -70, 0, -95, 38, -70, 0, -45], '#ffdf00'), disc('#002776', 14)],
  },
  china: {
    way: 'h',
    stripes: ['#de2910'],
    emblems: [
      star(-29, -84, 9, '#ffde00'),
      ...stars(
        [
          [-13, -94, 3],
          [-7, -88, 3],
          [-7, -80, 3],
          [-13, -74, 3],
        ],
        '#ffde00',
      ),
    ],
  },
  vietnam: { way: 'h', stripes: ['#da251d'], emblems: [star(0, -70, 19, '#ffff00')] },
  turkey: {
    way: 'h',
    stripes: ['#e30a17'],
    emblems: [
      pen => pen.ovalFlat(-12, -70, 15, 15, '#ffffff'),
      pen => pen.ovalFlat(-8, -70, 12, 12, '#e30a17'),
      star(9, -70, 7, '#ffffff'),
    ],
  },
  switzerland: {
    way: 'h',
    stripes: ['#da291c'],
    emblems: [pen => pen.boxFlat(-18, -76, 36, 12, '#ffffff'), pen => pen.boxFlat(-6, -88, 12, 36, '#ffffff')],
  },
  sweden: { way: 'h', stripes: ['#006aa7'], emblems: [cross('#fecc02', 11, -14)] },
  norway: { way: 'h', stripes: ['#ba0c2f'], emblems: [cross('#ffffff', 14, -14), cross('#00205b', 7, -14)] },
  denmark: { way: 'h', stripes: ['#c8102e'], emblems: [cross('#ffffff', 9, -14)] },
  finland: { way: 'h', stripes: ['#ffffff'], emblems: [cross('#003580', 14, -14)] },
  greece: {
    way: 'h',
    stripes: Array.from({ length: 9 }, (_, i) => (i % 2 ? '#ffffff' : '#0d5eaf')),
    emblems: [canton('#0d5eaf'), pen => pen.boxFlat(-45, -87, 38, 6, '#ffffff'), pen => pen.boxFlat(-29, -100, 6, 32, '#ffffff')],
  },
  england: { way: 'h', stripes: ['#ffffff'], emblems: [cross('#ce1124', 10)] },
  scotland: { way: 'h', stripes: ['#005eb8'], emblems: [saltire('#ffffff', 9)] },
  britain: {
    way: 'h',
    stripes: ['#012169'],
    emblems: [saltire('#ffffff', 10), saltire('#c8102e', 4), cross('#ffffff', 17), cross('#c8102e', 10)],
  },
  america: { way: 'h', stripes: america, emblems: [canton('#3c3b6e'), ...stars(field, '#ffffff')] },
  texas: {
    way: 'h',
    stripes: ['#ffffff', '#bf0a30'],
    emblems: [pen => pen.boxFlat(-45, -100, 32, 60, '#002868'), star(-29, -70, 11, '#ffffff')],
  },
  canada: {
    way: 'v',
    stripes: ['#d80621', '#ffffff', '#ffffff', '#d80621'],
    emblems: [
      pen =>
        pen.polyFlat(
          [
            0, -88, 4, -80, 10, -83, 8, -74, 16, -77, 14, -71, 18, -69, 8, -60, 9, -57, 1, -58, 1, -50, -1, -50, -1, -58, -9, -57, -8, -60,
            -18, -69, -14, -71, -16, -77, -8, -74, -10, -83, -4, -80,
          ],
          '#d80621',
        ),
    ],
  },
  korea: {
    way: 'h',
    stripes: ['#ffffff'],
    emblems: [
      disc('#cd2e3a', 14),
      pen => pen.shapeFlat([-14, -70, -7, -66, 0, -70, 7, -74, 14, -70, 10, -60, 0, -56, -10, -60], '#0047a0'),
      ...[-1, 1].flatMap(side =>
        [-88, -52].map(y => (pen: Pen) => {
          for (const dy of [-3, 0, 3]) pen.boxFlat(side * 30 - 6, y + dy - 1, 12, 1.8, '#1a1a1a')
        }),
      ),
    ],
  },
  'south-africa': {
    way: 'h',
    stripes: ['#de3831', '#ffffff', '#007a4d', '#ffffff', '#002395'],
    emblems: [wedge('#ffb612', 36), wedge('#1a1a1a', 28)],
  },
  jamaica: {
    way: 'h',
    stripes: ['#009b3a'],
    emblems: [wedge('#1a1a1a', 42), pen => pen.polyFlat([45, -100, 3, -70, 45, -40], '#1a1a1a'), saltire('#fed100', 9)],
  },
  cuba: {
    way: 'h',
    stripes: ['#002a8f', '#ffffff', '#002a8f', '#ffffff', '#002a8f'],
    emblems: [wedge('#cf142b', 44), star(-31, -70, 8, '#ffffff')],
  },
  rainbow: { way: 'h', stripes: ['#e40303', '#ff8c00', '#ffed00', '#008026', '#24408e', '#732982'] },
}

/** Returns a flag on a pole; its cloth is 90 by 60 units. */
function flag({ way, stripes, emblems = [] }: Flag): Drawing {
  return {
    paint: pen => {
      pen.box(-50, -104, 4, 104, '#b3a999', 1)
      pen.oval(-48, -105, 4, 4, '#e0b34a')
      const cloth = pen.shape([-46, -100, -16, -104, 14, -97, 45, -101, 43, -70, 45, -41, 14, -37, -16, -44, -46, -40], '#ffffff', 2)
      pen.clip(cloth, () => {
        for (const [index, colour] of stripes.entries()) {
          const share = (way === 'v' ? 92 : 66) / stripes.length
          if (way === 'v') pen.boxFlat(-46 + index * share, -106, share + 0.4, 72, colour)
          else pen.boxFlat(-47, -103 + index * share, 94, share + 0.4, colour)
        }
        for (const emblem of emblems) emblem(pen)
        for (const x of [-16, 14]) pen.line([x, -106, x + 3, -70, x, -34], 4, '#0000001c')
      })
    },
    anchors: { panel: { x: 0, y: -70, width: 84, height: 50 } },
  }
}

export const nationalFlags: Record<string, Drawing> = Object.fromEntries(
  Object.entries(flags).map(([name, design]) => [`flag-${name}`, flag(design)]),
)
