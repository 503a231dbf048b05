/** Tests the checks of the demo with good and with broken results. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pcmBytes, wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import { encodeVideo } from '@generation-gateway/kit/video/encode.ts'
import sharp from 'sharp'
import type { DemoContext, DemoOutput, OutputJudge } from '../demo.ts'
import { type ClipExpectation, clip } from './clip.ts'
import { allOf } from './judge.ts'
import { pictures } from './picture.ts'
import { sound } from './sound.ts'
import { hasWords, isObject, isSrt, says } from './words.ts'

let context: DemoContext
const stills = createServer(async (_, response) => {
  const png = await sharp(scene(0), { raw: { ...size, channels: 4 } })
    .png()
    .toBuffer()
  response.end(JSON.stringify({ data: [{ b64_json: png.toString('base64') }] }))
})
before(async () => {
  await new Promise<void>(resolve => stills.listen(0, '127.0.0.1', resolve))
  const { port } = stills.address() as AddressInfo
  context = { url: `http://127.0.0.1:${port}`, accessKey: 'none', output: await mkdtemp(join(tmpdir(), 'judge-')), made: new Map() }
})
after(async () => {
  stills.close()
  await rm(context.output, { recursive: true })
})

const size = { width: 160, height: 90 }
const expected: ClipExpectation = { prompt: 'a meadow', ...size, seconds: 2, hasSound: true }

type Paint = (x: number, y: number) => readonly [red: number, green: number, blue: number] | undefined

/** Draws a test picture (RGBA): a meadow below a sky, with a red object that is `step` pixels
 *  further to the right. `paint` may replace pixels. */
function scene(step: number, paint: Paint = () => undefined): Uint8Array {
  const pixels = new Uint8Array(size.width * size.height * 4).fill(255)
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const isSubject = Math.hypot(x - 60 - step, y - 55) < 15
      const ground = y < 45 ? [90 + y, 150 + y, 230] : [60 + ((x * 7) % 40), 190 - y, 40]
      pixels.set(paint(x, y) ?? (isSubject ? [200, 60, 40] : ground), (y * size.width + x) * 4)
    }
  return pixels
}

async function filmed(name: string, paint: (step: number) => Paint, { moves = 4, seconds = 2, volume = 0.2 } = {}): Promise<DemoOutput> {
  const file = `${name}.mp4`
  const frames = (async function* () {
    for (let frame = 0; frame < seconds * 10; frame++) yield scene(frame * moves, paint(frame * moves))
  })()
  const path = join(context.output, file)
  const hum = tone(48_000, { seconds, volume })
  const stereo = Float32Array.from({ length: hum.length * 2 }, (_, index) => hum[index >> 1] ?? 0)
  const signal = AbortSignal.timeout(60_000)
  await encodeVideo({ ...size, framesPerSecond: 10, frames, pixels: 'rgba', path, sound: stereo, signal })
  return made(file)
}

function tone(sampleRate: number, { seconds = 2, volume = 0.2 } = {}): Float32Array {
  return Float32Array.from({ length: sampleRate * seconds }, (_, index) => volume * Math.sin((index * 2 * Math.PI * 440) / sampleRate))
}

function made(file: string, text?: string): DemoOutput {
  return { file, bytes: 1, facts: '', ...(text === undefined ? {} : { text }) }
}

const none: Paint = () => undefined

test('a clip is good when it moves and resembles stills of the same prompt and seed', async () => {
  assert.equal(await clip(expected)(await filmed('good', () => none), context), undefined)
})

test('a clip is bad with black boxes around subjects, wrong colours, one colour, no motion, no sound, or another length or size', async () => {
  const box = (step: number): Paint => {
    return (x, y) =>
      Math.abs(x - 60 - step) < 30 && y > 30 && y < 85 && Math.hypot(x - 60 - step, y - 55) >= 15 ? [24, 24, 24] : undefined
  }
  const cases: [name: string, clip: DemoOutput, complaint: RegExp, expected?: Partial<ClipExpectation>][] = [
    ['boxes', await filmed('boxes', box), /% of its frames is black; of stills/],
    ['colours', await filmed('colours', step => (x, y) => [(x + step) % 256, y, 220]), /Its colours are \d+ of at most 442 away/],
    ['flat', await filmed('flat', () => () => [128, 128, 128]), /Nothing moves|one colour/],
    ['mostly flat', await filmed('mostly', step => x => (x > step * 2 + 20 ? [90, 160, 90] : undefined)), /% of a frame is one colour/],
    ['still', await filmed('still', () => none, { moves: 0 }), /Nothing moves/],
    ['silent', await filmed('silent', () => none, { volume: 0 }), /nothing is heard/],
    ['short', await filmed('short', () => none, { seconds: 1 }), /lasts 1\.\d\d s; 2 s were asked for/],
    ['size', await filmed('size', () => none), /160x90 pixels; 320x180 were asked for/, { width: 320, height: 180 }],
  ]
  for (const [name, file, complaint, more] of cases)
    assert.match((await clip({ ...expected, ...more })(file, context)) ?? '', complaint, name)
  await writeFile(join(context.output, 'torn.mp4'), 'no clip at all')
  assert.match((await clip(expected)(made('torn.mp4'), context)) ?? '', /cannot be decoded/)
})

