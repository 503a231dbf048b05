import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differencesBetween } from '@generation-gateway/kit/testing/likeness.ts'
import { drawScene } from '@generation-gateway/studio/draw-scene.ts'
import { studioArt } from '@generation-gateway/studio/subjects/drawable.ts'
import { parseVaried } from '@generation-gateway/studio/variety/vary.ts'
import { drawShots } from '../film.ts'
import { pixelsOf } from '../finish/planes.ts'
import { planShots } from '../shots.ts'
import { requested } from '../testing/frames.ts'
import { canvasOf } from './fit.ts'

const picture = { width: 160, height: 90 }

test('a picture that the studio drew moves in the look it has: its moving layers equal it', async () => {
  studioArt()
  for (const words of ['at noon', 'at night', 'at noon, cinematic', 'at night, noir', 'at noon, watercolor', 'at night, oil painting']) {
    const scene = parseVaried(`a red fox on a beach ${words}`, { seed: '7' })
    const pixels = new Uint8Array((await drawScene(scene, picture)).data)
    const { shots } = planShots({ ...requested, prompt: 'the fox looks around', seconds: 2 }, '7')
    const pictures = { first: canvasOf(pixels, picture), own: { scene, pixels } }
    const draw = drawShots(shots, { picture, seed: '7', framesPerSecond: 4, pictures, palette: undefined })
    for (const [frame, rows] of [
      [0, 12],
      // After a second, the crossfade from the picture has ended, so every pixel comes from the
      // moving layers. In a drawn style the difference may be larger, because each layer is shaded
      // separately.
      [4, /watercolor|oil/.test(words) ? 96 : 48],
    ] as const)
      assert.deepEqual(
        differencesBetween({ data: pixelsOf(await draw(frame), picture), ...picture }, { data: pixels, ...picture }, { rows }),
        [],
        `${words}, frame ${frame}`,
      )
  }
})
