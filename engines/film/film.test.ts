import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { probeVideo } from '@generation-gateway/kit/video/probe.ts'
import sharp from 'sharp'
import { refusesFilm } from './limits.ts'
import { showsFace } from './picture/face.ts'
import { planShots } from './shots.ts'
import { difference, framesOf, openFilm, psnr, requested } from './testing/frames.ts'
import { probe } from './testing/probe.ts'

const { engine, folder } = openFilm()
const size = { width: 320, height: 180 }
const input = (role: string, path: string, more: Partial<InputFile> = {}): InputFile => ({
  role,
  path,
  mediaType: 'image/png',
  bytes: 1,
  ...size,
  ...more,
})
const pathOf = (files: { role?: string; path: string }[], role: string) => files.find(file => file.role === role)?.path ?? ''

test('a clip has the requested size, rate, length and sound, a thumbnail and a marked copy; progress is reported', async () => {
  const reported: number[] = []
  const request = { ...requested, prompt: 'rainy city street at night, zoom in', sound: true, watermark: true }
  const done = await engine.run('video.generate', request, { onProgress: fraction => reported.push(fraction) })
  assert.deepEqual(
    done.files.map(({ role }) => role),
    ['video', 'watermarked', 'thumbnail'],
  )
  assert.deepEqual(done.usage, [{ unit: 'seconds', units: 1 }])
  const path = pathOf(done.files, 'video')
  const { seconds, ...facts } = await probeVideo(path)
  assert.deepEqual(facts, { ...size, framesPerSecond: 12, frames: 12, hasSound: true })
  assert.ok(Math.abs(seconds - 1) < 0.01)
  assert.ok(reported.length >= 12 && reported.at(-1) === 1 && reported.every((value, index) => value >= (reported[index - 1] ?? 0)))
  const probed = await probe(path)
  assert.deepEqual(
    { ...probed, seconds: 1 },
    {
      ...{ codec: 'h264', profile: 'High', pixels: 'yuv420p', colours: 'tv, bt709', ...size },
      ...{ framesPerSecond: 12, frames: 12, seconds: 1, sound: 'aac (LC), 48000 Hz, stereo' },
      boxes: ['ftyp', 'moov', 'free', 'mdat'],
    },
  )
  assert.ok(probed.seconds >= 1 && probed.seconds < 1 + 1024 / 48_000, `${probed.seconds} s: the sound is longer by less than a packet`)
  const copy = await probe(pathOf(done.files, 'watermarked'))
  assert.deepEqual({ ...copy, boxes: [] }, { ...probed, boxes: [] })
  const [plain, marked] = [await framesOf(path, size), await framesOf(pathOf(done.files, 'watermarked'), size)]
  assert.equal(marked.length, 12)
  assert.ok(difference(plain[5] ?? new Uint8Array(), marked[5] ?? new Uint8Array()) > 0.05)
  assert.ok(difference(plain[0] ?? new Uint8Array(), plain[11] ?? new Uint8Array()) > 2)
  const { width, height, format } = await sharp(pathOf(done.files, 'thumbnail')).metadata()
  assert.deepEqual({ width, height, format }, { ...size, format: 'jpeg' })
})

test('sizes that are no multiple of 16, unusual rates and videos without sound are made as requested', async () => {
  for (const shape of [
    { width: 202, height: 118, framesPerSecond: 30, seconds: 0.5 },
    { width: 118, height: 202, framesPerSecond: 25, seconds: 0.4 },
  ]) {
    const done = await engine.run('video.generate', { ...requested, ...shape, prompt: 'a red apple on a blue table' })
    const { boxes, sound, seconds, ...facts } = await probe(pathOf(done.files, 'video'))
    const { seconds: wanted, ...rest } = shape
    assert.deepEqual(facts, {
      codec: 'h264',
      profile: 'High',
      pixels: 'yuv420p',
      colours: 'tv, bt709',
      ...rest,
      frames: wanted * shape.framesPerSecond,
    })
    assert.ok(Math.abs(seconds - wanted) < 0.011 && sound === undefined && boxes.indexOf('moov') < boxes.indexOf('mdat'))
    // If the rows of the frame were packed wrongly, the picture would look slanted. So it must be
    // similar to the thumbnail in most places.
    const [frame = new Uint8Array()] = await framesOf(pathOf(done.files, 'video'), shape)
    const still = new Uint8Array(await sharp(pathOf(done.files, 'thumbnail')).ensureAlpha().raw().toBuffer())
    assert.ok(psnr(frame, still) > 20, String(psnr(frame, still)))
  }
})

