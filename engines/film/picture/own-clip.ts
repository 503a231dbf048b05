/** Animates a first picture that the built-in image engine (studio) drew. The scene of such a
 *  picture is known, so its subjects can move, too, and not only the camera. */

import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import { placeScene } from '@generation-gateway/studio/compose.ts'
import type { Scene } from '@generation-gateway/studio/scene.ts'
import { createFinish, type Finish } from '../finish/finish.ts'
import { createPlanes } from '../finish/planes.ts'
import type { Store } from '../raster/store.ts'
import { type Clip, worldClip } from '../world/clip.ts'
import type { PictureSize } from '../world/view.ts'

interface OwnShot {
  /** Scene from which the picture was drawn. */
  own: Scene
  /** Scene of the film's prompt, which describes the action. */
  said: Scene
  /** Pixels of the picture. */
  pixels: Uint8Array
  picture: PictureSize
  seconds: number
  framesPerSecond: number
  steps: readonly CameraMove[]
  seed: string
  giveWay?: (() => Promise<void>) | undefined
  store: Store
}

/** Seconds of the crossfade from the given picture to the moving layers. */
const turning = 0.5

/** Returns a clip whose first frame is exactly the picture; the picture then fades into the moving
 *  layers. */
export async function ownClip(shot: OwnShot): Promise<{ clip: Clip; finish: Finish }> {
  const { own, said, pixels, picture, seconds, framesPerSecond, steps, seed, giveWay, store } = shot
  const scene = alive(own, said, picture)
  const clip = await worldClip({ scene, picture, seconds, steps, seed, isExact: true, giveWay })
  const finish = createFinish({ style: scene.style, moods: scene.moods, seed: own.seed }, picture, store)
  const given = givenPlanes(pixels, { picture, seed, store })
  const { kernels } = store
  return {
    clip,
    finish: {
      ...finish,
      frame: (pen, frame) => {
        const share = Math.min(1, frame / framesPerSecond / turning)
        const drawn = finish.frame(pen, frame)
        if (share >= 1) return drawn
        const weight = Math.round(256 * share * share * (3 - 2 * share))
        kernels.mix(drawn.byteOffset, given, drawn.byteOffset, Math.ceil(drawn.length / 16), weight)
        return drawn
      },
    },
  }
}

/** Converts the pixels of a picture to I420 planes. Returns the address of the planes in the
 *  drawing memory. */
function givenPlanes(pixels: Uint8Array, { picture, seed, store }: Pick<OwnShot, 'picture' | 'seed' | 'store'>): number {
  const { width, height } = picture
  const surface = store.surface(width, height)
  const bytes = store.bytes()
  for (let y = 0; y < height; y++) bytes.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), surface.at + y * surface.stride)
  return createPlanes(store, picture, { seed })(surface, 0).byteOffset
}

/** Returns the picture's scene with every subject pinned to its place. Poses and weather that
 *  the film's prompt names are taken over from the prompt. */
function alive(own: Scene, said: Scene, size: PictureSize): Scene {
  const things = own.pins?.things ?? placeScene(own, size)
  const subjects = own.subjects.map(subject => {
    const named = said.subjects.find(
      ({ noun, pose }) => noun === subject.noun && pose !== undefined && new RegExp(`\\b${pose.slice(0, 4)}`, 'iu').test(said.prompt),
    )
    return named?.pose ? { ...subject, pose: named.pose } : subject
  })
  const says = /rain|snow|storm|fog|wind|lightning|雨|雪|雾|风/iu.test(said.prompt)
  const weather = says ? [...new Set([...own.weather, ...said.weather])] : own.weather
  const portrait = own.pins?.portrait
  return {
    ...own,
    subjects,
    weather,
    prompt: `${own.prompt}, ${said.prompt}`,
    pins: { ratio: size.width / size.height, things, ...(portrait ? { portrait } : {}) },
  }
}
