import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../drawing.ts'
import { createRandom } from '../random.ts'
import type { Scene, ViewFrame } from '../scene.ts'

interface Frame {
  /** Size of the picture in pixels. */
  width: number
  height: number
  scene: Scene
}

type Painter = (pen: SKRSContext2D, size: { width: number; height: number; unit: number }, random: Random) => void

/** Paints a frame (window, door, tent) over the finished picture, as if the viewer looked through
 *  it. The parts around most openings are dark, because they are near the viewer and not lit. */
export function paintViewFrame(pen: SKRSContext2D, frame: ViewFrame, { width, height, scene }: Frame): void {
  const unit = Math.min(width, height)
  pen.save()
  painters[frame](pen, { width, height, unit }, createRandom(scene.seed).fork('view-frame'))
  pen.restore()
  const isGlass = frame === 'window' || frame === 'car' || frame === 'plane'
  if (isGlass && scene.weather.some(weather => weather === 'rain' || weather === 'storm'))
    drops(pen, { width, height, unit }, createRandom(scene.seed).fork('drops'))
}

const painters: Record<ViewFrame, Painter> = {
  window: (pen, { width, height, unit }) => {
    const side = unit * 0.1
    const inner = { x: side, y: unit * 0.07, width: width - side * 2, height: height - unit * 0.07 - unit * 0.17 }
    surround(pen, width, height, '#4a3f3a', () => pen.rect(inner.x, inner.y, inner.width, inner.height))
    woodwork(pen, inner, unit)
    // The window sill is lit from outside.
    const sill = pen.createLinearGradient(0, inner.y + inner.height, 0, height)
    sill.addColorStop(0, '#f4efe6')
    sill.addColorStop(0.35, '#d8cdbd')
    sill.addColorStop(0.36, '#8c7f70')
    sill.addColorStop(1, '#5b5048')
    pen.fillStyle = sill
    pen.fillRect(inner.x - unit * 0.05, inner.y + inner.height + unit * 0.02, inner.width + unit * 0.1, unit * 0.075)
    for (const left of [true, false]) curtain(pen, { width, height, unit }, left)
  },
  car: (pen, { width, height, unit }) => {
    surround(pen, width, height, '#17181c', () => {
      pen.moveTo(width * 0.1, height * 0.1)
      pen.quadraticCurveTo(width * 0.5, height * 0.04, width * 0.9, height * 0.1)
      pen.quadraticCurveTo(width * 0.99, height * 0.4, width * 0.985, height * 0.62)
      pen.quadraticCurveTo(width * 0.5, height * 0.7, width * 0.015, height * 0.62)
      pen.quadraticCurveTo(width * 0.01, height * 0.4, width * 0.1, height * 0.1)
    })
    const board = pen.createLinearGradient(0, height * 0.66, 0, height)
    board.addColorStop(0, '#3b3e46')
    board.addColorStop(0.4, '#24262c')
    board.addColorStop(1, '#121317')
    pen.fillStyle = board
    pen.beginPath()
    pen.moveTo(0, height * 0.7)
    pen.quadraticCurveTo(width * 0.5, height * 0.72, width, height * 0.7)
    pen.lineTo(width, height)
    pen.lineTo(0, height)
    pen.fill()
    ring(pen, { x: width * 0.3, y: height * 0.98, radius: unit * 0.24, thickness: unit * 0.045, colour: '#0c0d10', light: '#4b4f59' })
    pen.fillStyle = '#0e0f12'
    pen.beginPath()
    pen.roundRect(width * 0.5 - unit * 0.12, height * 0.1, unit * 0.24, unit * 0.07, unit * 0.03)
    pen.fill()
    pen.fillStyle = '#7d8da3'
    pen.beginPath()
    pen.roundRect(width * 0.5 - unit * 0.105, height * 0.1 + unit * 0.012, unit * 0.21, unit * 0.046, unit * 0.02)
    pen.fill()
  },
  plane: (pen, { width, height, unit }) => {
    const opening = { x: width / 2 - unit * 0.33, y: height * 0.07, width: unit * 0.66, height: height * 0.86 }
    const shape = (grow: number) => () =>
      pen.roundRect(opening.x - grow, opening.y - grow, opening.width + grow * 2, opening.height + grow * 2, unit * 0.26 + grow)
    const wall = pen.createLinearGradient(0, 0, width, 0)
    wall.addColorStop(0, '#b9bec6')
    wall.addColorStop(0.5, '#e3e6ea')
    wall.addColorStop(1, '#aeb4bd')
    surround(pen, width, height, wall, shape(0))
    stroke(pen, shape(unit * 0.03), '#f6f7f8', unit * 0.05)
    stroke(pen, shape(unit * 0.005), '#8b929c', unit * 0.014)
    stroke(pen, shape(unit * 0.07), 'rgba(90,98,110,0.45)', unit * 0.012)
  },
  porthole: (pen, { width, height, unit }) => {
    const centre = { x: width / 2, y: height / 2 }
    const wall = pen.createLinearGradient(0, 0, 0, height)
    wall.addColorStop(0, '#5c6875')
    wall.addColorStop(1, '#36404b')
    surround(pen, width, height, wall, () => pen.arc(centre.x, centre.y, unit * 0.39, 0, Math.PI * 2))
    ring(pen, { ...centre, radius: unit * 0.425, thickness: unit * 0.07, colour: '#9a7236', light: '#f2d68b' })
    for (let index = 0; index < 8; index++) {
      const angle = (index / 8) * Math.PI * 2 + 0.2
      const [x, y] = [centre.x + Math.cos(angle) * unit * 0.425, centre.y + Math.sin(angle) * unit * 0.425]
      disc(pen, x, y, unit * 0.018, '#6b4c1c')
      disc(pen, x - unit * 0.004, y - unit * 0.005, unit * 0.012, '#f7e2a4')
    }
  },
  doorway: (pen, { width, height, unit }) => {
    const opening = { x: width / 2 - unit * 0.3, y: height * 0.1, width: unit * 0.6, height: height }
    surround(pen, width, height, '#2e2723', () => pen.rect(opening.x, opening.y, opening.width, opening.height))
    stroke(pen, () => pen.rect(opening.x, opening.y, opening.width, opening.height), '#6e5138', unit * 0.06)
    stroke(
      pen,
      () => pen.rect(opening.x - unit * 0.03, opening.y - unit * 0.03, opening.width + unit * 0.06, opening.height),
      '#8f6d4c',
      unit * 0.012,
    )
    // The door is open towards the inside.
    const door = pen.createLinearGradient(opening.x + opening.width, 0, opening.x + opening.width + unit * 0.17, 0)
    door.addColorStop(0, '#7c5838')
    door.addColorStop(1, '#4a3423')
    pen.fillStyle = door
    pen.beginPath()
    pen.moveTo(opening.x + opening.width + unit * 0.02, opening.y - unit * 0.01)
    pen.lineTo(opening.x + opening.width + unit * 0.19, opening.y - unit * 0.07)
    pen.lineTo(opening.x + opening.width + unit * 0.19, height)
    pen.lineTo(opening.x + opening.width + unit * 0.02, height)
    pen.fill()
    disc(pen, opening.x + opening.width + unit * 0.165, height * 0.6, unit * 0.016, '#d9b25f')
  },
  arch: (pen, { width, height, unit }, random) => {
    const [left, right, top] = [width / 2 - unit * 0.36, width / 2 + unit * 0.36, height * 0.12]
    const shape = (grow: number) => () => {
      pen.moveTo(left - grow, height * 1.05)
      pen.lineTo(left - grow, top + unit * 0.36)
      pen.arc(width / 2, top + unit * 0.36, unit * 0.36 + grow, Math.PI, 0)
      pen.lineTo(right + grow, height * 1.05)
    }
    surround(pen, width, height, '#8d8072', shape(0))
    stones(pen, { width, height, unit }, shape(0), random)
    stroke(pen, shape(unit * 0.03), '#b9aa97', unit * 0.06)
    stroke(pen, shape(0), 'rgba(40,32,26,0.5)', unit * 0.012)
  },
  tent: (pen, { width, height, unit }) => {
    const shape = () => {
      pen.moveTo(width * 0.5, height * 0.1)
      pen.quadraticCurveTo(width * 0.36, height * 0.5, width * 0.12, height * 0.9)
      pen.lineTo(width * 0.88, height * 0.9)
      pen.quadraticCurveTo(width * 0.64, height * 0.5, width * 0.5, height * 0.1)
    }
    const cloth = pen.createRadialGradient(width / 2, height * 0.55, unit * 0.2, width / 2, height * 0.55, unit * 0.85)
    cloth.addColorStop(0, '#e08a3c')
    cloth.addColorStop(0.6, '#b3591f')
    cloth.addColorStop(1, '#6b3113')
    surround(pen, width, height, cloth, shape)
    stroke(pen, shape, '#8a4217', unit * 0.012)
    for (const side of [-1, 1]) {
      // The flap of the tent is rolled back.
      pen.fillStyle = side < 0 ? '#c96f2b' : '#a5541f'
      pen.beginPath()
      pen.moveTo(width * 0.5, height * 0.1)
      pen.quadraticCurveTo(width * (0.5 + side * 0.16), height * 0.45, width * (0.5 + side * 0.38), height * 0.9)
      pen.quadraticCurveTo(width * (0.5 + side * 0.33), height * 0.6, width * (0.5 + side * 0.24), height * 0.46)
      pen.quadraticCurveTo(width * (0.5 + side * 0.12), height * 0.28, width * 0.5, height * 0.1)
      pen.fill()
    }
  },
  cave: (pen, { width, height, unit }, random) => {
    const rim = (from: number) => () => {
      const points = Array.from({ length: 15 }, (_, index) => {
        const angle = (index / 15) * Math.PI * 2
        const wobble = random.between(0.88, 1.1) * from
        return { x: width / 2 + Math.cos(angle) * width * 0.4 * wobble, y: height * 0.52 + Math.sin(angle) * height * 0.38 * wobble }
      })
      const at = (index: number) => points[index % points.length] ?? { x: 0, y: 0 }
      const between = (index: number) => ({ x: (at(index).x + at(index + 1).x) / 2, y: (at(index).y + at(index + 1).y) / 2 })
      pen.moveTo(between(0).x, between(0).y)
      for (let index = 1; index <= points.length; index++)
        pen.quadraticCurveTo(at(index).x, at(index).y, between(index).x, between(index).y)
    }
    surround(pen, width, height, 'rgba(52,44,40,0.75)', rim(0.96))
    const rock = pen.createRadialGradient(width / 2, height / 2, unit * 0.35, width / 2, height / 2, unit * 0.8)
    rock.addColorStop(0, '#4c423b')
    rock.addColorStop(1, '#12100f')
    surround(pen, width, height, rock, rim(1.06))
  },
  keyhole: (pen, { width, height, unit }) => {
    const shape = (grow: number) => () => {
      pen.moveTo(width / 2 - unit * 0.25 - grow, height * 0.92 + grow)
      pen.arc(width / 2, height * 0.36, unit * 0.25 + grow, Math.PI * 0.68, Math.PI * 0.32)
      pen.lineTo(width / 2 + unit * 0.25 + grow, height * 0.92 + grow)
      pen.lineTo(width / 2 - unit * 0.25 - grow, height * 0.92 + grow)
      pen.closePath()
    }
    surround(pen, width, height, '#0d0a08', shape(0))
    stroke(pen, shape(unit * 0.01), '#8e6b33', unit * 0.025)
  },
  binoculars: (pen, { width, height, unit }) => {
    const radius = Math.min(unit * 0.4, width * 0.29)
    surround(pen, width, height, '#060607', () => {
      pen.moveTo(width / 2, height / 2 + radius * 0.69)
      pen.arc(width / 2 - radius * 0.72, height / 2, radius, 0.74, Math.PI * 2 - 0.74)
      pen.arc(width / 2 + radius * 0.72, height / 2, radius, Math.PI + 0.74, Math.PI * 3 - 0.74)
      pen.closePath()
    })
  },
  hole: (pen, { width, height, unit }) => {
    const dark = pen.createRadialGradient(width / 2, height / 2, unit * 0.36, width / 2, height / 2, unit * 0.72)
    dark.addColorStop(0, '#3a332d')
    dark.addColorStop(1, '#0b0908')
    surround(pen, width, height, dark, () => pen.arc(width / 2, height / 2, unit * 0.4, 0, Math.PI * 2))
    stroke(pen, () => pen.arc(width / 2, height / 2, unit * 0.4, 0, Math.PI * 2), 'rgba(0,0,0,0.5)', unit * 0.03)
  },
}

