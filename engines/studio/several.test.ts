/** Tests jobs with several pictures, and previews. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImageEvent, ImageGenerateRequest, ImageResult } from '@generation-gateway/kit/requests/image.ts'
import sharp from 'sharp'
import { common as base, openStudio, pixelsOf } from './testing/open-studio.ts'

const request: ImageGenerateRequest = {
  ...base,
  prompt: 'a lighthouse at night',
  width: 256,
  height: 192,
  count: 1,
  seed: '41',
  expandPrompt: false,
}
const { engine } = openStudio()

type Preview = Extract<ImageEvent, { type: 'preview' }>

test('picture i of a job is the one of seed + i', async () => {
  const three = await engine.run('image.generate', { ...request, count: 3 })
  assert.deepEqual(three.usage, [
    { unit: 'images', units: 3 },
    { unit: 'pixels', units: 3 * 256 * 192 },
  ])
  assert.equal(three.files.length, 3)
  const third = await engine.run('image.generate', { ...request, seed: '43' })
  assert.ok((await pixelsOf(three.files[2]?.path ?? '')).equals(await pixelsOf(third.files[0]?.path ?? '')))
  assert.ok(!(await pixelsOf(three.files[0]?.path ?? '')).equals(await pixelsOf(third.files[0]?.path ?? '')))
})

test('each preview shows more of the picture, and previews do not change the result', async () => {
  const looks: Preview[] = []
  const onEvent = (event: unknown) => looks.push(event as Preview)
  const seen = await engine.run('image.generate', { ...request, count: 2, previews: 3 }, { onEvent })
  assert.deepEqual(
    looks.map(({ picture, step, mediaType }) => [picture, step, mediaType]),
    [0, 1].flatMap(picture => [0, 1, 2].map(step => [picture, step, 'image/png'])),
  )
  const unseen = await engine.run('image.generate', request)
  const finished = await pixelsOf(unseen.files[0]?.path ?? '')
  assert.ok((await pixelsOf(seen.files[0]?.path ?? '')).equals(finished))
  const distances: number[] = []
  for (const { bytes } of looks.slice(0, 3)) {
    const pixels = await pixelsOf(bytes)
    assert.equal(pixels.length, finished.length)
    distances.push(pixels.reduce((sum, value, at) => sum + Math.abs(value - (finished[at] ?? 0)), 0) / pixels.length)
  }
  const [place = 0, subjects = 0] = distances
  assert.ok(place > subjects, `${distances}`)
  const one: Preview[] = []
  await engine.run('image.generate', { ...request, previews: 1 }, { onEvent: event => one.push(event as Preview) })
  assert.deepEqual([one.length, one[0] && Buffer.from(one[0].bytes).equals(Buffer.from(looks[1]?.bytes ?? []))], [1, true])
})

test('a WebP request gives WebP files, and unsupported fields are reported', async () => {
  const { files, report } = await engine.run('image.generate', { ...request, format: 'webp', steps: 8 })
  assert.equal((await sharp(files[0]?.path).metadata()).format, 'webp')
  // The report of an image job is always an `ImageResult`.
  assert.deepEqual((report as ImageResult).notFollowed, ['steps'])
})

test('one of several pictures can be edited as a scene, in several variants', async () => {
  const { files, detail = {} } = await engine.run('image.generate', { ...request, count: 2 })
  const [, second] = files
  assert.ok(second)
  const input = { ...second, role: 'image', bytes: 1, origin: { detail, index: 1 } }
  const { width: _w, height: _h, count: _c, ...common } = request
  const edited = await engine.run('image.edit', { ...common, prompt: 'make it winter', variants: 2, format: 'png' }, { inputs: [input] })
  assert.equal(edited.files.length, 2)
  assert.equal((edited.detail as { scenes: unknown[] } | undefined)?.scenes.length, 2)
})

test('a series has one picture for each step', async () => {
  const { files, detail, report } = await engine.run('image.generate', {
    ...request,
    prompt: 'First a red fox sits in a garden at noon, then it runs on the beach, finally it sleeps at night',
    count: 9,
    series: true,
  })
  assert.equal(files.length, 3)
  const { scenes } = detail as unknown as { scenes: { subjects: { noun: string; pose: string }[] }[] }
  assert.deepEqual(
    scenes.map(({ subjects }) => [subjects[0]?.noun, subjects[0]?.pose]),
    [
      ['fox', 'sitting'],
      ['fox', 'running'],
      ['fox', 'sleeping'],
    ],
  )
  assert.deepEqual((report as ImageResult).notDrawn, [])
  // All three prompts describe a night, so every picture is dark. The pictures must still differ.
  const lights = await Promise.all(files.map(async ({ path }) => (await pixelsOf(path)).reduce((sum, value) => sum + value, 0)))
  assert.ok((lights[2] ?? 0) < (lights[0] ?? 0) * 0.7, `${lights}`)
  assert.equal(new Set(lights).size, 3)
})

test('a size tier uses the shape that the prompt asks for, or else the one of the request', async () => {
  const tier = {
    name: 'small',
    sizes: [
      { width: 256, height: 256 },
      { width: 320, height: 192 },
      { width: 192, height: 320 },
    ],
  }
  const sizeOf = async (prompt: string) => {
    const [file] = (await engine.run('image.generate', { ...request, prompt, tier })).files
    const { width, height } = await sharp(file?.path).metadata()
    return [width, height]
  }
  assert.deepEqual(await sizeOf('a cat, 16:9'), [320, 192])
  assert.deepEqual(await sizeOf('竖版海报，一只猫'), [192, 320])
  assert.deepEqual(await sizeOf('a cat'), [256, 192])
})

test('the classifier checks a tiny picture by a larger one of the same scene', async () => {
  // With these seeds, the classifier would refuse the pictures if it saw only their 64 x 64 pixels.
  for (const seed of ['16', '22']) {
    const { files } = await engine.run('image.generate', {
      ...request,
      prompt: 'a red ball',
      width: 64,
      height: 64,
      seed,
      safetyTolerance: 2,
    })
    assert.deepEqual([files[0]?.width, files[0]?.height], [64, 64])
  }
})

test('an optimised prompt contains the details that were chosen; the fast mode uses the prompt unchanged', async () => {
  const promptOf = async (promptMode: 'standard' | 'fast') => {
    const { report } = await engine.run('image.generate', { ...request, prompt: 'a fox', promptMode })
    return (report as unknown as ImageResult).prompt
  }
  const optimised = await promptOf('standard')
  assert.ok(optimised.includes('a fox') && optimised.length > 'a fox'.length, optimised)
  assert.equal(await promptOf('fast'), 'a fox')
})
