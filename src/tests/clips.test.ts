/** The video engine (film) and the image engine (studio) have to draw the same scene in the same
 *  way. This test compares frames of clips from every video family with still pictures of the
 *  same prompt and seed. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import film from '@generation-gateway/film'
import { once } from '@generation-gateway/kit/driver.ts'
import { type OpenEngine, openEngine } from '@generation-gateway/kit/open-engine.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { differencesBetween, type RgbaImage } from '@generation-gateway/kit/testing/likeness.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { decodeFrames } from '@generation-gateway/kit/video/decode.ts'
import { drawScene } from '@generation-gateway/studio/draw-scene.ts'
import { type StyleKind, styleKinds } from '@generation-gateway/studio/scene.ts'
import { studioArt } from '@generation-gateway/studio/subjects/drawable.ts'
import { parseVaried } from '@generation-gateway/studio/variety/vary.ts'
import { fakeVideoDriver, type VideoJob } from '../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'

// Own process: this test draws for a minute; in a shared process the other tests would wait for it.

const size = { width: 160, height: 90 }
const seed = '7'
/** Each test takes 25 s of CPU. */
const patience = { timeout: 300_000 }
const families = ['S', 'V', 'H', 'K'] as const
type Family = (typeof families)[number]
/** Styles in which the film engine adjusts the colours of the whole frame at once. In all other
 *  styles it adjusts each layer separately, so the colours of a clip differ more from those of the
 *  still picture. */
const graded: ReadonlySet<StyleKind> = new Set<StyleKind>(['illustration', 'cinematic', 'photo', 'vintage', 'noir', 'pixel'])
const yaml = `models: [${[
  '{ id: s, family: S, targets: [{ driver: small }] }',
  '{ id: v, family: V, group: "3.1", targets: [{ driver: small }] }',
  '{ id: h, family: H, group: "02", targets: [{ driver: small }] }',
  '{ id: vidk-v1, family: K, group: V1, targets: [{ driver: small }] }',
].join(', ')}]`

let folder: string
let engine: OpenEngine
let gateway: TestGateway
before(async () => {
  studioArt()
  folder = await mkdtemp(join(tmpdir(), 'clips-'))
  engine = openEngine(film, { folder, cores: 1 })
  const drivers = [fakeVideoDriver('small', { offer: once<VideoGenerateRequest>(smallFilm), slots: 2 })]
  gateway = await startTestGateway({ yaml, drivers })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the video engine with the request of a family, but with a small size, two frames and
 *  always the same seed. */
function smallFilm({ request, inputs, signal }: VideoJob) {
  const short = { seconds: 0.5, framesPerSecond: 4, seed, sound: false }
  // The size cannot be smaller, because the classifier (the safety check) makes errors with
  // pictures that are smaller than its input.
  return engine.run('video.generate', { ...request, ...size, ...short, safetyTolerance: 6 }, { inputs, signal })
}

async function clip(family: Family, prompt: string): Promise<RgbaImage[]> {
  const path = join(folder, `${family}.mp4`)
  await writeFile(path, await made[family](prompt))
  const frames: RgbaImage[] = []
  for await (const data of decodeFrames(path, { ...size, signal: AbortSignal.timeout(300_000) })) frames.push({ data, ...size })
  await rm(path)
  return frames
}

/** For each family, a function that requests a video in the family's interface and returns the
 *  file. */
const made: Record<Family, (prompt: string) => Promise<Buffer>> = {
  S: async prompt => {
    const { body } = await gateway.call('/v1/ai/default/videos', { body: { model: 's', prompt, seconds: '4', size: '1280x720' } })
    const path = `/v1/ai/default/videos/${body.id}`
    await until(async () => ['completed', 'failed'].includes((await gateway.call(path)).body.status) || undefined, 'the end of S')
    return (await gateway.call(`${path}/content`)).bytes
  },
  V: async prompt => {
    const path = '/v1/ai/default/vidv/videos'
    const requested = {
      model: 'v',
      instances: [{ prompt }],
      parameters: { aspectRatio: '16:9', durationSeconds: 4, sampleCount: 1, generateAudio: false, enhancePrompt: false },
    }
    const operationName = (await gateway.call(`${path}/generate`, { body: requested })).body.name
    const { response } = await until(async () => {
      const { body } = await gateway.call(`${path}/task`, { body: { operationName } })
      return body.done ? body : undefined
    }, 'the end of V')
    return Buffer.from(response.videos[0].bytesBase64Encoded, 'base64')
  },
  H: async prompt => {
    const path = '/v1/ai/default/vidh/video'
    const { taskId } = (await gateway.call(`${path}/generate`, { body: { model: 'h', prompt, promptOptimizer: false } })).body
    const { fileId } = await until(async () => {
      const { body } = await gateway.call(`${path}/task/${taskId}`)
      return ['Success', 'Fail'].includes(body.status) ? body : undefined
    }, 'the end of H')
    const { mediaUrl } = (await gateway.call(`${path}/file?taskId=${taskId}&fileId=${fileId}`)).body
    return (await gateway.call(mediaUrl)).bytes
  },
  K: async prompt => {
    const path = '/v1/ai/default/vidk/videos/text2video'
    const { data } = (await gateway.call(path, { body: { prompt } })).body
    const { task_result } = await until(async () => {
      const { body } = await gateway.call(`${path}/${data.task_id}`)
      return ['succeed', 'failed'].includes(body.data.task_status) ? body.data : undefined
    }, 'the end of K')
    return (await gateway.call(task_result.videos[0].url)).bytes
  },
}

/** Returns the styles in which clips of a family are tested in one of two rounds (by day and at
 *  night). The first style is tested in all families, to show that they all send the engine the
 *  same request. The other styles are divided among the families, differently in each round. */
function stylesOf(family: Family, turn: number): readonly StyleKind[] {
  return styleKinds.filter((_, index) => index === 0 || families[(index + turn) % families.length] === family)
}

async function faultsOf(family: Family, style: StyleKind, time: 'day' | 'night'): Promise<string[]> {
  const prompt = `a red fox on a beach ${time === 'day' ? 'at noon' : 'at night'}${style === 'illustration' ? '' : `, ${style} style`}`
  const scene = parseVaried(prompt, { seed })
  assert.deepEqual([scene.style, scene.time], [style, time])
  const still = { data: new Uint8Array((await drawScene(scene, size)).data), ...size }
  const frames = await clip(family, prompt)
  assert.equal(frames.length, 2)
  const rows = graded.has(style) ? (time === 'day' ? 48 : 30) : 130
  return frames.flatMap(frame => differencesBetween(frame, still, { rows })).map(fault => `${family}, ${style}: ${fault}`)
}

for (const [turn, time] of (['day', 'night'] as const).entries())
  test(`frames of clips of every family and style resemble the stills of the same prompt and seed, by ${time}`, patience, async () => {
    const made = families.map(async family => {
      const faults: string[] = []
      for (const style of stylesOf(family, turn)) faults.push(...(await faultsOf(family, style, time)))
      return faults
    })
    assert.deepEqual((await Promise.all(made)).flat(), [])
  })