/** Fills the whole picture except for the opening; `opening` adds the opening to the path. */
function surround(pen: SKRSContext2D, width: number, height: number, fill: SKRSContext2D['fillStyle'], opening: () => void): void {
  pen.beginPath()
  pen.rect(-1, -1, width + 2, height + 2)
  opening()
  pen.fillStyle = fill
  pen.fill('evenodd')
}

function stroke(pen: SKRSContext2D, shape: () => void, colour: string, width: number): void {
  pen.beginPath()
  shape()
  pen.strokeStyle = colour
  pen.lineWidth = width
  pen.lineJoin = 'round'
  pen.stroke()
}

function disc(pen: SKRSContext2D, x: number, y: number, radius: number, colour: string): void {
  pen.fillStyle = colour
  pen.beginPath()
  pen.arc(x, y, radius, 0, Math.PI * 2)
  pen.fill()
}

function ring(
  pen: SKRSContext2D,
  { x, y, radius, thickness, colour, light }: { x: number; y: number; radius: number; thickness: number; colour: string; light: string },
): void {
  const metal = pen.createLinearGradient(x - radius, y - radius, x + radius, y + radius)
  metal.addColorStop(0, light)
  metal.addColorStop(0.5, colour)
  metal.addColorStop(1, light)
  stroke(pen, () => pen.arc(x, y, radius, 0, Math.PI * 2), '#00000055', thickness * 1.15)
  pen.beginPath()
  pen.arc(x, y, radius, 0, Math.PI * 2)
  pen.strokeStyle = metal
  pen.lineWidth = thickness
  pen.stroke()
}