test('a picture is good when it can be decoded completely, has its size and is not mostly one colour', async () => {
  const raw = { raw: { ...size, channels: 4 as const } }
  const jpeg = await sharp(scene(0), raw).jpeg().toBuffer()
  await writeFile(join(context.output, 'good.jpg'), jpeg)
  await writeFile(join(context.output, 'torn.jpg'), jpeg.subarray(0, jpeg.length / 2))
  const white = await sharp(
    scene(0, x => (x > 30 ? [255, 255, 255] : undefined)),
    raw,
  )
    .png()
    .toBuffer()
  await writeFile(join(context.output, 'white.png'), white)
  assert.equal(await pictures({ size })(made('good.jpg'), context), undefined)
  assert.match((await pictures()(made('torn.jpg'), context)) ?? '', /cannot be decoded/)
  assert.match((await pictures()(made('white.png'), context)) ?? '', /% of the picture is one colour/)
  assert.match((await pictures({ size: { width: 1, height: 1 } })(made('good.jpg'), context)) ?? '', /160x90 pixels; 1x1/)
  const several = { ...made('good.jpg'), pictures: [jpeg, white] }
  assert.match((await pictures({ count: 2 })(several, context)) ?? '', /^Picture 2: /)
  assert.match((await pictures({ count: 4 })(several, context)) ?? '', /There are 2 pictures; 4/)
})

test('sound is good when it has its length and is audible in all its spans', async () => {
  const wav = (samples: Float32Array) => {
    const bytes = pcmBytes(samples)
    return Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, dataBytes: bytes.length }), bytes])
  }
  const half = tone(16_000)
  half.fill(0, 16_000)
  await writeFile(join(context.output, 'good.wav'), wav(tone(16_000)))
  await writeFile(join(context.output, 'half.wav'), wav(half))
  await writeFile(join(context.output, 'silent.wav'), wav(tone(16_000, { volume: 0.0005 })))
  await writeFile(join(context.output, 'torn.wav'), 'RIFF')
  assert.equal(await sound({ seconds: [1, 3], heard: [[1, 2]] })(made('good.wav'), context), undefined)
  const judge = sound({ seconds: [1, 3] })
  assert.match((await sound({ seconds: [3, 4] })(made('good.wav'), context)) ?? '', /lasts 2\.00 s; 3 to 4 s/)
  assert.match(
    (await sound({ seconds: [1, 3], heard: [[1.1, 2]] })(made('half.wav'), context)) ?? '',
    /From 1\.10 to 2\.00 s nothing is heard/,
  )
  assert.match((await judge(made('silent.wav'), context)) ?? '', /nothing is heard/)
  assert.match((await judge(made('torn.wav'), context)) ?? '', /cannot be decoded/)
})

test('texts are judged by their words, subtitles by their times, JSON by its members', async () => {
  const judged = (judge: OutputJudge, text: string) => judge(made('x', text), context)
  assert.equal(await judged(allOf(says(/Paris/), hasWords(['the', 'capital'])), 'The capital\nis Paris.'), undefined)
  assert.match((await judged(says(/Paris/), 'The capital is Rome.')) ?? '', /nothing like \/Paris\//)
  assert.match((await judged(hasWords(['beam', 'keeper', 'steps']), 'a bean for the keeper')) ?? '', /lacks beam, steps/)
  assert.equal(
    await judged(isSrt(4), '1\n00:00:00,500 --> 00:00:01,000\nHello\nthere\n\n2\n00:00:01,000 --> 00:00:03,900\nBye\n'),
    undefined,
  )
  assert.match((await judged(isSrt(3), '1\n00:00:00,500 --> 00:00:04,000\nHello')) ?? '', /impossible times/)
  assert.match((await judged(isSrt(3), 'Hello')) ?? '', /no cue/)
  assert.equal(await judged(isObject({ city: 'Rome' }), '{"city":"Rome"}'), undefined)
  assert.match((await judged(isObject({ city: 'Rome' }), '{"city":"Oslo"}')) ?? '', /city is "Oslo"/)
  assert.match((await judged(isObject({ city: 'Rome' }), '{"city":"Rome","x":1}')) ?? '', /other members/)
  assert.match((await judged(isObject({ city: 'Rome' }), 'Rome')) ?? '', /no JSON/)
})
