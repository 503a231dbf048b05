import type { Drawing, Pen } from './pen.ts'

/** What is on the cloth of a flag that is known by its colours: bands from top to bottom or from the pole outwards, a field in the upper corner, and one figure. */
interface Cloth {
  bands: readonly string[]
  isUpright?: boolean
  /** The upper corner at the pole, or with `isWhole` all along the pole. */
  canton?: { colour: string; width: number; height: number; stars?: number }
  disc?: { colour: string; x: number }
  star?: { colour: string; x: number; y: number; radius: number }
}

const cloths: Record<string, Cloth> = {
  'flag-usa': {
    bands: Array.from({ length: 13 }, (_, index) => (index % 2 === 0 ? '#b8283a' : '#fbfaf6')),
    canton: { colour: '#2d3a70', width: 0.42, height: 7 / 13, stars: 5 },
  },
  'flag-texas': {
    bands: ['#fbfaf6', '#b8283a'],
    canton: { colour: '#22326b', width: 0.34, height: 1 },
    star: { colour: '#fbfaf6', x: 0.17, y: 0.5, radius: 0.2 },
  },
  'flag-japan': { bands: ['#fbfaf6'], disc: { colour: '#c41e3a', x: 0.5 } },
  'flag-china': { bands: ['#d8261c'], star: { colour: '#f8d32c', x: 0.2, y: 0.32, radius: 0.2 } },
  'flag-france': { bands: ['#27408f', '#fbfaf6', '#cf2b37'], isUpright: true },
  'flag-italy': { bands: ['#2e8b4a', '#fbfaf6', '#cf2b37'], isUpright: true },
  'flag-ireland': { bands: ['#2e9a5a', '#fbfaf6', '#f0863a'], isUpright: true },
  'flag-belgium': { bands: ['#1d1d20', '#f6d13a', '#d8323c'], isUpright: true },
  'flag-germany': { bands: ['#1d1d20', '#cf2b2b', '#f2c83a'] },
  'flag-netherlands': { bands: ['#b8283a', '#fbfaf6', '#2d4a93'] },
  'flag-russia': { bands: ['#fbfaf6', '#2f4fa8', '#cf2b37'] },
  'flag-ukraine': { bands: ['#2f6fc4', '#f7d43a'] },
  'flag-poland': { bands: ['#fbfaf6', '#cf2b45'] },
}

const left = -30
const width = 66
const top = -98
const height = 40

/** A waving flag on its pole. */
function flag(pen: Pen, cloth: Cloth): void {
  pen.box(-33, -100, 3, 100, '#b3a999', 1)
  pen.oval(-31.5, -101, 3, 3, '#e0b34a')
  const outline = pen.shape(
    [-30, -97, -10, -101, 10, -94, 36, -98, 34, -78, 36, -60, 10, -56, -10, -63, -30, -59],
    cloth.bands[0] ?? '#fbfaf6',
    3,
  )
  pen.clip(outline, () => {
    const { bands, isUpright, canton, disc } = cloth
    for (const [index, colour] of bands.entries())
      if (isUpright) pen.boxFlat(left + (width / bands.length) * index, top - 6, width / bands.length + 1, height + 14, colour)
      else band(pen, { from: index / bands.length, to: (index + 1) / bands.length, right: 1, colour })
    if (canton) band(pen, { from: 0, to: canton.height, right: canton.width, colour: canton.colour })
    if (canton?.stars) cantonStars(pen, canton.width, canton.height)
    if (disc) pen.ovalFlat(left + width * disc.x, top + height * 0.5, height * 0.28, height * 0.28, disc.colour)
    if (cloth.star)
      starAt(pen, {
        x: left + width * cloth.star.x,
        y: top + height * cloth.star.y,
        radius: height * cloth.star.radius,
        colour: cloth.star.colour,
      })
    for (const x of [-12, 12]) pen.line([x, -102, x + 3, -80, x, -56], 3, '#00000018')
  })
}

/** A band that follows the wave of the cloth; `from` and `to` are shares of its height, `right` of its width. */
function band(pen: Pen, { from, to, right, colour }: { from: number; to: number; right: number; colour: string }): void {
  const wave = (share: number) => Math.sin(share * Math.PI * 2) * 3.2
  const steps = Array.from({ length: 9 }, (_, index) => (index / 8) * right)
  const upper = steps.flatMap(share => [left + share * width, top + from * height - wave(share) - (from === 0 ? 6 : 0)])
  const lower = [...steps].reverse().flatMap(share => [left + share * width, top + to * height - wave(share) + (to === 1 ? 8 : 0.3)])
  pen.polyFlat([...upper, ...lower], colour)
}

function cantonStars(pen: Pen, wide: number, high: number): void {
  for (let row = 0; row < 5; row++)
    for (let column = 0; column < (row % 2 === 0 ? 6 : 5); column++) {
      const x = left + (column + (row % 2 === 0 ? 0.6 : 1.1)) * ((width * wide) / 6.4)
      starAt(pen, { x, y: top + (row + 0.5) * ((height * high) / 5), radius: 1.5, colour: '#fbfaf6' })
    }
}

function starAt(pen: Pen, { x, y, radius, colour }: { x: number; y: number; radius: number; colour: string }): void {
  const points = Array.from({ length: 10 }, (_, index) => {
    const turn = (index / 10) * Math.PI * 2 - Math.PI / 2
    const reach = index % 2 === 0 ? radius : radius * 0.42
    return [x + Math.cos(turn) * reach, y + Math.sin(turn) * reach]
  })
  pen.polyFlat(points.flat(), colour)
}

export const flags: Record<string, Drawing> = Object.fromEntries(
  Object.entries(cloths).map(([key, cloth]) => [
    key,
    { paint: (pen: Pen) => flag(pen, cloth), anchors: { panel: { x: 2, y: -78, width: 58, height: 32 } } },
  ]),
)
