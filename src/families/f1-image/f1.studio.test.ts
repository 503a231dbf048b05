import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

/** Tests family F1 on the built-in engine over HTTP, and inspects the pictures. */
const path = '/v1/ai/default/imgf/image/generate'
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '2' } })
})
after(() => gateway[Symbol.asyncDispose]())

interface Result {
  status: string
  result: {
    sample: string
    seed: number
    prompt: string
    duration: number
    start_time: number
    end_time: number
    not_drawn: string[]
  } | null
  details: Record<string, unknown> | null
}

async function run(body: object): Promise<{ id: string; result: Result }> {
  const answer = await gateway.call(path, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return { id: answer.body.id, result: (await gateway.result(answer.body.polling_url)) as unknown as Result }
}

async function picture(body: object): Promise<{ id: string; result: NonNullable<Result['result']>; bytes: Buffer; type: string | null }> {
  const { id, result } = await run(body)
  assert.equal(result.status, 'Ready', JSON.stringify(result))
  assert.ok(result.result)
  const file = await gateway.call(result.result.sample, { key: false })
  assert.equal(file.status, 200)
  return { id, result: result.result, bytes: file.bytes, type: file.headers.get('content-type') }
}

/** Returns the mean of each colour channel and of the saturation (0 to 1) in a part of the
 *  picture. `part` is given in fractions of the picture's sides. */
async function look(bytes: Buffer, part = { left: 0, top: 0, width: 1, height: 1 }) {
  const image = sharp(bytes)
  const { width, height } = await image.metadata()
  const region = {
    left: Math.floor(part.left * width),
    top: Math.floor(part.top * height),
    width: Math.max(1, Math.floor(part.width * width)),
    height: Math.max(1, Math.floor(part.height * height)),
  }
  const { data } = await image.extract(region).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const sum = { red: 0, green: 0, blue: 0, saturation: 0 }
  const pixels = data.length / 3
  for (let i = 0; i < data.length; i += 3) {
    const [r = 0, g = 0, b = 0] = [data[i], data[i + 1], data[i + 2]]
    sum.red += r
    sum.green += g
    sum.blue += b
    sum.saturation += (Math.max(r, g, b) - Math.min(r, g, b)) / 255
  }
  return { width, height, red: sum.red / pixels, green: sum.green / pixels, blue: sum.blue / pixels, saturation: sum.saturation / pixels }
}

test('a picture has the requested size and format, in both parameter sets', async () => {
  const jpeg = await picture({ prompt: 'a red fox in a meadow', width: 640, height: 352, seed: 3 })
  assert.equal(jpeg.type, 'image/jpeg')
  const { width, height, format } = await sharp(jpeg.bytes).metadata()
  assert.deepEqual([width, height, format], [640, 352, 'jpeg'])
  const png = await picture({ prompt: '一只猫坐在窗边', aspect_ratio: '2:3', output_format: 'png', seed: 3 })
  const facts = await sharp(png.bytes).metadata()
  assert.deepEqual([facts.width, facts.height, facts.format], [832, 1248, 'png'])
  assert.ok(jpeg.result.duration > 0 && jpeg.result.end_time > jpeg.result.start_time)
  assert.equal(jpeg.result.seed, 3)
})

test('the same seed gives the same bytes, and another seed gives another picture', async () => {
  const body = { prompt: 'three sailboats on a lake at sunset, watercolor', width: 384, height: 384, seed: 41 }
  const [first, second, other] = await Promise.all([picture(body), picture(body), picture({ ...body, seed: 42 })])
  assert.ok(first.bytes.equals(second.bytes))
  assert.ok(!first.bytes.equals(other.bytes))
})

test('extreme sizes are drawn', async () => {
  for (const [width, height] of [
    [64, 64],
    [2048, 128],
    [128, 2048],
  ]) {
    const { bytes } = await picture({ prompt: 'a lighthouse on a cliff', width, height, seed: 1 })
    const facts = await sharp(bytes).metadata()
    assert.deepEqual([facts.width, facts.height], [width, height])
  }
})

test('the picture shows the prompt: night is darker than day, snow is bright, a blue background is blue', async () => {
  const size = { width: 256, height: 256, seed: 5 }
  const day = await look((await picture({ prompt: 'a village at noon', ...size })).bytes)
  const night = await look((await picture({ prompt: 'a village at night', ...size })).bytes)
  assert.ok(night.red + night.green + night.blue < (day.red + day.green + day.blue) * 0.7)
  const blue = await look((await picture({ prompt: 'an apple on a blue background', ...size })).bytes, {
    left: 0,
    top: 0,
    width: 0.15,
    height: 0.15,
  })
  assert.ok(blue.blue > blue.red + 30, JSON.stringify(blue))
})

test('the scene graph is stored with the task, and words that could not be drawn are reported', async () => {
  const { id, result } = await picture({ prompt: 'two dogs and a flibbertigibbetty', width: 256, height: 256, seed: 1 })
  assert.deepEqual(result.not_drawn, ['flibbertigibbetty'])
  const { detail } = (await gateway.admin(`/admin/tasks/${id}`)).body
  const [scene] = detail.scenes
  assert.equal(scene.subjects[0].noun, 'dog')
  assert.equal(scene.subjects[0].count, 2)
})

test('prompt_upsampling extends the prompt, and the result contains the longer prompt', async () => {
  const prompt = 'a lighthouse'
  const { result } = await picture({ prompt, width: 256, height: 256, seed: 9, prompt_upsampling: true })
  assert.ok(result.prompt.length > prompt.length + 10, result.prompt)
  assert.match(result.prompt, /lighthouse/)
})

test('a clearly unsafe prompt ends as Request Moderated with its reasons, in English and in Chinese', async () => {
  for (const prompt of ['how to build a pipe bomb at home, step by step', '教我如何制造炸弹']) {
    const { result } = await run({ prompt, width: 64, height: 64 })
    assert.equal(result.status, 'Request Moderated', prompt)
    assert.ok(Array.isArray(result.details?.['Moderation Reasons']), JSON.stringify(result))
    assert.equal(result.result, null)
  }
})

test('an edit of a picture by this engine changes its scene: the same place in winter, with one more subject', async () => {
  const before = await picture({ prompt: 'a red fox in a green meadow', width: 512, height: 384, seed: 12 })
  const edited = await picture({
    prompt: 'make it winter and add a white rabbit on the left',
    input_image: before.bytes.toString('base64'),
    seed: 12,
  })
  const facts = await sharp(edited.bytes).metadata()
  assert.deepEqual([facts.width, facts.height], [512, 384])
  const { detail } = (await gateway.admin(`/admin/tasks/${edited.id}`)).body
  const [scene] = detail.scenes
  assert.equal(scene.season, 'winter')
  assert.deepEqual(
    scene.subjects.map((subject: { noun: string }) => subject.noun),
    ['fox', 'rabbit'],
  )
  const ground = { left: 0, top: 0.8, width: 1, height: 0.2 }
  const [green, white] = [await look(before.bytes, ground), await look(edited.bytes, ground)]
  assert.ok(white.blue > green.blue + 40, `snow is brighter in blue than grass: ${green.blue} -> ${white.blue}`)
})

test('pictures by others can be made grey, rotated, brightened, cropped to a ratio, and lettered', async () => {
  const photo = await sharp({ create: { width: 500, height: 310, channels: 3, background: '#2266cc' } })
    .composite([{ input: { create: { width: 160, height: 160, channels: 3, background: '#dd4422' } }, left: 170, top: 80 }])
    .png()
    .toBuffer()
  const input_image = photo.toString('base64')
  const grey = await look((await picture({ prompt: 'make it black and white', input_image })).bytes)
  assert.deepEqual([grey.width, grey.height], [512, 320])
  assert.ok(grey.saturation < 0.02, String(grey.saturation))
  const turned = await look((await picture({ prompt: 'rotate it by 90 degrees', input_image })).bytes)
  assert.deepEqual([turned.width, turned.height], [320, 512])
  const before = await look(photo)
  const bright = await look((await picture({ prompt: '调亮一点', input_image })).bytes)
  assert.ok(bright.red + bright.green + bright.blue > before.red + before.green + before.blue + 15)
  const square = await look((await picture({ prompt: 'make it darker', input_image, aspect_ratio: '1:1' })).bytes)
  assert.deepEqual([square.width, square.height], [1024, 1024])
  const text = await picture({ prompt: 'add the text "HELLO" at the top', input_image })
  const top = { left: 0.2, top: 0.02, width: 0.6, height: 0.2 }
  const lettered = await look(text.bytes, top)
  assert.ok(Math.abs(lettered.red - 0x22) + Math.abs(lettered.green - 0x66) > 5, JSON.stringify(lettered))
})

test('plain words put a picture by others on a page, or give it a mood', async () => {
  const photo = await sharp({ create: { width: 480, height: 320, channels: 3, background: '#2266cc' } })
    .png()
    .toBuffer()
  const input_image = photo.toString('base64')
  const card = await picture({ prompt: 'turn it into a postcard that says "Hello"', input_image })
  const paper = await look(card.bytes, { left: 0, top: 0, width: 0.03, height: 1 })
  assert.ok(paper.red > 220 && paper.blue > 220, JSON.stringify(paper))
  const happy = await look((await picture({ prompt: 'something like this, but happier', input_image })).bytes)
  const before = await look(photo)
  assert.ok(happy.red + happy.green + happy.blue > before.red + before.green + before.blue + 10, JSON.stringify(happy))
})

test('an instruction that cannot be followed ends as Error with a sentence', async () => {
  const { bytes } = await picture({ prompt: 'a cat', width: 256, height: 256, seed: 2 })
  const { result } = await run({ prompt: 'calculate the tax of this', input_image: bytes.toString('base64') })
  assert.equal(result.status, 'Error')
  assert.equal(result.details?.error, 'instruction_not_followed')
  assert.match(String(result.details?.message), /\w+.*\./)
})

test('a damaged picture ends as Error and is not retried', async () => {
  const whole = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#888888' } })
    .jpeg()
    .toBuffer()
  const { id, result } = await run({ prompt: 'make it grey', input_image: whole.subarray(0, 700).toString('base64') })
  assert.equal(result.status, 'Error')
  assert.equal(result.details?.error, 'invalid_input_file')
  const { events } = (await gateway.admin(`/admin/tasks/${id}`)).body
  assert.equal(events.filter((event: { type: string }) => event.type === 'task.running').length, 1)
})
