/** Tests interface F3, and the images interface with several pictures, on the whole program with
 *  this driver and a simulated vendor. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { startTestGateway, type TestGateway, testKey } from '../../../testing/gateway.ts'
import ark from './driver.ts'
import { SimulatedArk } from './testing/simulated-ark.ts'

const path = '/v1/ai/default/imgs/image/generations'
const price = 0.5
let vendor: SimulatedArk
let gateway: TestGateway

before(async () => {
  vendor = await SimulatedArk.start('ark-secret-1')
  const named = {
    N1: 'doubao-seedream-5-0-260128',
    N3: 'doubao-seedream-4-0-250828',
    O1: 'doubao-seedream-3-0-t2i-250415',
    O2: 'doubao-seededit-3-0-i2i-250628',
  }
  const target = (model: string) => `targets: [{ driver: ark, base_url: "${vendor.baseUrl}", api_key_env: ARK, model: ${model} }]`
  const yaml = `models:
${Object.entries(named)
  .map(([group, model]) => `  - { id: ${group.toLowerCase()}, family: F3, group: ${group}, price: { image: ${price} }, ${target(model)} }`)
  .join('\n')}
  - { id: several, family: images, price: { image: ${price} }, ${target(named.N3)} }
`
  gateway = await startTestGateway({ drivers: [ark], yaml, env: { ARK: 'ark-secret-1', GATEWAY_ENGINE_WORKERS: '1' } })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await vendor.close()
})

const auto = (most: number) => ({ sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: most } })
const ask = (body: object, headers: Record<string, string> = {}) =>
  gateway.call(path, { body: { prompt: 'a fox', model: 'n1', ...body }, headers })

interface FrameData {
  image_index?: number
  url?: string
  b64_json?: string
  size?: string
  error?: { code: string }
  usage: object
  id: string
}
interface Frame {
  event: string | undefined
  data: FrameData
}

function framesIn(text: string): Frame[] {
  return text
    .split('\n\n')
    .filter(frame => frame.includes('data: {'))
    .map(frame => ({ event: /^event: (.*)$/m.exec(frame)?.[1], data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '') }))
}
/** Returns the events in short form: the picture's index with its size or with its error code (`0
 *  640x320`, `1 OutputImageSensitiveContentDetected`), and the name of other events. */
const reported = (frames: readonly Frame[]) =>
  frames.map(({ event, data }) => (data.image_index === undefined ? event : `${data.image_index} ${data.size ?? data.error?.code}`))
const sentFor = (prompt: string) => vendor.requests.filter(({ body }) => body.prompt === prompt)
const post = (body: object, signal?: AbortSignal) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'n1', ...body }),
    ...(signal ? { signal } : {}),
  })
const taskOf = async (id: string) => (await gateway.call(`/v1/tasks/${id}`)).body

/** Returns the number of pictures that the ledger still holds for a task; undefined when it holds
 *  none. */
async function openPictures(id: string): Promise<number | undefined> {
  const { lines } = (await gateway.admin('/admin/usage/open')).body
  const line = lines.find(({ taskId }: { taskId: string }) => taskId === id)
  return line?.units.find(({ unit }: { unit: string }) => unit === 'images').units
}
const ledgerOf = async (id: string) => [(await taskOf(id)).cost / price, await openPictures(id)]

const inputOf = async (background: string) => {
  const bytes = await sharp({ create: { width: 96, height: 64, channels: 3, background } })
    .png()
    .toBuffer()
  return `data:image/png;base64,${bytes.toString('base64')}`
}

test("a picture is exactly the vendor's, and every field reaches the vendor in its form", async () => {
  const { status, body } = await ask({
    prompt: 'one',
    size: '3k',
    watermark: false,
    tools: [{ type: 'web_search' }],
    optimize_prompt_options: {},
  })
  assert.equal(status, 200, JSON.stringify(body))
  const { bytes } = await gateway.call(body.data[0].url, { key: false })
  assert.ok(bytes.equals(vendor.picture(0)))
  assert.deepEqual([body.data[0].size, body.not_followed], ['640x320', []])
  assert.deepEqual(
    sentFor('one').map(each => each.body),
    [
      {
        ...{
          model: 'doubao-seedream-5-0-260128',
          prompt: 'one',
          size: '3K',
          response_format: 'url',
          watermark: false,
          output_format: 'jpeg',
        },
        ...{ tools: [{ type: 'web_search' }], optimize_prompt_options: { mode: 'standard' } },
      },
    ],
  )
  const { cost, usage } = await taskOf(body.id)
  assert.equal(cost, price)
  assert.deepEqual(
    usage.map(({ unit, units }: { unit: string; units: number }) => [unit, units]),
    [
      ['images', 1],
      ['output_tokens', 800],
      ['pixels', 204_800],
    ],
  )
})

