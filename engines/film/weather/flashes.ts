import { createRandom } from '@generation-gateway/studio/random.ts'
import type { Scene } from '@generation-gateway/studio/scene.ts'
import type { SKRSContext2D } from '@napi-rs/canvas'
import type { View } from '../world/view.ts'

export interface Flashes {
  /** Times of the strikes in seconds. */
  times: number[]
  /** The bolt, before what stands on the ground. */
  sky(context: SKRSContext2D, view: View, seconds: number): void
  /** The light that it throws. */
  light(context: SKRSContext2D, view: View, seconds: number): void
}

/** Lightning of a storm: one strike in two seconds or so. */
export function createFlashes(scene: Scene, { seed, seconds: length }: { seed: string; seconds: number }): Flashes {
  const isStorm =
    scene.weather.includes('lightning') || (scene.weather.includes('storm') && /lightning|thunder|闪电|雷/iu.test(scene.prompt))
  const random = createRandom(`${seed}/flashes`)
  const times: number[] = []
  if (isStorm) for (let t = random.between(0.3, 0.9); t < length; t += random.between(1.3, 2.8)) times.push(t)
  const bolts = times.map(() => boltOf(random.next(), random.next() * 1e6))
  return {
    times,
    sky: (context, view, seconds) => {
      times.forEach((time, index) => {
        const age = seconds - time
        const bolt = bolts[index]
        if (age < 0 || age > 0.22 || !bolt) return
        const { width, height } = view.picture
        const foot = view.world.horizonY * view.at(0).scale + view.at(0).y
        context.save()
        context.globalCompositeOperation = 'screen'
        context.globalAlpha = age < 0.08 || age > 0.13 ? 1 - age * 3 : 0.35
        context.lineJoin = 'round'
        for (const [thick, colour] of [
          [0.012, 'rgba(140,160,255,0.35)'],
          [0.0036, 'rgba(240,244,255,1)'],
        ] as const) {
          context.strokeStyle = colour
          context.lineWidth = height * thick
          context.beginPath()
          bolt.forEach(([x, y], at) => {
            if (at === 0) context.moveTo(x * width, y * foot)
            else context.lineTo(x * width, y * foot)
          })
          context.stroke()
        }
        context.restore()
      })
    },
    light: (context, view, seconds) => {
      const strength = times.reduce((sum, time) => {
        const age = seconds - time
        return age < 0 || age > 0.6 ? sum : sum + Math.exp(-age * 7) * (age > 0.09 && age < 0.14 ? 0.3 : 1)
      }, 0)
      if (strength < 0.02) return
      context.save()
      context.globalCompositeOperation = 'soft-light'
      context.fillStyle = `rgba(225,232,255,${Math.min(0.9, strength * 0.8).toFixed(3)})`
      context.fillRect(-200, -200, view.picture.width + 400, view.picture.height + 400)
      context.restore()
    },
  }
}

/** From the top of the sky to the horizon, in shares. */
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
