/** Tests the enlarging of pictures by running the whole engine. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import type { ImageGenerateRequest, ImageUpscaleRequest } from '@generation-gateway/kit/requests/image.ts'
import { inlineInspection } from '@generation-gateway/kit/testing/inline-inspection.ts'
import sharp from 'sharp'
import studio from '../driver.ts'
import { testPicture } from '../style/test-picture.ts'
import { common, openStudio, pixelsOf } from '../testing/open-studio.ts'
import { watermarkBox } from '../watermark.ts'

const drawing: ImageGenerateRequest = { ...common, prompt: 'a red fox in a meadow', width: 320, height: 256, count: 1, expandPrompt: false }
const { engine, folder } = openStudio()

const upscale = (input: Parameters<typeof inputOf>[0], request: Pick<ImageUpscaleRequest, 'factor' | 'mode'>) =>
  engine.run('image.upscale', { ...common, ...request }, { inputs: [inputOf(input)] })

test('a picture that the studio drew is redrawn: sharper than resampled, with equal content, and still editable as a scene', async () => {
  const { files, detail = {} } = await engine.run('image.generate', drawing)
  const [small = assert.fail()] = files
  const subtle = await upscale({ ...small, detail }, { factor: 4, mode: 'subtle' })
  const [large = assert.fail()] = subtle.files
  assert.deepEqual([large.width, large.height], [1280, 1024])
  const resampled = await sharp(small.path).resize(1280, 1024, { kernel: 'lanczos3' }).removeAlpha().raw().toBuffer()
  const redrawn = await pixelsOf(large.path)
  assert.ok(detailOf(redrawn, 1280) > detailOf(resampled, 1280) * 1.2, `${detailOf(redrawn, 1280)} ${detailOf(resampled, 1280)}`)
  const shrunk = await sharp(large.path).resize(320, 256).removeAlpha().raw().toBuffer()
  assert.ok(distance(shrunk, await pixelsOf(small.path)) < 6, `${distance(shrunk, await pixelsOf(small.path))}`)
  const creative = await upscale({ ...small, detail }, { factor: 4, mode: 'creative' })
  const [rich = assert.fail()] = creative.files
  assert.ok(detailOf(await pixelsOf(rich.path), 1280) > detailOf(redrawn, 1280) * 1.05)
  const again = await engine.run(
    'image.edit',
    { ...common, prompt: 'make it winter', expandPrompt: false },
    { inputs: [inputOf({ ...large, detail: subtle.detail })] },
  )
  assert.deepEqual([again.files[0]?.width, (again.detail as { scenes: { season: string }[] }).scenes[0]?.season], [1280, 'winter'])
})

test('a foreign picture is resampled with sharp edges and without halos', async () => {
  const path = join(folder, 'elsewhere.png')
  const picture = testPicture(240, 180)
  await writeFile(
    path,
    await sharp(picture.data, { raw: { width: 240, height: 180, channels: 4 } })
      .png()
      .toBuffer(),
  )
  for (const factor of [2, 4] as const) {
    const { files, detail } = await upscale({ path, mediaType: 'image/png', width: 240, height: 180 }, { factor, mode: 'subtle' })
    const [large = assert.fail()] = files
    assert.deepEqual([large.width, large.height, detail], [240 * factor, 180 * factor, undefined])
    const soft = await sharp(path)
      .resize(240 * factor, 180 * factor, { kernel: 'lanczos3' })
      .removeAlpha()
      .raw()
      .toBuffer()
    const sharper = await pixelsOf(large.path)
    assert.ok(
      detailOf(sharper, 240 * factor) > detailOf(soft, 240 * factor) * 1.1,
      `${detailOf(sharper, 240 * factor)} ${detailOf(soft, 240 * factor)}`,
    )
    const shrunk = await sharp(large.path).resize(240, 180).removeAlpha().raw().toBuffer()
    assert.ok(distance(shrunk, await pixelsOf(path)) < 3, `${distance(shrunk, await pixelsOf(path))}`)
    const creative = await upscale({ path, mediaType: 'image/png', width: 240, height: 180 }, { factor, mode: 'creative' })
    assert.ok(detailOf(await pixelsOf(creative.files[0]?.path ?? ''), 240 * factor) > detailOf(sharper, 240 * factor))
  }
})

test('a watermark is drawn again in the new size', async () => {
  const plain = await engine.run('image.generate', drawing)
  const marked = await engine.run('image.generate', { ...drawing, watermark: true })
  const outputs = await Promise.all(
    [plain, marked].map(async ({ files, detail }) => {
      const [file = assert.fail()] = files
      const { files: larger } = await upscale({ ...file, detail }, { factor: 2, mode: 'subtle' })
      return pixelsOf(larger[0]?.path ?? '')
    }),
  )
  const [without = assert.fail(), withMark = assert.fail()] = outputs
  const box = watermarkBox({ width: 640, height: 512 })
  let [inside, outside] = [0, 0]
  for (let i = 0; i < without.length; i += 3) {
    if (without[i] === withMark[i]) continue
    const [x, y] = [(i / 3) % 640, Math.floor(i / 3 / 640)]
    if (x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height) inside++
    else outside++
  }
  assert.ok(inside > box.width * box.height * 0.2, `${inside}`)
  assert.equal(outside, 0)
})

test('a result that is too large is refused before anything is drawn', () => {
  const offer = studio.open({
    packs: { file: () => undefined, howToGet: () => '' },
    scratchDirectory: folder,
    dataDirectory: folder,
    cores: 0,
    allowPrivateUrls: false,
    outbound: directOutbound,
    inspection: inlineInspection,
    log: { info: () => undefined, warn: () => undefined },
  }).offers['image.upscale']
  const refused = (factor: 2 | 4, side: number) =>
    offer?.refuses?.({
      request: { ...common, factor, mode: 'subtle' },
      inputs: [inputOf({ path: '', mediaType: 'image/png', width: side, height: side })],
      model: '',
      settings: {},
    })
  assert.deepEqual([refused(2, 2048), refused(4, 1024)], [undefined, undefined])
  const refusal = refused(4, 1500)
  assert.equal(refusal?.field, 'factor')
  assert.match(refusal?.message ?? '', /^factor: 4 times 1500x1500 is 6000x6000; .* 16777216 in all/)
})

function inputOf({ detail, ...file }: { path: string; mediaType: string; width?: number; height?: number; detail?: object | undefined }) {
  // An engine's `detail` is always JSON, although its type is `object`.
  return { ...file, role: 'image', bytes: 1, ...(detail ? { origin: { detail: detail as Record<string, never>, index: 0 } } : {}) }
}

/** Returns the root mean square of the differences between horizontal neighbours; the more fine
 *  detail a picture has, the higher it is. */
function detailOf(pixels: Buffer, width: number): number {
  let sum = 0
  for (let i = 0; i + 5 < pixels.length; i += 3) if ((i / 3 + 1) % width !== 0) sum += (pixels[i + 1]! - pixels[i + 4]!) ** 2
  return Math.sqrt(sum / (pixels.length / 3))
}

function distance(a: Buffer, b: Buffer): number {
  assert.equal(a.length, b.length)
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length
}