test('reference pictures from data URLs and links are sent; older models accept seed and guidance', async () => {
  const red = await inputOf('#c02020')
  const linked = `${vendor.baseUrl.replace('/api/v3', '')}/files/plain-0.jpeg`
  const { status, body } = await ask({ prompt: 'two inputs', image: [red, linked], size: '2048x2048' })
  assert.equal(status, 200, JSON.stringify(body))
  const [sent] = sentFor('two inputs')
  assert.deepEqual(sent?.body.image, [red, `data:image/jpeg;base64,${vendor.picture(0).toString('base64')}`])
  const edited = await ask({ prompt: 'bluer', model: 'o2', image: red, seed: 11, watermark: false })
  assert.equal(edited.status, 200, JSON.stringify(edited.body))
  assert.deepEqual(sentFor('bluer')[0]?.body, {
    ...{ seed: 11, model: 'doubao-seededit-3-0-i2i-250628', prompt: 'bluer', size: 'adaptive', response_format: 'url', watermark: false },
    ...{ guidance_scale: 5.5, image: red },
  })
  const old = await ask({ prompt: 'older', model: 'o1', size: '512x640', optimize_prompt_options: { mode: 'fast' } })
  assert.equal(old.status, 200, JSON.stringify(old.body))
  const { guidance_scale, size, optimize_prompt_options } = sentFor('older')[0]?.body ?? {}
  assert.deepEqual([guidance_scale, size, optimize_prompt_options], [2.5, '512x640', { mode: 'fast' }])
  assert.deepEqual(old.body.not_followed, ['size'])
})

test('a group is returned picture by picture, withheld ones at their indices, and costs the returned ones', async () => {
  const goOn = Promise.withResolvers<void>()
  vendor.holdBack('held', goOn.promise)
  const answer = await post({ prompt: 'held refuse-1', stream: true, ...auto(4) })
  const reader = answer.body!.getReader()
  let text = ''
  while (!text.includes('\n\n')) text += Buffer.from((await reader.read()).value ?? []).toString()
  assert.deepEqual(reported(framesIn(text)), ['0 640x320'])
  assert.equal(sentFor('held refuse-1')[0]?.made, 1)
  goOn.resolve()
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += Buffer.from(part.value).toString()
  const frames = framesIn(text)
  assert.deepEqual(reported(frames), [
    '0 640x320',
    '1 OutputImageSensitiveContentDetected',
    '2 640x320',
    '3 640x320',
    'image_generation.completed',
  ])
  const { data } = frames.at(-1) ?? assert.fail()
  assert.deepEqual(data.usage, { generated_images: 3, output_tokens: 2400, total_tokens: 2400 })
  assert.deepEqual(await ledgerOf(data.id), [3, undefined])
  assert.match(text, /data: \[DONE\]\n\n$/)
})

test('a vendor stream that breaks off: received pictures are returned and charged, the rest is an open line', async () => {
  const { bytes } = await ask({ prompt: 'cut-2', stream: true, ...auto(5) })
  const frames = framesIn(bytes.toString())
  assert.deepEqual(reported(frames), ['0 640x320', '1 640x320', '2 InternalServiceError', 'image_generation.completed'])
  const id = frames.at(-1)?.data.id ?? ''
  assert.deepEqual(await ledgerOf(id), [2, 3])
  assert.equal((await taskOf(id)).error.code, 'outcome_unknown')
  assert.equal(sentFor('cut-2').length, 1)
  await gateway.admin(`/admin/usage/open/${id}/settle`, { body: { outcome: 'charge' } })
  assert.deepEqual(await ledgerOf(id), [5, undefined])
  const whole = await ask({ prompt: 'cut-1', ...auto(3) })
  assert.deepEqual(
    whole.body.data.map(({ size, error }: FrameData) => size ?? error?.code),
    ['640x320', 'InternalServiceError'],
  )
  assert.deepEqual(await ledgerOf(whole.body.id), [1, 2])
})

test('an internal failure ends the group by the vendor’s own statement, without an open line', async () => {
  const { status, body } = await ask({ prompt: 'fail-2', ...auto(6) })
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.map(({ size, error }: FrameData) => size ?? error?.code),
    ['640x320', '640x320', 'InternalServiceError'],
  )
  assert.deepEqual(await ledgerOf(body.id), [2, undefined])
})