/** Draws the frame of a window with its bars. */
function woodwork(
  pen: SKRSContext2D,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  unit: number,
): void {
  const bar = unit * 0.022
  const draw = (colour: string, shift: number, thickness: number) => {
    pen.strokeStyle = colour
    pen.lineWidth = thickness
    pen.strokeRect(x + shift, y + shift, width, height)
    pen.beginPath()
    pen.moveTo(x + width / 2 + shift, y)
    pen.lineTo(x + width / 2 + shift, y + height)
    pen.moveTo(x, y + height * 0.36 + shift)
    pen.lineTo(x + width, y + height * 0.36 + shift)
    pen.stroke()
  }
  draw('rgba(40,30,24,0.45)', bar * 0.3, bar * 1.5)
  draw('#efe8dc', 0, bar)
  draw('#ffffff', -bar * 0.22, bar * 0.2)
  pen.strokeStyle = '#e4dacb'
  pen.lineWidth = unit * 0.04
  pen.strokeRect(x - unit * 0.012, y - unit * 0.012, width + unit * 0.024, height + unit * 0.024)
}

/** Draws a curtain at one side of a window, from the top of the picture to its lower edge. */
function curtain(pen: SKRSContext2D, { width, height, unit }: { width: number; height: number; unit: number }, isLeft: boolean): void {
  pen.save()
  if (!isLeft) {
    pen.translate(width, 0)
    pen.scale(-1, 1)
  }
  const wide = unit * 0.13
  const cloth = pen.createLinearGradient(0, 0, wide, 0)
  for (let fold = 0; fold <= 6; fold++) cloth.addColorStop(fold / 6, fold % 2 === 0 ? '#6e3f46' : '#a2656b')
  pen.fillStyle = cloth
  pen.beginPath()
  pen.moveTo(-1, -1)
  pen.lineTo(wide, -1)
  pen.bezierCurveTo(wide, height * 0.3, wide * 0.75, height * 0.5, wide * 0.5, height * 0.62)
  pen.bezierCurveTo(wide * 0.9, height * 0.75, wide, height * 0.9, wide * 0.95, height + 1)
  pen.lineTo(-1, height + 1)
  pen.fill()
  pen.restore()
}

