/** Tests on the built-in engine that omni images show all reference pictures, whatever words the
 *  prompt uses. The expected values were copied by hand from the interface's table
 *  (docs/interface/videos.md#k). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { assertDocumented } from '../../testing/documented.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { assertShows, coloursOf, type ReferenceShape, reference } from '../../testing/references.ts'

const path = '/v1/ai/default/vidk/images/omni-image'
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '2' } })
})
after(() => gateway[Symbol.asyncDispose]())

async function listed(count: number, shape: ReferenceShape = {}) {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => ({ image_url: (await reference(index, shape)).bytes.toString('base64') })),
  )
}

interface Result {
  images?: { url: string }[]
  series_images?: { url: string }[]
  not_drawn?: string[]
}

async function made(body: object): Promise<Result> {
  const answer = await gateway.call(path, { body: { prompt: 'a postcard made from the reference pictures', ...body } })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const task = await until(async () => {
    const shown = await gateway.call(`${path}/${answer.body.data.task_id}`)
    assertDocumented('getOmniImage', shown)
    return ['succeed', 'failed'].includes(shown.body.data.task_status) ? shown.body.data : undefined
  }, 'the end of the task')
  assert.equal(task.task_status, 'succeed', task.task_status_msg)
  return task.task_result
}

async function assertComposed(
  { images, series_images }: Result,
  { count = 1, references, ratio }: { count?: number; references: number; ratio?: string },
) {
  const pictures = series_images ?? images ?? []
  assert.equal(pictures.length, count)
  for (const { url } of pictures) {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    const { width, height } = await sharp(bytes).metadata()
    const [wide = width, high = height] = ratio?.split(':').map(Number) ?? []
    assert.ok(Math.abs((width / height / wide) * high - 1) < 0.02, `${width}x${height} for ${ratio}`)
    await assertShows(bytes, coloursOf(references))
  }
}

test('any prompt makes a picture of the references; what was not followed is reported', async () => {
  for (const prompt of ['これらの画像で', '<<<image_1>>> and <<<image_2>>>, please', '.'])
    await assertComposed(await made({ prompt, image_list: await listed(2) }), { references: 2 })
  const { not_drawn } = await made({ prompt: 'make him smile', image_list: await listed(1) })
  assert.match(String(not_drawn), /make him smile/)
  assert.equal((await made({ image_list: await listed(2) })).not_drawn, undefined)
})

test('pictures are made of one to ten references in every ratio and resolution', async () => {
  for (const [index, ratio] of ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9'].entries())
    await assertComposed(await made({ aspect_ratio: ratio, image_list: await listed(index + 1) }), { references: index + 1, ratio })
  for (const [index, resolution] of ['2k', '4k'].entries())
    await assertComposed(await made({ resolution, image_list: await listed(8 + index * 2) }), { references: 7 })
})

test('the aspect ratio auto is that of the first reference, after its EXIF rotation', async () => {
  for (const [shape, isUpright] of [
    [{ width: 600, height: 400 }, false],
    [{ width: 600, height: 400, orientation: 6 }, true],
    [{ width: 300, height: 750, format: 'jpeg' }, true],
    [{ width: 750, height: 300 }, false],
  ] as const) {
    const { images = [] } = await made({ prompt: 'hm', image_list: await listed(1, shape) })
    const { width, height } = await sharp(await (await fetch(images[0]?.url ?? '')).arrayBuffer()).metadata()
    assert.equal(height > width, isUpright, `${width}x${height} of ${JSON.stringify(shape)}`)
  }
})

test('one to nine pictures are made, and series of two to nine', async () => {
  for (const n of [2, 9]) await assertComposed(await made({ n, image_list: await listed(3) }), { count: n, references: 3 })
  for (const [series_amount, references] of [
    [2, 1],
    [9, 3],
  ] as const)
    await assertComposed(await made({ result_type: 'series', series_amount, image_list: await listed(references) }), {
      count: series_amount,
      references,
    })
})