test('refusals and errors of the vendor have the family’s words, and no request is sent again', async () => {
  const cases: [prompt: string, body: object, status: number, code: string][] = [
    ['forbidden', {}, 400, 'InputTextSensitiveContentDetected'],
    ['forbidden stream', { stream: true, ...auto(3) }, 400, 'InputTextSensitiveContentDetected'],
    ['refuse-all', {}, 400, 'OutputImageSensitiveContentDetected'],
    ['refuse-all of a group', auto(3), 400, 'OutputImageSensitiveContentDetected'],
    ['limit', { stream: true, ...auto(3) }, 429, 'RateLimitExceeded'],
  ]
  for (const [prompt, body, status, code] of cases) {
    const answer = await ask({ prompt, ...body })
    assert.deepEqual([answer.status, answer.body?.error.code], [status, code], prompt)
    assert.equal(sentFor(prompt).length, 1)
    if (status === 429) assert.equal(answer.headers.get('retry-after'), '9')
  }
  const { lines: before } = (await gateway.admin('/admin/usage/open')).body
  const broken = await ask({ prompt: 'break', ...auto(3) })
  assert.deepEqual([broken.status, broken.body.error.gateway_code, sentFor('break').length], [502, 'outcome_unknown', 1])
  const { lines } = (await gateway.admin('/admin/usage/open')).body
  assert.equal(lines.length, before.length + 1)
  const refused = await ask({ prompt: 'stream', stream: true, ...auto(2), size: '2048x2048' })
  assert.equal(refused.status, 200)
})

test('when a caller disconnects, the vendor stops: received pictures are charged, the rest is an open line', async () => {
  const never = Promise.withResolvers<void>()
  vendor.holdBack('leaving', never.promise)
  const leaving = new AbortController()
  const answer = await post({ prompt: 'leaving', stream: true, ...auto(4) }, leaving.signal)
  const reader = answer.body!.getReader()
  let text = ''
  while (!text.includes('\n\n')) text += Buffer.from((await reader.read()).value ?? []).toString()
  leaving.abort()
  await until(() => sentFor('leaving')[0]?.isCut, 'the cut at the vendor')
  const id = /\/files\/([^?]+)\?/.test(text)
    ? await until(async () => {
        const { data } = (await gateway.call('/v1/tasks?limit=1')).body
        return data[0].state === 'cancelled' ? data[0].id : undefined
      }, 'the end of the task')
    : assert.fail(text)
  assert.deepEqual(await ledgerOf(id), [1, 3])
  assert.equal((await taskOf(id)).outputs.length, 1)
  never.resolve()
})

test('a slow reader gets every picture whole, and does not delay the drawing', async () => {
  const answer = await post({ prompt: 'large and slow', stream: true, response_format: 'b64_json', ...auto(12) })
  await until(() => sentFor('large and slow')[0]?.made === 12, 'the last picture at the vendor')
  await until(async () => (await gateway.call('/v1/tasks?limit=1')).body.data[0].state === 'succeeded', 'the end of the task')
  const frames = framesIn(await answer.text())
  const pictures = frames.flatMap(({ data }) => data.b64_json ?? [])
  const large = vendor.picture(1).toString('base64')
  assert.ok(12 * large.length > 20_000_000, 'too little to block anybody')
  assert.deepEqual([pictures.length, pictures.every(each => each === large)], [12, true])
})

test('a repeat with the same Idempotency-Key finds the same group, and nothing is drawn twice', async () => {
  const headers = { 'idempotency-key': 'group-1' }
  const body = { prompt: 'again refuse-0', ...auto(3) }
  const first = await ask(body, headers)
  const again = await ask(body, headers)
  const places = ({ data }: { data: FrameData[] }) => data.map(({ size, error }) => size ?? error?.code)
  assert.deepEqual(places(first.body), ['OutputImageSensitiveContentDetected', '640x320', '640x320'])
  assert.deepEqual([places(again.body), again.body.id, sentFor('again refuse-0').length], [places(first.body), first.body.id, 1])
})

test('several independent pictures are as many requests, and withheld ones are not charged', async () => {
  const body = { model: 'several', prompt: 'apart refuse-nth', n: 3, size: '1024x1024', response_format: 'url' }
  const { status, body: reported } = await gateway.call('/v1/images/generations', { body })
  assert.equal(status, 200, JSON.stringify(reported))
  assert.deepEqual([reported.data.length, sentFor('apart refuse-nth').length], [2, 3])
  assert.deepEqual(await ledgerOf(reported.id), [2, undefined])
  const negative = await gateway.call('/v1/images/generations', { body: { ...body, size: '512x512' } })
  assert.deepEqual([negative.status, negative.body.error.param], [400, 'size'])
  assert.match(negative.body.error.message, /921600 to 16777216 pixels/)
})
