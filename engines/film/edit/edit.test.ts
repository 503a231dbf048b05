/** Edits a video by plain words. Tests the frames that the engine produces, and which requests it
 *  refuses before it runs. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { openEngine } from '@generation-gateway/kit/open-engine.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import type { VideoResult } from '@generation-gateway/kit/requests/video.ts'
import { encodeVideo } from '@generation-gateway/kit/video/encode.ts'
import { probeVideo } from '@generation-gateway/kit/video/probe.ts'
import film from '../driver.ts'
import { refusesFilm } from '../limits.ts'
import { framesOf, openFilm, requested } from '../testing/frames.ts'
import { readVideoEdit } from './words.ts'

const { engine, folder } = openFilm()
const size = { width: 320, height: 180 }
let base: InputFile

/** Returns a frame that is red at the left and blue at the right, with a green bar at the top. All
 *  its colours get lighter with the time. */
function frameAt(time: number): Uint8Array {
  const frame = new Uint8Array(size.width * size.height * 4).fill(255)
  const light = 60 + time * 120
  for (let i = 0; i < size.width * size.height; i++) {
    const [isLeft, isTop] = [i % size.width < size.width / 2, i < (size.width * size.height) / 6]
    frame.set(isTop ? [20, light, 20] : isLeft ? [light, 20, 20] : [20, 20, light], i * 4)
  }
  return frame
}

before(async () => {
  const path = join(folder, 'base.mp4')
  const frames = async function* () {
    for (let i = 0; i < 12; i++) yield frameAt(i / 11)
  }
  await encodeVideo({ ...size, framesPerSecond: 12, frames: frames(), pixels: 'rgba', path, signal: new AbortController().signal })
  base = { role: 'base', path, mediaType: 'video/mp4', bytes: 1, durationSeconds: 1, ...size }
})

interface Edited {
  counted: number
  frames: Uint8Array[]
  width: number
  height: number
  seconds: number
  notFollowed: VideoResult['notFollowed']
}

async function edited(prompt: string): Promise<Edited> {
  const { files, report, usage } = await engine.run('video.generate', { ...requested, prompt }, { inputs: [base] })
  const path = files.find(({ role }) => role === 'video')?.path ?? ''
  const { width, height, seconds } = await probeVideo(path)
  // A film's report is always a VideoResult.
  const counted = usage?.find(({ unit }) => unit === 'seconds')?.units ?? Number.NaN
  return {
    frames: await framesOf(path, { width, height }),
    width,
    height,
    seconds,
    counted,
    notFollowed: (report as VideoResult).notFollowed,
  }
}

/** Returns the mean red, green and blue of 9 by 9 pixels. The centre is given as shares of the
 *  width and the height. */
function colourAt({ frames, width, height }: Edited, [x, y]: [number, number], index = 6): [number, number, number] {
  const frame = frames[index] ?? new Uint8Array()
  const sum: [number, number, number] = [0, 0, 0]
  for (let dy = -4; dy <= 4; dy++)
    for (let dx = -4; dx <= 4; dx++) {
      const at = ((Math.round(y * height) + dy) * width + Math.round(x * width) + dx) * 4
      for (const part of [0, 1, 2] as const) sum[part] += (frame[at + part] ?? 0) / 81
    }
  return sum
}

const lightOf = (made: Edited, index: number) => Math.max(...colourAt(made, [0.25, 0.6], index))

test('an instruction makes a video grey, warmer or brighter', async () => {
  const plain = await edited('mute it')
  const [red, , blue] = colourAt(plain, [0.25, 0.6])
  assert.ok(red > 90 && blue < 60, 'without a change it is as it was')
  const grey = colourAt(await edited('make it grey'), [0.25, 0.6])
  assert.ok(Math.max(...grey) - Math.min(...grey) < 12, grey.join())
  const warm = colourAt(await edited('a bit warmer'), [0.75, 0.6])
  const own = colourAt(plain, [0.75, 0.6])
  assert.ok(warm[2] < own[2] - 2, `${own} to ${warm}`)
  assert.ok(lightOf(await edited('much brighter'), 6) > lightOf(plain, 6) + 15)
})

