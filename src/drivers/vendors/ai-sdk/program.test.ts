/** Tests interface F1 on the whole program with a real provider package and a fake service that has
 *  OpenAI's images interface. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, test } from 'node:test'
import sharp from 'sharp'
import { errorReply, type FakeUpstream, jsonReply, resetReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import aiSdk from './driver.ts'
import { testSecret } from './testing/run.ts'

const path = '/v1/ai/default/imgf/image/generate'
const drawn = { width: 1152, height: 768, channels: 3 } as const
/** The picture is noise, so that no other picture has the same pixels. */
const pixels = randomBytes(drawn.width * drawn.height * drawn.channels)

let service: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  service = await startFakeUpstream()
  const target = (name: string) =>
    `{ driver: ai-sdk, package: "${name}", base_url: "${service.baseUrl}", api_key_env: DRAW_KEY, options: { name: local }, model: draw-1, seed: false }`
  gateway = await startTestGateway({
    drivers: [aiSdk],
    yaml: `models:
  - { id: MaaS_ImgF_P, family: F1, group: P, targets: [${target('@ai-sdk/openai-compatible')}] }
  - { id: MaaS_ImgF_KG, family: F1, group: KG, targets: [${target('@ai-sdk/not-there')}] }
`,
    env: { DRAW_KEY: testSecret, GATEWAY_ALLOW_PRIVATE_URLS: '0' },
  })
})
afterEach(async () => {
  await gateway[Symbol.asyncDispose]()
  await service.close()
})

interface Ended {
  status: string
  result: { prompt: string; sample: string; not_drawn: string[]; not_followed: string[] } | null
  details: { error?: string } | null
}

async function made(body: object): Promise<Ended> {
  const answer = await gateway.call(path, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  // The cast is unchecked: other tests check the reply against the schema of F1; this test reads
  // only these members.
  return (await gateway.result(answer.body.polling_url)) as unknown as Ended
}

test('a picture of the package is returned unchanged, and the report lists what was not followed', async () => {
  const png = await sharp(pixels, { raw: drawn }).png().toBuffer()
  service.answer(jsonReply({ data: [{ b64_json: png.toString('base64') }] }))
  const { status, result, details } = await made({ prompt: 'a boat', width: 1152, height: 768, seed: 771, output_format: 'png' })
  assert.equal(status, 'Ready', JSON.stringify(details))
  assert.deepEqual([result?.prompt, result?.not_drawn, result?.not_followed], ['a boat', [], ['seed']])
  const { bytes, headers } = await gateway.call(result?.sample ?? '', { key: false })
  assert.equal(headers.get('content-type'), 'image/png')
  assert.ok((await sharp(bytes).raw().toBuffer()).equals(pixels), 'other pixels than the service drew')
  const [{ path: requested, json, headers: sent } = assert.fail('nothing was sent')] = service.received
  assert.deepEqual([requested, json], ['/v1/images/generations', { model: 'draw-1', prompt: 'a boat', n: 1, size: '1152x768' }])
  assert.equal(sent.authorization, `Bearer ${testSecret}`)
})

test('a lost answer ends as outcome_unknown, and the request is sent once', async () => {
  service.answer(resetReply(), errorReply(500, {}))
  const { status, details } = await made({ prompt: 'a boat' })
  assert.deepEqual([status, details?.error, service.received.length], ['Error', 'outcome_unknown', 1])
})

test('a package that is not installed affects neither the program nor its other models, and is named', async () => {
  const answer = await gateway.call(path, { body: { prompt: 'a boat', aspect_ratio: '3:2' } })
  assert.equal(answer.status, 503)
  assert.match(JSON.stringify(answer.body), /npm install @ai-sdk\/not-there/)
})