/** Draws the rows of stones around an arch. */
function stones(
  pen: SKRSContext2D,
  { width, height, unit }: { width: number; height: number; unit: number },
  opening: () => void,
  random: Random,
): void {
  pen.save()
  pen.beginPath()
  pen.rect(0, 0, width, height)
  opening()
  pen.clip('evenodd')
  const course = unit * 0.085
  for (let row = 0; row * course < height; row++) {
    for (let x = -random.between(0, course * 2); x < width; ) {
      const long = course * random.between(1.5, 2.4)
      pen.fillStyle = random.pick(['rgba(255,246,230,0.16)', 'rgba(60,48,38,0.16)', 'rgba(255,246,230,0.05)', 'rgba(60,48,38,0.08)'])
      pen.fillRect(x + 1, row * course + 1, long - 2, course - 2)
      pen.strokeStyle = 'rgba(50,40,32,0.35)'
      pen.lineWidth = unit * 0.004
      pen.strokeRect(x, row * course, long, course)
      x += long
    }
  }
  pen.restore()
}

/** Draws raindrops on the glass. Each has a light and a dark edge, and some leave a track. */
function drops(pen: SKRSContext2D, { width, height, unit }: { width: number; height: number; unit: number }, random: Random): void {
  for (let index = 0; index < 130; index++) {
    const [x, y, radius] = [random.between(0.1, 0.9) * width, random.between(0.06, 0.8) * height, unit * random.between(0.003, 0.011)]
    if (index % 6 === 0) {
      pen.strokeStyle = 'rgba(235,244,255,0.22)'
      pen.lineWidth = radius * 1.2
      pen.beginPath()
      pen.moveTo(x, y)
      pen.lineTo(x + random.between(-1, 1) * radius, y - unit * random.between(0.05, 0.16))
      pen.stroke()
    }
    disc(pen, x, y + radius * 0.2, radius, 'rgba(20,30,44,0.28)')
    disc(pen, x, y, radius * 0.92, 'rgba(214,228,240,0.55)')
    disc(pen, x - radius * 0.3, y - radius * 0.35, radius * 0.3, 'rgba(255,255,255,0.9)')
  }
}