test('an instruction makes a video slower or faster, or plays it backwards', async () => {
  const slow = await edited('slower, please')
  assert.ok(Math.abs(slow.seconds - 2) < 0.1, `${slow.seconds} s`)
  assert.ok(lightOf(slow, 22) > lightOf(slow, 2) + 40, 'all of it is there')
  assert.equal(slow.counted, 2, 'what is made longer is counted as it was made')
  const fast = await edited('make it twice as fast')
  assert.ok(Math.abs(fast.seconds - 0.5) < 0.1, `${fast.seconds} s`)
  assert.equal(fast.counted, 1, 'what is made shorter is counted as it was sent')
  const reversed = await edited('reverse it')
  assert.ok(Math.abs(reversed.seconds - 1) < 0.05)
  assert.ok(lightOf(reversed, 0) > lightOf(reversed, 11) + 40, 'the last frame comes first')
})

test('videos are played backwards one after another, because each has all its frames in memory', async () => {
  await using two = openEngine(film, { folder, cores: 2 })
  const seen: string[] = []
  const run = (name: string) =>
    two.run(
      'video.generate',
      { ...requested, count: 2, prompt: 'reverse it' },
      { inputs: [base], account: name, onProgress: () => seen.push(name) },
    )
  await Promise.all([run('a'), run('b')])
  const changes = seen.filter((name, at) => at > 0 && name !== seen[at - 1])
  assert.deepEqual([new Set(seen).size, changes.length], [2, 1], seen.join(''))
})

test('an instruction crops a video to a square, flips, turns or blurs it, or removes its sound', async () => {
  const square = await edited('crop to square')
  assert.deepEqual([square.width, square.height], [180, 180])
  assert.ok(colourAt(square, [0.2, 0.6])[0] > 90 && colourAt(square, [0.8, 0.6])[2] > 90, 'its middle is kept')
  const flipped = await edited('mirror it')
  assert.ok(colourAt(flipped, [0.25, 0.6])[2] > 90, 'blue is at the left')
  const turned = await edited('rotate it 90 degrees')
  assert.deepEqual([turned.width, turned.height], [180, 320])
  assert.ok(colourAt(turned, [0.92, 0.5])[1] > 90, 'the top is at the right')
  const [red, , blue] = colourAt(await edited('blur'), [0.5, 0.6])
  assert.ok(red > 30 && blue > 30, 'red and blue run into each other')
})

test('other parts of the instruction are reported as not followed', async () => {
  const { notFollowed, frames } = await edited('make it black and white and add a dragon on the roof')
  assert.deepEqual([notFollowed, frames.length], [['prompt'], 12])
  assert.equal((await edited('make it sepia')).notFollowed, undefined)
})

const refusalOf = (prompt: string, durationSeconds = 3) =>
  refusesFilm({
    request: { ...requested, prompt, width: 1280, height: 720, framesPerSecond: 24 },
    inputs: [{ role: 'base', mediaType: 'video/mp4', bytes: 1, durationSeconds }],
    settings: {},
    model: '',
  })

test('an instruction without any known edit is refused before the film is queued, with the known edits', () => {
  for (const prompt of [
    'hello',
    'replace the man with a robot',
    '让他微笑',
    'the cat jumps over the fence',
    '🙂',
    "don't make it grey",
    'do not play it backwards',
    '不要变成黑白',
  ])
    assert.match(
      String(refusalOf(prompt)?.message),
      /^prompt: says nothing that this engine can change in a video\. It can make a video grey/,
    )
  assert.match(String(refusalOf('slower', 40)?.message), /80 seconds long; at most 60/)
  assert.match(String(refusalOf('reverse it', 55)?.message), /backwards; at most \d+ are/)
})

test('instructions are read in several languages', () => {
  const said = [
    'make it grey',
    'black and white',
    'warmer',
    'slower',
    'faster',
    'brighter',
    'reverse it',
    'crop to square',
    'blur',
    'slow motion',
    '2x',
    '0.5x',
    'mute',
    'at night',
    'make it rain',
    'watercolor',
    'in the style of Monet',
    'tint it blue',
    'make it happier',
    'Zeitlupe',
    'noir et blanc',
    '变成黑白',
    '慢动作',
    '倒放',
    '更亮',
    'モノクロ',
    'in schwarz-weiß',
    "à l'envers",
    '更亮，倒放',
  ]
  for (const prompt of said) {
    const { isSaid, leftOver } = readVideoEdit({ prompt })
    assert.deepEqual([isSaid, leftOver], [true, []], prompt)
    assert.equal(refusalOf(prompt), undefined, prompt)
  }
})

test('the time to read a text is linear in its length', () => {
  const started = process.cpuUsage()
  for (const part of ['slower ', 'make it ', 'the palette to blue, and ', 'rotate it by ', 'crop ', '更', ' '.repeat(50)])
    readVideoEdit({ prompt: part.repeat(20_000) })
  assert.ok(process.cpuUsage(started).user < 2_000_000)
})
