import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../../drawing.ts'
import { glowDisc } from '../celestial.ts'
import { css, mix, rgb, shift } from '../colour.ts'
import type { Stage } from '../stage.ts'
import { outdoorShine } from './outdoor-things.ts'

const paints = ['#c8402f', '#2f5f9a', '#e8e6e0', '#3a3f47', '#d9a52e', '#4f8a5c', '#8d97a4', '#f3f1ea', '#7a3f6a', '#2b7f8a'].map(rgb)

interface Parked {
  /** X coordinate across the view, in metres. */
  x: number
  z: number
  isRear: boolean
}

/** Draws lanes of cars. The cars on the left half of the road drive towards the viewer. `centre`
 *  returns the middle of the road, in metres, at a distance. */
export function paintTraffic(
  context: SKRSContext2D,
  stage: Stage,
  road: { centre: (z: number) => number; half: number; near: number },
): void {
  const random = stage.random.fork('traffic')
  const cars: Parked[] = []
  for (const lane of [-0.72, -0.25, 0.25, 0.72])
    for (let z = road.near * random.between(1.25, 1.7); z < road.near * 24; z += random.between(5.6, 7.2))
      cars.push({ x: road.centre(z) + lane * road.half + random.between(-0.15, 0.15), z, isRear: lane > 0 })
  paintCars(context, stage, cars)
}

/** Draws parked cars. `rows` are the distances of the rows in metres, `bay` is the width of a
 *  parking bay. */
export function paintParked(context: SKRSContext2D, stage: Stage, lot: { rows: readonly number[]; bay: number }): void {
  const random = stage.random.fork('parked')
  const cars: Parked[] = []
  for (const z of lot.rows) {
    const reach = Math.ceil(((stage.width / 2) * z) / stage.view.focal / lot.bay) + 1
    for (let i = -reach; i < reach; i++) if (random.next() < 0.93) cars.push({ x: (i + 0.5) * lot.bay, z, isRear: random.next() < 0.4 })
  }
  paintCars(context, stage, cars)
}

function paintCars(context: SKRSContext2D, stage: Stage, cars: readonly Parked[]): void {
  const random = stage.random.fork('paint of cars')
  for (const car of [...cars].sort((a, b) => b.z - a.z)) {
    context.save()
    context.translate(stage.view.column(car.x, car.z), stage.view.row(0, car.z))
    const metre = stage.view.focal / car.z
    context.scale(metre, -metre)
    paintCar(context, stage, { ...car, paint: random.pick(paints), isTall: random.next() < 0.3 })
    context.restore()
  }
}

/** Draws a car seen from the front or from behind; lengths are in metres. */
function paintCar(context: SKRSContext2D, stage: Stage, car: Parked & { paint: Rgb; isTall: boolean }): void {
  const shine = outdoorShine(stage, car.z)
  const tone = (colour: Rgb, amount: number) => css(shine.tone(colour, amount))
  const roof = car.isTall ? 1.78 : 1.46
  context.fillStyle = 'rgba(12,10,18,0.42)'
  context.beginPath()
  context.ellipse(0, 0.02, 1.12, 0.12, 0, 0, 7)
  context.fill()
  for (const side of [-1, 1]) fillBox(context, [side * 0.66 - 0.14, 0, 0.28, 0.5], tone(rgb('#1f2126'), 0.4), 0.06)
  const body = context.createLinearGradient(0, 0.2, 0, 1)
  body.addColorStop(0, tone(shift(car.paint, -0.3), 0.45))
  body.addColorStop(1, tone(shift(car.paint, 0.1), 0.85))
  fillShape(
    context,
    [
      [-0.92, 0.26],
      [-0.93, 0.72],
      [-0.84, 0.98],
      [0.84, 0.98],
      [0.93, 0.72],
      [0.92, 0.26],
    ],
    body,
  )
  fillShape(
    context,
    [
      [-0.8, 0.96],
      [-0.62, roof - 0.06],
      [-0.5, roof],
      [0.5, roof],
      [0.62, roof - 0.06],
      [0.8, 0.96],
    ],
    tone(shift(car.paint, -0.04), 0.8),
  )
  const glass = context.createLinearGradient(0, 0.98, 0, roof)
  glass.addColorStop(0, css(mix(shine.tone(rgb('#2c3742'), 0.6), stage.palette.sky[2], 0.12)))
  glass.addColorStop(1, css(mix(shine.tone(rgb('#4a5d6c'), 0.7), stage.palette.sky[1], 0.35)))
  fillShape(
    context,
    [
      [-0.69, 1],
      [-0.55, roof - 0.11],
      [0.55, roof - 0.11],
      [0.69, 1],
    ],
    glass,
  )
  fillBox(context, [-0.95, 0.24, 1.9, 0.16], tone(shift(car.paint, -0.5), 0.5), 0.07)
  paintFace(context, { isRear: car.isRear, isDim: stage.palette.isDim, tone })
}

/** Draws the lamps, the number plate and the grille of a car. */
function paintFace(context: SKRSContext2D, face: { isRear: boolean; isDim: boolean; tone: (colour: Rgb, amount: number) => string }): void {
  const { isRear, isDim, tone } = face
  const lamp = rgb(isRear ? '#e0392f' : '#fff4cf')
  for (const side of [-1, 1]) {
    fillBox(context, [side * 0.7 - 0.16, 0.62, 0.32, 0.17], isDim ? css(lamp) : tone(lamp, isRear ? 0.8 : 1), 0.06)
    fillBox(context, [side * 0.97 - 0.1, 0.98, 0.2, 0.13], tone(rgb('#2b2e35'), 0.5), 0.05)
    if (!isDim) continue
    context.globalCompositeOperation = 'screen'
    glowDisc(context, { x: side * 0.7, y: 0.7, radius: isRear ? 0.7 : 1.2 }, lamp, isRear ? 0.5 : 0.7)
    context.globalCompositeOperation = 'source-over'
  }
  if (!isRear) {
    fillBox(context, [-0.42, 0.5, 0.84, 0.24], tone(rgb('#23262c'), 0.5), 0.06)
    for (const y of [0.56, 0.62, 0.68]) fillBox(context, [-0.38, y, 0.76, 0.02], tone(rgb('#9aa3ad'), 0.7), 0)
  } else fillBox(context, [-0.5, 0.86, 1, 0.03], 'rgba(0,0,0,0.25)', 0)
  fillBox(context, [-0.22, isRear ? 0.56 : 0.3, 0.44, 0.12], tone(rgb('#f2efe4'), 0.9), 0.02)
}

function fillBox(
  context: SKRSContext2D,
  [x, y, width, height]: readonly [number, number, number, number],
  style: string,
  radius: number,
): void {
  context.fillStyle = style
  context.beginPath()
  context.roundRect(x, y, width, height, radius)
  context.fill()
}

function fillShape(context: SKRSContext2D, points: readonly (readonly [number, number])[], style: SKRSContext2D['fillStyle']): void {
  context.fillStyle = style
  context.beginPath()
  points.forEach(([x, y], i) => void (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)))
  context.closePath()
  context.fill()
}
