import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import { layScene } from '@generation-gateway/studio/layers.ts'
import { parseVaried } from '@generation-gateway/studio/variety/vary.ts'
import { readCamera } from '../camera/words.ts'
import { difference, frameAt, shiftRight } from '../testing/frames.ts'
import { castOf, turnWalkers } from './actor.ts'
import { worldClip } from './clip.ts'

const picture = { width: 256, height: 144 }
const seconds = 2

async function clipOf(words: string, steps?: CameraMove[]) {
  const read = readCamera(words)
  const scene = parseVaried(read.prompt, { seed: '7' })
  return worldClip({ scene, picture, seconds, steps: steps ?? read.steps, seed: '7' })
}

const far = { top: 20, bottom: 110 }

test('a pan to the left moves the scenery to the right, and back again', async () => {
  const left = await clipOf('mountains and a lake at noon, pan left')
  const right = await clipOf('mountains and a lake at noon, pan right')
  const [a, b] = [frameAt(left, picture, 0.8), frameAt(left, picture, 1.2)]
  assert.ok(shiftRight(a, b, picture, far) > 12, String(shiftRight(a, b, picture, far)))
  assert.ok(shiftRight(frameAt(right, picture, 0.8), frameAt(right, picture, 1.2), picture, far) < -12)
})

test('while the camera moves, near things pass faster than far ones', async () => {
  const clip = await clipOf('a meadow at noon', [{ horizontal: 6 }])
  const [a, b] = [frameAt(clip, picture, 0.9), frameAt(clip, picture, 1.1)]
  const sky = shiftRight(a, b, picture, { top: 0, bottom: 40 })
  const ground = shiftRight(a, b, picture, { top: 124, bottom: 144 })
  assert.ok(Math.abs(sky) <= 1 && ground < -6, `${sky} ${ground}`)
})

test('the same seed gives the same frames, and any moment can be drawn on its own', async () => {
  const [one, two] = [await clipOf('a fox running through snow'), await clipOf('a fox running through snow')]
  const late = frameAt(one, picture, 1.5)
  frameAt(two, picture, 0.3)
  assert.equal(difference(late, frameAt(two, picture, 1.5)), 0)
})

test('rain is visible and falls', async () => {
  const still: CameraMove[] = [{}]
  const [dry, wet] = [await clipOf('a plain street at noon, clear sky', still), await clipOf('a plain street at noon, rain', still)]
  const moved = difference(frameAt(wet, picture, 1), frameAt(wet, picture, 1.1))
  assert.ok(difference(frameAt(dry, picture, 1), frameAt(dry, picture, 1.1)) < 0.6)
  assert.ok(moved > 1.2, String(moved))
})

test('a running animal has a gait of sixteen phases, and a standing one has none', async () => {
  const running = await layScene(parseVaried('a fox running through snow', { seed: '7' }), picture)
  const [fox] = running.subjects
  assert.equal(fox?.moments.length, 16)
  assert.ok(fox && new Set(fox.moments.map(({ width, height }) => `${width.toFixed(1)}x${height.toFixed(1)}`)).size > 8)
  const standing = await layScene(parseVaried('a fox standing in a meadow', { seed: '7' }), picture)
  assert.equal(standing.subjects[0]?.moments.length, 0)
})

test('a walking subject moves in the direction it looks, also when the camera pans', async () => {
  const size = { width: 256, height: 144 }
  for (const [words, looks] of [
    // The dog and the cat have drawings for a walk cycle, which look to the right. The duck is a
    // static emoji, which looks to the left.
    ['a dog walks on the beach', 'right'],
    ['a cat walks in a garden', 'right'],
    ['a duck walks in a garden', 'left'],
  ] as const) {
    const scene = parseVaried(words, { seed: '7' })
    const { subjects } = await layScene(scene, size)
    const [actor] = castOf(subjects, scene, { ...size, horizonY: 70, density: 1 })
    assert.ok(actor)
    const { facing, placed } = actor.layer
    assert.equal(facing, looks, words)
    const side = (looks === 'right') === placed.flip ? -1 : 1
    assert.equal(Math.sign(actor.speed), side, words)
    assert.equal(turnWalkers([actor], -side), true)
    assert.deepEqual([Math.sign(actor.speed), actor.isTurned], [-side, true])
  }
})

test('the camera keeps the main subject in view although birds are in the sky', async () => {
  for (const words of [
    'a red sailing boat on the sea at noon, gulls in the sky',
    'a red lighthouse by the sea at noon, gulls in the sky',
  ]) {
    const scene = parseVaried(words, { seed: '7' })
    const clip = await worldClip({ scene, picture, seconds: 4, steps: [], seed: '7' })
    for (const at of [0, 2, 3.9]) {
      const pixels = frameAt(clip, picture, at)
      let red = 0
      for (let i = 0; i < pixels.length; i += 4) if (pixels[i]! > 150 && pixels[i + 1]! < 80 && pixels[i + 2]! < 80) red += 1
      assert.ok(red > 150, `${words}: ${red} red pixels at ${at} s`)
    }
  }
})

test('a walking subject is completely in the picture until the end of a dolly in', async () => {
  for (const seed of ['7', '8', '9', '10']) {
    const read = readCamera('a girl in a red dress walks through a park [Push in]')
    const clip = await worldClip({ scene: parseVaried(read.prompt, { seed }), picture, seconds: 6, steps: read.steps, seed })
    const red = (at: number) => {
      const frame = frameAt(clip, picture, at)
      let count = 0
      for (let i = 0; i < frame.length; i += 4) if (frame[i]! > 140 && frame[i + 1]! < 70 && frame[i + 2]! < 80) count++
      return count
    }
    const [start, end] = [red(0.1), red(5.9)]
    assert.ok(start > 60 && end > start * 0.8, `seed ${seed}: ${start} red pixels, then ${end}`)
  }
})

test('with a tracking camera there is only one sun, above its light on the water', async () => {
  const scene = parseVaried('a dog runs along the beach at sunset', { seed: '7' })
  const clip = await worldClip({ scene, picture, seconds: 4, steps: [], seed: '7' })
  for (const at of [0.1, 3.9]) {
    const frame = frameAt(clip, picture, at)
    const brightColumns = ({ top, bottom }: { top: number; bottom: number }, least: readonly number[]) => {
      const isBright = (x: number, y: number) => least.every((level, part) => frame[(y * picture.width + x) * 4 + part]! > level)
      const rows = Array.from({ length: bottom - top }, (_, i) => top + i)
      return Array.from({ length: picture.width }, (_, x) => x).filter(x => rows.some(y => isBright(x, y)))
    }
    for (const columns of [
      brightColumns({ top: 15, bottom: 50 }, [252, 247, 205]),
      brightColumns({ top: 62, bottom: 70 }, [250, 250, 215]),
    ]) {
      assert.ok(columns.length > 1 && columns.at(-1)! - columns[0]! < 30, `${at} s: bright columns ${columns.join()}`)
    }
  }
})

test('the string of a kite is part of its layers', async () => {
  const layers = await layScene(parseVaried('a boy flying a kite', { seed: '7' }), picture)
  const kite = layers.subjects.find(({ subject }) => subject.art === 'drawn:kite')
  assert.ok(kite?.below && kite.below.height > kite.body.height * 0.5, String(kite?.below?.height))
})
