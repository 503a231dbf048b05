import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import { framesOf, openFilm, requested } from '../testing/frames.ts'
import { blocksOf, type Movement, movementOf } from '../testing/optical-flow.ts'

const { engine } = openFilm()
const size = { width: 320, height: 180 }
const framesPerSecond = 24
const stepFrames = 12

/** Returns the frames of a film with these camera steps, each of which takes half a second. */
async function filmed(prompt: string, camera: CameraMove[]): Promise<Uint8Array[]> {
  const seconds = (camera.length * stepFrames) / framesPerSecond
  const done = await engine.run('video.generate', { ...requested, ...size, prompt, framesPerSecond, seconds, camera })
  return framesOf(done.files.find(({ role }) => role === 'video')?.path ?? '', size)
}

/** Returns the measured movement between two neighbouring frames, `at` frames after the start of a
 *  step. */
function movementIn(frames: readonly Uint8Array[], step: number, at = stepFrames / 2): Movement {
  const first = step * stepFrames + at
  const [from, to] = [frames[first], frames[first + 1]]
  assert.ok(from && to)
  return movementOf(blocksOf(from, to, size), size)
}

const isNothing = (value: number) => Math.abs(value) < 0.25
const isAlike = ({ near, far }: Movement, axis: 'x' | 'y') => Math.abs(near[axis] - far[axis]) < 0.3 + 0.1 * Math.abs(near[axis])

/** The fourteen camera instructions of family H that need no subject. Each instruction is listed
 *  with the camera move into which family H converts it, and with a check of the movement that is
 *  measured in the frames. The move lasts half a second. */
const instructions: [name: string, move: CameraMove, isSeen: (seen: Movement) => boolean][] = [
  ['truck left', { horizontal: -2.5 }, ({ x, near, far }) => x > 1 && near.x > far.x * 1.5 && far.x > 0],
  ['truck right', { horizontal: 2.5 }, ({ x, near, far }) => x < -1 && near.x < far.x * 1.5 && far.x < 0],
  ['pan left', { pan: -2.5 }, seen => seen.x > 3 && isNothing(seen.y) && isAlike(seen, 'x')],
  ['pan right', { pan: 2.5 }, seen => seen.x < -3 && isNothing(seen.y) && isAlike(seen, 'x')],
  ['push in', { depth: 2.5 }, ({ growth, near, far }) => growth > 0.003 && near.y > 0.2 && Math.abs(far.y) < near.y],
  ['pull out', { depth: -2.5 }, ({ growth, near, far }) => growth < -0.003 && near.y < -0.2 && Math.abs(far.y) < -near.y],
  ['zoom in', { zoom: -2.5 }, ({ growth, near, far }) => growth > 0.01 && near.y > 0.5 && far.y < -0.5],
  ['zoom out', { zoom: 2.5 }, ({ growth, near, far }) => growth < -0.01 && near.y < -0.5 && far.y > 0.5],
  ['pedestal up', { vertical: 2.5 }, ({ x, near, far }) => isNothing(x) && near.y > 0.6 && near.y > far.y * 1.5],
  ['pedestal down', { vertical: -2.5 }, ({ x, near, far }) => isNothing(x) && near.y < -0.6 && near.y < far.y * 1.5],
  ['tilt up', { tilt: 2.5 }, seen => isNothing(seen.x) && seen.y > 1 && isAlike(seen, 'y')],
  ['tilt down', { tilt: -2.5 }, seen => isNothing(seen.x) && seen.y < -1 && isAlike(seen, 'y')],
  ['static', {}, ({ x, y, near, growth }) => isNothing(x) && isNothing(y) && isNothing(near.y) && Math.abs(growth) < 0.002],
]

test('every camera instruction is visible in the optical flow of the encoded frames', async () => {
  const shake = { shake: 5 }
  const frames = await filmed('a park with trees at noon', [...instructions.map(([, move]) => move), shake])
  for (const [step, [name, , isSeen]] of instructions.entries()) {
    const seen = movementIn(frames, step)
    assert.ok(isSeen(seen), `${name}: ${JSON.stringify(seen)}`)
  }
  const shaken = Array.from({ length: stepFrames - 1 }, (_, at) => movementIn(frames, instructions.length, at))
  const spread = Math.sqrt(shaken.reduce((sum, { x, y }) => sum + x * x + y * y, 0) / shaken.length)
  const turns = shaken.filter(({ y }, at) => at > 0 && y * (shaken[at - 1]?.y ?? 0) < 0).length
  assert.ok(spread > 0.5 && turns >= 1, `shake: ${spread} pixels, ${turns} turns`)
})

test('with a tracking shot the background moves past the subject; with a static camera it does not', async () => {
  const prompt = 'a red car driving on a road through fields'
  const [followed, fixed] = [await filmed(prompt, [{ follow: true }]), await filmed(prompt, [{}])]
  const passed = (frames: Uint8Array[]) => Math.abs(movementIn(frames, 0).near.x)
  assert.ok(passed(followed) > 1.5 && passed(fixed) < 0.5, `${passed(followed)} ${passed(fixed)}`)
  const way = (frames: Uint8Array[]) => Math.abs(redMiddle(frames.at(-1)) - redMiddle(frames[0]))
  assert.ok(way(followed) < size.width * 0.06 && way(fixed) > way(followed) * 2, `${way(followed)} ${way(fixed)}`)
})

/** Returns the mean column of the red pixels. */
function redMiddle(pixels: Uint8Array = new Uint8Array()): number {
  let [sum, count] = [0, 0]
  for (let i = 0; i < pixels.length; i += 4) {
    const [red, green, blue] = [pixels[i] ?? 0, pixels[i + 1] ?? 0, pixels[i + 2] ?? 0]
    if (red < 110 || green > red * 0.45 || blue > red * 0.45) continue
    sum += (i / 4) % size.width
    count++
  }
  assert.ok(count > 30, 'the car is seen')
  return sum / count
}
