import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import type { Subject } from '../../scene.ts'
import type { Artwork } from '../artwork.ts'
import { blob, ellipse, fill, form, inside, line, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import { vectorArtwork } from '../vector.ts'

/** Proportions and appearance of a bird. The unit of lengths is a hundredth of the standing height;
 *  a flying bird is drawn horizontally, with its body in the middle. */
interface Bird {
  body: string
  belly: string
  wing: string
  beak: string
  leg: string
  shape: 'upright' | 'round' | 'long' | 'wader' | 'owl' | 'penguin'
  beakLength: number
  comb?: boolean
  cap?: string
  wingTip?: string
}

const birds: Record<string, Bird> = {
  chicken: {
    body: '#f3ead9',
    belly: '#fbf6ea',
    wing: '#e3d3b8',
    beak: '#f0a73a',
    leg: '#eaa23a',
    shape: 'round',
    beakLength: 8,
    comb: true,
  },
  crow: { body: '#2b2d3a', belly: '#343748', wing: '#1f212c', beak: '#3a3c48', leg: '#3a3c48', shape: 'round', beakLength: 14 },
  seagull: {
    body: '#f7f8fa',
    belly: '#ffffff',
    wing: '#b4bec9',
    beak: '#f0b02e',
    leg: '#e8a03a',
    shape: 'round',
    beakLength: 10,
    wingTip: '#3a404c',
  },
  'flying-bird': {
    body: '#35548c',
    belly: '#f6efe2',
    wing: '#2b4678',
    beak: '#4a4038',
    leg: '#4a4038',
    shape: 'round',
    beakLength: 5,
    wingTip: '#22365e',
  },
  stork: {
    body: '#fbfaf7',
    belly: '#ffffff',
    wing: '#f3f1ec',
    beak: '#d9503a',
    leg: '#d9604a',
    shape: 'wader',
    beakLength: 24,
    wingTip: '#2b2d36',
  },
  ostrich: {
    body: '#3a3438',
    belly: '#4a4448',
    wing: '#2c272b',
    beak: '#e0b48a',
    leg: '#d9a888',
    shape: 'long',
    beakLength: 9,
    wingTip: '#f4f0ea',
  },
  penguin: { body: '#2c3444', belly: '#fbfaf5', wing: '#232a38', beak: '#f2a23a', leg: '#f2a23a', shape: 'penguin', beakLength: 9 },
  owl: { body: '#8a6242', belly: '#e9d3ae', wing: '#6f4c32', beak: '#f0b83a', leg: '#e8a83a', shape: 'owl', beakLength: 6 },
  duck: {
    body: '#b9a488',
    belly: '#d9c9ae',
    wing: '#8f7a62',
    beak: '#f2b63a',
    leg: '#f08a2e',
    shape: 'upright',
    beakLength: 13,
    cap: '#2f7a52',
  },
}

export function isBird(name: string): boolean {
  return birds[name] !== undefined
}

/** Draws a bird: flying when its pose is `flying` or its species is always shown in flight, else
 *  standing. A penguin that slides lies on its belly. Throws `RangeError` for an unknown name. */
export function birdArtwork(name: string, subject: Subject, phase?: number): Artwork {
  const known = birds[name]
  if (!known) throw new RangeError(`no bird rig ${name}`)
  const bird = subject.colour ? { ...known, body: subject.colour.hex, wing: shade(subject.colour.hex, -0.18) } : known
  const flies = doesFly(name, subject)
  if (bird.shape === 'penguin' && subject.looks.includes('sliding'))
    return {
      ...vectorArtwork({ paint: context => slidingPenguin(context, bird), facing: 'right' }),
      anchors: { head: { x: 42, y: -62, width: 30 } },
    }
  const paint = (context: SKRSContext2D) => (flies ? flying(context, bird, phase) : standing(context, bird))
  return { ...vectorArtwork({ paint, facing: 'right' }), anchors: { head: { x: 16, y: -96, width: 30 } } }
}

export function doesFly(name: string, subject: Subject): boolean {
  return name === 'flying-bird' || name === 'seagull' || subject.pose === 'flying'
}

function eye(context: SKRSContext2D, x: number, y: number, radius: number): void {
  fill(context, ellipse(x, y, radius, radius * 1.1), '#1d1518')
  fill(context, ellipse(x - radius * 0.3, y - radius * 0.35, radius * 0.38, radius * 0.38), '#ffffff')
}

/** Draws a flying bird. `phase` is the moment of the wing beat, 0 to 1; without it, the wings are
 *  raised. */
function flying(context: SKRSContext2D, bird: Bird, phase?: number): void {
  const beat = phase === undefined ? 1 : 0.28 + 0.72 * Math.cos(phase * Math.PI * 2)
  const wing = (flip: number, tone: number) => {
    const shape = blob([8, -52, -4, -66 * flip - 20, -26, -104 * flip - 14, -52, -112 * flip - 10, -40, -76 * flip - 14, -24, -48])
    form(context, shape, shade(bird.wing, tone), { depth: 3 })
    inside(context, shape, () => {
      if (bird.wingTip) fill(context, ellipse(-46, -112 * flip - 10, 20, 24), bird.wingTip)
      for (let i = 0; i < 4; i++)
        line(context, [-8 - i * 7, -54, -26 - i * 6, -92 * flip - 10], { width: 0.9, colour: shade(bird.wing, -0.3) })
    })
  }
  wing(0.62 * beat, -0.22)
  form(context, blob([-36, -46, -78, -56, -86, -44, -66, -44, -88, -34, -74, -30, -36, -38]), bird.wing, { depth: 2 })
  const body = blob([-44, -44, -18, -56, 16, -58, 40, -54, 52, -46, 42, -36, 10, -28, -22, -32])
  form(context, body, bird.body, { depth: 3 })
  inside(context, body, () => fill(context, ellipse(6, -26, 46, 14), bird.belly))
  form(context, blob([48, -49, 50 + bird.beakLength, -45, 48, -42]), bird.beak, { depth: 0.6 })
  eye(context, 39, -49, 2.7)
  wing(beat, 0)
}

function standing(context: SKRSContext2D, bird: Bird): void {
  switch (bird.shape) {
    case 'penguin':
      penguin(context, bird)
      return
    case 'owl':
      owl(context, bird)
      return
    case 'wader':
    case 'long':
      wader(context, bird)
      return
    default:
      plump(context, bird)
  }
}

function foot(context: SKRSContext2D, x: number, top: number, colour: string, width: number): void {
  line(context, [x, top, x + 1, top * 0.5, x, -2], { width, colour })
  for (const toe of [-6, 1, 8]) line(context, [x, -2, x + toe * width * 0.45, 0], { width: width * 0.8, colour })
}

function plump(context: SKRSContext2D, bird: Bird): void {
  foot(context, 2, -24, shade(bird.leg, -0.2), 2.6)
  foot(context, -8, -24, bird.leg, 2.8)
  form(
    context,
    blob(
      bird.comb
        ? [-38, -48, -62, -78, -50, -84, -40, -74, -36, -82, -24, -66, -16, -44]
        : [-34, -44, -66, -50, -70, -42, -52, -36, -28, -28],
    ),
    bird.wing,
    { depth: 2.5 },
  )
  const body = blob([-44, -46, -28, -30, -4, -20, 20, -26, 34, -46, 34, -66, 40, -84, 30, -97, 14, -94, 8, -80, -8, -66, -30, -58])
  form(context, body, bird.body, { depth: 4 })
  inside(context, body, () => {
    fill(context, ellipse(20, -36, 22, 22, 0.5), bird.belly)
    if (bird.cap) {
      fill(context, ellipse(26, -88, 22, 16), bird.cap)
      line(context, [6, -72, 22, -69, 38, -72], { width: 3, colour: '#ffffff' })
    }
  })
  const wing = blob([14, -54, -8, -58, -34, -48, -46, -38, -26, -34, 0, -32, 12, -42])
  form(context, wing, bird.wing, { depth: 3 })
  inside(context, wing, () => {
    for (let i = 0; i < 3; i++)
      line(context, [-4 - i * 9, -36, -20 - i * 8, -42, -30 - i * 8, -40], { width: 1.4, colour: shade(bird.wing, -0.26) })
    if (bird.wingTip) fill(context, ellipse(-44, -38, 14, 8), bird.wingTip)
  })
  form(
    context,
    blob(
      bird.cap ? [36, -88, 38 + bird.beakLength, -82, 40 + bird.beakLength, -79, 36, -78] : [37, -89, 38 + bird.beakLength, -83, 36, -78],
    ),
    bird.beak,
    { depth: 0.8 },
  )
  if (bird.comb) {
    form(context, blob([14, -94, 12, -104, 20, -100, 24, -108, 29, -100, 35, -103, 34, -93]), '#d8342b', { depth: 1.2 })
    form(context, ellipse(39, -75, 3.6, 5.6), '#d8342b', { depth: 1 })
  }
  eye(context, 29, -87, 3.1)
}

function wader(context: SKRSContext2D, bird: Bird): void {
  const isOstrich = bird.shape === 'long'
  line(context, [4, -44, 10, -24, 6, -1, 15, -1], { width: 2.6, colour: shade(bird.leg, -0.2) })
  line(context, [-6, -44, -2, -24, -6, -1, 3, -1], { width: 2.8, colour: bird.leg })
  const neck = isOstrich ? bird.leg : bird.body
  line(context, [14, -52, 24, -66, 16, -80, 20, -93], { width: isOstrich ? 4.6 : 5.6, colour: shade(neck, -0.1) })
  line(context, [13, -52, 23, -66, 15, -80, 19, -93], { width: isOstrich ? 3.4 : 4.4, colour: neck })
  const body = blob([-36, -52, -20, -64, 4, -66, 20, -58, 18, -46, 0, -36, -22, -40])
  form(context, body, bird.body, { depth: 3 })
  const wing = blob([8, -60, -16, -62, -42, -50, -48, -42, -26, -42, -4, -44])
  form(context, wing, bird.wing, { depth: 3 })
  inside(context, wing, () => bird.wingTip && fill(context, ellipse(-40, -46, isOstrich ? 14 : 18, 10), bird.wingTip))
  form(context, ellipse(21, -94, isOstrich ? 6 : 6.4, 5.4), neck, { depth: 1.2 })
  form(context, blob([25, -96.5, 26 + bird.beakLength, -92, 25, -91]), bird.beak, { depth: 0.5 })
  eye(context, 22, -95, 1.5)
}

function penguin(context: SKRSContext2D, bird: Bird): void {
  for (const x of [-13, 13]) form(context, ellipse(x, -3, 11, 4), bird.leg, { depth: 1 })
  for (const side of [-1, 1]) form(context, blob(scaled([24, -66, 36, -48, 41, -26, 32, -30, 24, -44], [side, 1])), bird.wing, { depth: 2 })
  const body = blob([0, -100, 20, -92, 25, -74, 31, -46, 28, -16, 12, -3, -12, -3, -28, -16, -31, -46, -25, -74, -20, -92])
  form(context, body, bird.body, { depth: 5 })
  inside(context, body, () => {
    fill(context, blob([2, -70, 20, -60, 25, -30, 18, -4, -14, -4, -21, -30, -16, -60]), bird.belly)
    for (const side of [-1, 1]) fill(context, ellipse(2 + side * 10, -81, 9.5, 10), bird.belly)
    fill(context, ellipse(2, -62, 12, 4.4), '#f6cf6a88')
  })
  form(context, blob([-4, -80, 2, -83, 10, -80, 4, -72]), bird.beak, { depth: 1 })
  for (const side of [-1, 1]) eye(context, 3 + side * 9.5, -84, 2.9)
}

function owl(context: SKRSContext2D, bird: Bird): void {
  for (const x of [-12, 12]) for (const toe of [-5, 0, 5]) form(context, ellipse(x + toe, -3, 3, 4), bird.leg, { depth: 0.6 })
  for (const side of [-1, 1]) form(context, blob([side * 16, -88, side * 34, -104, side * 32, -78]), bird.body, { depth: 1 })
  const body = blob([0, -95, 28, -90, 34, -66, 35, -34, 22, -6, 0, -2, -22, -6, -35, -34, -34, -66, -28, -90])
  form(context, body, bird.body, { depth: 5 })
  inside(context, body, () => {
    fill(context, ellipse(1, -26, 22, 28), bird.belly)
    for (let row = 0; row < 4; row++)
      for (let i = -2; i <= 2; i++)
        line(
          context,
          [i * 9 - 3 + (row % 2) * 4, -44 + row * 10, i * 9 + (row % 2) * 4, -41 + row * 10, i * 9 + 3 + (row % 2) * 4, -44 + row * 10],
          { width: 1.5, colour: shade(bird.body, -0.1) },
        )
  })
  for (const side of [-1, 1]) form(context, blob([side * 30, -60, side * 40, -40, side * 34, -12, side * 25, -24]), bird.wing, { depth: 2 })
  for (const side of [-1, 1]) {
    form(context, ellipse(1 + side * 14.5, -70, 15.5, 15.5), bird.belly, { depth: 1.5, amount: 0.1 })
    fill(context, ellipse(1 + side * 13.5, -70, 9, 9), '#f6c63a')
    eye(context, 1 + side * 13.5, -70, 5.8)
  }
  form(context, blob([-4, -63, 1, -66, 6, -63, 1, -53]), bird.beak, { depth: 0.8 })
}

/** Draws a penguin that slides on its belly with its flippers back. */
function slidingPenguin(context: SKRSContext2D, bird: Bird): void {
  for (const [x, y] of pairs([-62, -30, -58, -14])) form(context, ellipse(x, y, 10, 4, 0.5), bird.leg, { depth: 1 })
  form(context, blob([-4, -44, -30, -58, -48, -62, -40, -46, -16, -32]), shade(bird.wing, -0.1), { depth: 2 })
  const body = blob([-58, -22, -40, -40, -8, -48, 18, -52, 26, -70, 44, -78, 60, -68, 62, -52, 52, -38, 46, -18, 26, -3, -10, 0, -42, -6])
  form(context, body, bird.body, { depth: 5 })
  inside(context, body, () => {
    fill(context, blob([-54, -12, -20, -16, 16, -24, 40, -40, 54, -40, 52, -10, 20, 4, -30, 4]), bird.belly)
    fill(context, ellipse(52, -60, 12, 9, 0.3), bird.belly)
    fill(context, ellipse(44, -38, 9, 4, -0.4), '#f6cf6a88')
  })
  form(context, blob([60, -64, 76, -56, 60, -52]), bird.beak, { depth: 1 })
  eye(context, 52, -62, 3)
  form(context, blob([14, -34, -6, -28, -34, -24, -46, -18, -30, -14, -2, -18, 16, -24]), bird.wing, { depth: 2 })
}
