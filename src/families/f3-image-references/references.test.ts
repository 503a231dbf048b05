/** Tests, on the built-in engine, pictures from references with prompts in arbitrary words. The
 *  sizes, formats, shapes and counts were copied by hand from the tables of the interface
 *  (docs/interface/pictures.md#f3). Each picture is decoded and inspected. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { assertDocumented } from '../../testing/documented.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { assertShows, coloursOf, dataUrl, reference } from '../../testing/references.ts'

const path = '/v1/ai/default/imgs/image/generations'
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '2' } })
})
after(() => gateway[Symbol.asyncDispose]())

interface Given {
  data: { url: string; size: string }[]
  not_drawn: string[]
}

async function given(body: object): Promise<Given> {
  const requested = { prompt: 'a postcard made from the reference pictures', watermark: false, ...body }
  const answer = await gateway.call(path, { body: requested })
  assert.equal(answer.status, 200, `${JSON.stringify({ ...requested, image: undefined })}: ${JSON.stringify(answer.body)}`)
  assertDocumented('generateImageGroup', answer)
  return answer.body
}

/** Asserts that each picture has its reported size and shows every reference. */
async function assertComposed(
  { data }: Given,
  { count = 1, size, references }: { count?: number; size?: string; references: number },
): Promise<void> {
  assert.equal(data.length, count)
  for (const { url, size: reported } of data) {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    const { width, height } = await sharp(bytes).metadata()
    assert.equal(`${width}x${height}`, size ?? reported)
    await assertShows(bytes, coloursOf(references))
  }
}

const images = async (count: number) => Promise.all(Array.from({ length: count }, async (_, index) => dataUrl(await reference(index))))

const anyWords = [
  'a postcard made from the reference pictures',
  '.',
  '🙂',
  'make him smile and give her a dragon',
  'Eine Collage aus diesen Bildern, bitte',
  'これらの画像で絵葉書を作ってください',
  '用这些图片做一张海报',
  'сделай открытку из этих фото',
  'اصنع بطاقة بريدية من هذه الصور',
  'put the dragon of image 1 on the roof of image 2',
  'calculate the tax of this',
  'Generate a photorealistic image of a gift basket labeled "Relax & Unwind", containing all the items in the reference pictures.',
]

test('any prompt makes a picture of the references; the answer lists what was not followed', async () => {
  const three = await images(3)
  for (const [index, prompt] of anyWords.entries()) {
    const count = 1 + (index % 3)
    const made = await given({ prompt, model: 'MaaS_ImgS_N3', size: '1280x720', image: three.slice(0, count) })
    await assertComposed(made, { size: '1280x720', references: count })
  }
  const { not_drawn } = await given({ prompt: 'make him smile', model: 'MaaS_ImgS_N3', size: '960x960', image: three[0] })
  assert.match(not_drawn.join(), /make him smile/)
  const followed = await given({ model: 'MaaS_ImgS_N3', size: '960x960', image: three })
  assert.deepEqual(followed.not_drawn, [])
})

test('pictures are made of three to ten references', async () => {
  for (const count of [3, 4, 7, 10])
    await assertComposed(await given({ model: 'MaaS_ImgS_N3', size: '1024x960', image: await images(count) }), { references: count })
})

test('references of every format, shape and size, with alpha and an orientation', async () => {
  const formats = ['jpeg', 'png', 'webp', 'bmp', 'tiff', 'gif'] as const
  const shapes = [
    { width: 15, height: 15 },
    { width: 1600, height: 100 },
    { width: 100, height: 1600 },
    { width: 300, height: 200, orientation: 6 },
    { width: 200, height: 200, alpha: true },
    { width: 2400, height: 2400 },
  ] as const
  const image = await Promise.all(
    formats.map(async (format, index) => dataUrl(await reference(index, { format, ...shapes[0], width: 64, height: 64 }))),
  )
  await assertComposed(await given({ model: 'MaaS_ImgS_N3', size: '1280x720', image }), { references: 6 })
  const shaped = await Promise.all(shapes.map(async (shape, index) => dataUrl(await reference(index, shape))))
  await assertComposed(await given({ model: 'MaaS_ImgS_N3', size: '1280x720', image: shaped }), { references: 6 })
  for (const [index, url] of shaped.entries()) {
    const bytes = await pictureOf(await given({ model: 'MaaS_ImgS_N3', size: '960x960', image: url }))
    await assertShows(bytes, [coloursOf(index + 1)[index] ?? []])
  }
})

async function pictureOf({ data }: Given): Promise<Buffer> {
  return Buffer.from(await (await fetch(data[0]?.url ?? '')).arrayBuffer())
}

/** The smallest and largest size in each row of the interface's table, and its most extreme ratios
 *  (docs/interface/pictures.md#f3). */
const sizes: Readonly<Record<string, readonly string[]>> = {
  MaaS_ImgS_N1: ['3K', '1440x2560', '3024x1296'],
  MaaS_ImgS_N2: ['4K', '2560x1440'],
  MaaS_ImgS_N3: ['1K', '2K', '720x1280', '1512x648', '3840x240', '240x3840', '960x960'],
  MaaS_ImgS_O2: ['adaptive', '512x1536', '1144x832', '1560x576', '1536x512'],
}

for (const [model, row] of Object.entries(sizes))
  test(`the sizes of ${model}`, async () => {
    const references = model.endsWith('O2') ? 1 : 2
    const image = references === 1 ? (await images(1))[0] : await images(2)
    for (const size of row) {
      const sides = size.includes('x') ? { size } : {}
      await assertComposed(await given({ model, size, image }), { ...sides, references })
    }
  })

test('groups of one to fifteen pictures are made from references, streamed and not', async () => {
  for (const [count, most] of [
    [1, 3],
    [13, 2],
    [14, 1],
  ] as const) {
    const body = {
      model: 'MaaS_ImgS_N3',
      size: '960x960',
      image: await images(count),
      sequential_image_generation: 'auto',
      sequential_image_generation_options: { max_images: most },
    }
    await assertComposed(await given(body), { count: most, references: count })
  }
})