test('the first frame is the given picture; the same seed gives the same frames; another aspect ratio is another picture', async () => {
  const path = join(folder, 'first.png')
  const noise = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><rect width="320" height="180" fill="#7ab"/><circle cx="120" cy="90" r="50" fill="#d53"/><rect y="130" width="320" height="50" fill="#485"/></svg>',
  )
  await sharp(noise).png().toFile(path)
  const given = new Uint8Array(await sharp(path).ensureAlpha().raw().toBuffer())
  const request = { ...requested, prompt: 'Shot 1: falling snow, push in. Shot 2: a lake at sunset', seconds: 1, count: 1 }
  const [one, two] = [
    await engine.run('video.generate', request, { inputs: [input('first-frame', path)] }),
    await engine.run('video.generate', request, { inputs: [input('first-frame', path)] }),
  ]
  const [a, b] = [await framesOf(pathOf(one.files, 'video'), size), await framesOf(pathOf(two.files, 'video'), size)]
  assert.equal((await probeVideo(pathOf(one.files, 'video'))).hasSound, false)
  assert.ok(psnr(a[0] ?? new Uint8Array(), given) > 33, String(psnr(a[0] ?? new Uint8Array(), given)))
  a.forEach((frame, index) => void assert.equal(difference(frame, b[index] ?? new Uint8Array()), 0))
  const steps = a.slice(1).map((frame, index) => difference(frame, a[index] ?? new Uint8Array()))
  assert.equal(steps.indexOf(Math.max(...steps)), 5, 'the cut is in the middle')
  const base = input('base', pathOf(one.files, 'video'), { mediaType: 'video/mp4', durationSeconds: 1 })
  const edited = await engine.run('video.generate', { ...requested, prompt: 'make it black and white' }, { inputs: [base] })
  const grey = (await framesOf(pathOf(edited.files, 'video'), size))[3] ?? new Uint8Array()
  let colour = 0
  for (let i = 0; i < grey.length; i += 4) colour += Math.abs((grey[i] ?? 0) - (grey[i + 2] ?? 0))
  assert.ok(colour / (grey.length / 4) < 6, 'the base video has lost its colours')
  await assert.rejects(
    engine.run('video.generate', { ...requested, prompt: 'hello' }, { inputs: [base] }),
    /nothing that this engine can change/,
  )
})

test('a cancelled film ends at once and leaves no pipe open; an unsafe prompt is refused before the first frame', async () => {
  const stop = new AbortController()
  const running = engine.run(
    'video.generate',
    { ...requested, prompt: 'a fox running', seconds: 20 },
    { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) },
  )
  await assert.rejects(running, /enough/)
  const left = await readdir(folder, { recursive: true })
  assert.deepEqual(
    left.filter(name => /frames-|sound-/.test(name)),
    [],
  )
  await assert.rejects(engine.run('video.generate', { ...requested, prompt: 'a naked child' }), { code: 'request_moderated' })
})

test('a subject of kind face is refused if its picture shows no face, and is used if it shows one', async () => {
  const photograph = fileURLToPath(import.meta.resolve('@generation-gateway/studio/testing/face.jpg'))
  const flat = join(folder, 'flat.jpg')
  await sharp({ create: { width: 240, height: 240, channels: 3, background: '#4a8a3a' } }).toFile(flat)
  const shape = { mediaType: 'image/jpeg', width: 240, height: 240 }
  const make = (path: string) => {
    const request = { ...requested, prompt: 'a walk in a park', seconds: 0.25, subjectKind: 'face' } as const
    return engine.run('video.generate', request, { inputs: [input('subject', path, shape)] })
  }
  const message = 'subject: no valid subject content: no human face is seen in the picture.'
  await assert.rejects(make(flat), { code: 'invalid_input_file', message })
  const { files } = await make(photograph)
  assert.equal((await probeVideo(pathOf(files, 'video'))).frames, 3)
})

test('whether a picture that the studio drew shows a person is known from its scene', async () => {
  const nothing = { data: new Uint8Array(64 * 64 * 4), width: 64, height: 64 }
  const drawn = (prompt: string) => {
    const scenes = planShots({ ...requested, prompt }, '7').shots.map(({ scene }) => scene)
    // The gateway returns this detail as plain JSON, so the test converts it to JSON and back.
    return input('subject', '', { origin: { detail: JSON.parse(JSON.stringify({ ...size, scenes })), index: 0 } })
  }
  assert.equal(await showsFace(drawn('a girl waving'), nothing), true)
  assert.equal(await showsFace(drawn('a dog'), nothing), false)
})

test('unsupported values are refused with field, value and limit', () => {
  const says = (more: Partial<typeof requested>, inputs: InputFile[] = []) =>
    refusesFilm({ request: { ...requested, ...more }, inputs, model: '', settings: {} })?.message
  assert.match(says({ width: 321 }) ?? '', /^width: is 321; a video has an even number/)
  assert.match(says({ seconds: 90 }) ?? '', /^seconds: is 90; more than 0 and at most 60/)
  assert.match(says({ shots: [{ prompt: 'a', seconds: 3 }] }) ?? '', /^shots: last 3 seconds together, the video 1/)
  assert.match(
    says({
      paths: [
        [
          { x: 1, y: 1 },
          { x: 2, y: 2 },
        ],
      ],
    }) ?? '',
    /^paths: there are 1 for 0 motion masks/,
  )
  assert.equal(says({}), undefined)
})

test('a prompt is divided into shots that share their subject, and negative words leave things out', () => {
  const plan = planShots({ ...requested, seconds: 6, prompt: 'a red fox in a forest cut to: it runs through snow, follow' }, '7')
  assert.equal(plan.shots.length, 2)
  assert.deepEqual(
    plan.shots.map(({ seconds }) => seconds),
    [3, 3],
  )
  assert.equal(plan.shots[1]?.scene.subjects[0]?.noun, 'fox')
  assert.deepEqual(plan.shots[1]?.steps, [{ follow: true }])
  const given = planShots({ ...requested, shots: [{ prompt: 'a cat and a dog', seconds: 1 }], negativePrompt: 'dog' }, '7')
  assert.deepEqual(
    given.shots[0]?.scene.subjects.map(({ noun }) => noun),
    ['cat'],
  )
  assert.equal(planShots({ ...requested, prompt: 'day to night over a city' }, '7').shots[0]?.later?.time, 'night')
})
