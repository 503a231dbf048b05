import { createRandom } from '@generation-gateway/studio/random.ts'
import type { Scene } from '@generation-gateway/studio/scene.ts'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import type { Pen } from '../raster/pen.ts'
import type { View } from '../world/view.ts'

interface Flashes {
  /** Times of the lightning strikes in seconds. */
  times: number[]
  /** Draws the bolt. It must be called before the things on the ground are drawn, because things on
   *  the ground hide the bolt behind them. */
  sky(pen: Pen, view: View, seconds: number): void
  /** Brightens the picture with the light that the bolt casts. */
  light(pen: Pen, seconds: number): void
}

/** Returns the lightning of a storm: on average one strike every two seconds. */
export function createFlashes(scene: Scene, { seed, seconds: length }: { seed: string; seconds: number }): Flashes {
  const isStorm =
    scene.weather.includes('lightning') || (scene.weather.includes('storm') && /lightning|thunder|闪电|雷/iu.test(scene.prompt))
  const random = createRandom(`${seed}/flashes`)
  const times: number[] = []
  if (isStorm) for (let t = random.between(0.3, 0.9); t < length; t += random.between(1.3, 2.8)) times.push(t)
  const drawn: Canvas[] = []
  const bolts = times.map(() => boltOf(random.next(), random.next() * 1e6))
  return {
    times,
    sky: (pen, view, seconds) => {
      times.forEach((time, index) => {
        const age = seconds - time
        const points = bolts[index]
        if (age < 0 || age > 0.22 || !points) return
        const { width, height } = view.picture
        const foot = view.world.horizonY * view.at(0).scale + view.at(0).y
        const bolt = drawn[index] ?? boltPicture(points, height)
        drawn[index] = bolt
        pen.save()
        pen.mode = 'screen'
        pen.alpha = age < 0.08 || age > 0.13 ? Math.max(0, 1 - age * 3) : 0.35
        pen.image(bolt, { x: ((points[0]?.[0] ?? 0.5) - boltWidth / 2) * width, y: 0, width: boltWidth * width, height: foot })
        pen.restore()
      })
    },
    light: (pen, seconds) => {
      const strength = times.reduce((sum, time) => {
        const age = seconds - time
        return age < 0 || age > 0.6 ? sum : sum + Math.exp(-age * 7) * (age > 0.09 && age < 0.14 ? 0.3 : 1)
      }, 0)
      if (strength < 0.02) return
      const force = Math.min(1, strength)
      pen.light(force * 0.95, force, force * 1.2)
    },
  }
}

/** Width of the area in which a bolt may run, centred on its upper end, as a share of the picture's
 *  width. */
const boltWidth = 0.8

/** Returns a picture of a bolt that runs from the upper edge to the lower one. */
function boltPicture(points: readonly [number, number][], height: number): Canvas {
  const canvas = createCanvas(Math.round(height * 1.2), Math.round(height * 0.6))
  const pen = canvas.getContext('2d')
  const [first] = points
  pen.lineJoin = 'round'
  for (const [thick, colour] of [
    [0.012, 'rgba(140,160,255,0.35)'],
    [0.0036, 'rgba(240,244,255,1)'],
  ] as const) {
    pen.strokeStyle = colour
    pen.lineWidth = height * thick
    pen.beginPath()
    points.forEach(([x, y], at) => {
      const to = [((x - (first?.[0] ?? 0)) / boltWidth + 0.5) * canvas.width, y * canvas.height] as const
      if (at === 0) pen.moveTo(...to)
      else pen.lineTo(...to)
    })
    pen.stroke()
  }
  return canvas
}

/** Returns the points of a bolt from the top of the sky to the horizon, as shares of the
 *  picture. */
function boltOf(at: number, seed: number): [number, number][] {
  const random = createRandom(`bolt${seed}`)
  const points: [number, number][] = []
  let x = 0.15 + at * 0.7
  for (let i = 0; i <= 14; i++) {
    points.push([x, i / 14])
    x += (random.next() - 0.5) * 0.06
  }
  return points
}
