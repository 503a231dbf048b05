import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import type { Frame, PartKeeper, PartKind, Random } from '../drawing.ts'
import type { Scene } from '../scene.ts'
import { createNoise, type Noise } from './noise.ts'
import { type Palette, paletteOf } from './palette.ts'
import { type View, type ViewPlan, viewOf } from './view.ts'

/** The data that all painters of one picture share: its size, camera, colours and random
 *  numbers. */
export interface Stage {
  width: number
  height: number
  /** The short side in pixels. All sizes in the picture are in proportion to it, so that the layout
   *  is the same at every resolution. */
  unit: number
  scene: Scene
  random: Random
  view: View
  palette: Palette
  /** Position of the sun or moon in the picture, in pixels. `side` is the side from which it
   *  shines, -1 (left) to 1 (right). */
  sun: { x: number; y: number; side: number }
  /** True when the setting's details contain one of the words. */
  has(...words: string[]): boolean
  /** True when a subject of the scene is of this kind. The place must then not contain one, because
   *  the picture would show more of them than the prompt says. */
  isSubject(kind: RegExp): boolean
  /** True when the scene's weather contains one of the words. */
  weather(...words: Scene['weather'][number][]): boolean
  noise(name: string): Noise
  /** For a film, makes everything painted since the last call a separate part (`PartKeeper.part`).
   *  For a picture, it does nothing. */
  part(context: SKRSContext2D, kind: PartKind, nearness?: number): void
  soFar(context: SKRSContext2D): Canvas
  isFilm: boolean
}

/** Radius of the moon, as a share of the short side of the picture. */
export const moonShare = 0.056

/** Returns the data that painters share for one picture: the colours, the camera, and the position
 *  of the sun. */
export function createStage(frame: Frame, plan: ViewPlan): Stage {
  const { width, height, scene } = frame
  const unit = Math.min(width, height)
  const random = frame.random.fork('environment')
  const view = viewOf(frame, plan)
  const palette = paletteOf(scene)
  const details = new Set(scene.setting.details)
  return {
    width,
    height,
    unit,
    scene,
    random,
    view,
    palette,
    sun: sunOf(frame, view, palette.lightHeight, random.fork('sun')),
    has: (...words) => words.some(word => details.has(word)),
    isSubject: kind => scene.subjects.some(({ noun }) => kind.test(noun)),
    weather: (...words) => words.some(word => scene.weather.includes(word)),
    noise: name => createNoise(random.fork(`noise ${name}`)),
    ...(frame.parts ? { ...keptBy(frame.parts), isFilm: true } : whole),
  }
}

const whole = { part: () => {}, soFar: (context: SKRSContext2D) => context.canvas, isFilm: false }

function keptBy(keeper: PartKeeper): Pick<Stage, 'part' | 'soFar'> {
  return { part: (...given) => keeper.part(...given), soFar: context => keeper.soFar(context) }
}

function sunOf(frame: Frame, view: View, lightHeight: number, random: Random): Stage['sun'] {
  const side = (random.next() < 0.5 ? -1 : 1) * random.between(0.35, 0.72)
  const isLow = lightHeight < 0.2
  const span = Math.min(frame.width, 1.7 * Math.min(frame.width, frame.height))
  const sky = Math.max(view.horizonY, 0.1 * frame.height)
  const y = isLow ? view.horizonY - lightHeight * 0.9 * Math.min(frame.width, frame.height) : sky * (1 - 0.45 - lightHeight * 0.5)
  // A moon that the prompt names is shown as a whole, even where there is little sky.
  const least = frame.scene.setting.details.includes('moon')
    ? 1.4 * moonShare * Math.min(frame.width, frame.height)
    : Number.NEGATIVE_INFINITY
  return { x: frame.width / 2 + (side * span) / 2, y: Math.max(y, least), side }
}
