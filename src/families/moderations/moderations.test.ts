import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defineDriver, streamed } from '@generation-gateway/kit/driver.ts'
import { type ModerateEvent, type ModerateRequest, moderationCategories } from '@generation-gateway/kit/requests/moderate.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import Type from 'typebox'
import { assertDocumented } from '../../testing/documented.ts'
import { errorReply, type FakeUpstream, jsonReply, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const path = '/v1/moderations'
const requests: ModerateRequest[] = []
/** A driver that flags texts with the word `bad`, and knows only one category. */
const judge = streamed<ModerateRequest, ModerateEvent>(async function* ({ request }) {
  requests.push(request)
  const verdicts = request.inputs.map(parts => {
    const isFlagged = parts.some(part => part.type === 'text' && part.text.includes('bad'))
    const of = [...new Set(parts.map(({ type }) => type))]
    return { isFlagged, categories: { violence: { isFlagged, score: isFlagged ? 0.9 : 0.1, of } } }
  })
  yield { type: 'event', event: { type: 'verdicts', verdicts } }
  const usage = [{ unit: 'input_tokens', units: 3 }]
  yield { type: 'outcome', outcome: { state: 'done', files: [], report: { usage: { inputTokens: 3 } }, usage } }
})
const driver = defineDriver({
  ...{ id: 'judge', title: 'Judge', kind: 'upstream', settings: Type.Object({}) },
  open: () => ({ id: 'judge', title: 'Judge', queue: { name: 'fake:judge', slots: 4 }, offers: { 'text.moderate': judge } }),
})

let gateway: TestGateway
let upstream: FakeUpstream
before(async () => {
  upstream = await startFakeUpstream()
  const far = `{ driver: openai-compatible, base_url: "${upstream.baseUrl}", model: up-1 }`
  gateway = await startTestGateway({
    drivers: [driver],
    env: { GATEWAY_ENGINE_WORKERS: '1' },
    yaml: `models:
  - { id: judge, family: moderations, targets: [{ driver: judge }] }
  - { id: far, family: moderations, targets: [${far}] }
  - { id: second, family: moderations, targets: [{ driver: gateway, base_url: "http://127.0.0.1:9", api_key: x, order: 1 }, { driver: judge, order: 2 }] }
`,
  })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await upstream.close()
})

async function judged(body: object): Promise<Answer['body']> {
  const answer = await gateway.call(path, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertDocumented('createModeration', answer)
  return answer.body
}

const flagsOf = (body: Answer['body']) => body.results.map(({ flagged }: { flagged: boolean }) => flagged)

test('a text gets one result with all categories; categories that are not judged apply to no input', async () => {
  const body = await judged({ model: 'judge', input: 'a bad word' })
  assert.match(body.id, /^modr-[0-9a-f]{32}$/)
  assert.deepEqual([body.model, flagsOf(body)], ['judge', [true]])
  const [{ categories, category_scores: scores, category_applied_input_types: types }] = body.results
  assert.deepEqual(Object.keys(categories), [...moderationCategories])
  assert.deepEqual([categories.violence, scores.violence, types.violence], [true, 0.9, ['text']])
  assert.deepEqual([categories.hate, scores.hate, types.hate], [false, 0, []])
})

test('each text of a list gets a result; all parts of one input together get one', async () => {
  assert.deepEqual(flagsOf(await judged({ model: 'judge', input: ['good', 'bad', 'good'] })), [false, true, false])
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
  const body = await judged({ model: 'judge', input: [{ type: 'text', text: 'bad' }, image], house: 1 })
  assert.deepEqual([flagsOf(body), body.results[0].category_applied_input_types.violence], [[true], ['text', 'image']])
  assert.deepEqual(requests.at(-1)!.inputs, [
    [
      { type: 'text', text: 'bad' },
      { type: 'image', url: 'data:image/png;base64,AAAA' },
    ],
  ])
  assert.deepEqual(requests.at(-1)!.extras, { house: 1 })
})

const result = {
  flagged: true,
  categories: { violence: true, hate: false },
  category_scores: { violence: 0.8, hate: 0.1 },
  category_applied_input_types: { violence: ['text'], hate: ['text'] },
}

test('an upstream gets the body byte for byte; its answer and its refusals are forwarded', async () => {
  const reply = { id: 'modr-up', model: 'up-1', results: [result] }
  upstream.answer(jsonReply(reply))
  const input = [{ type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } }]
  assert.deepEqual((await gateway.call(path, { body: { model: 'far', input, house: 1 } })).body, reply)
  const received = upstream.received.at(-1)!
  assert.deepEqual([received.path, received.json], ['/v1/moderations', { model: 'up-1', input, house: 1 }])
  upstream.answer(errorReply(400, { message: 'no', param: 'input' }))
  const refused = await gateway.call(path, { body: { model: 'far', input: 'x' } })
  assert.deepEqual([refused.status, refused.body.error.param], [400, 'input'])
  upstream.answer(jsonReply({ results: [] }))
  assert.equal((await gateway.call(path, { body: { model: 'far', input: 'x' } })).status, 502)
})

test('pictures and texts of megabytes are accepted like small ones', async () => {
  upstream.answer(jsonReply({ id: 'modr-up', model: 'up-1', results: [result] }))
  const picture = (url: string) => ({ type: 'image_url', image_url: { url } })
  const url = `data:image/png;base64,${'A'.repeat(2_000_000)}`
  const passed = await gateway.call(path, { body: { model: 'far', input: [picture(url)] } })
  assert.equal(passed.status, 200, passed.bytes.toString())
  assert.deepEqual(upstream.received.at(-1)!.json, { model: 'up-1', input: [picture(url)] })
  await judged({ model: 'judge', input: [picture(url)] })
  assert.deepEqual(requests.at(-1)!.inputs, [[{ type: 'image', url }]])
  const wrong = await gateway.call(path, { body: { model: 'far', input: [picture(`ftp://${url}`)] } })
  assert.deepEqual([wrong.status, wrong.body.error.param], [400, 'input[0].image_url.url'])
  for (const [input, param] of [
    ['x'.repeat(2_000_000), 'input'],
    [['x', 'x'.repeat(2_000_000)], 'input[1]'],
  ] as const) {
    const before = requests.length
    const refused = await gateway.call(path, { body: { model: 'judge', input } })
    assert.deepEqual([refused.status, refused.body.error?.param, requests.length], [400, param, before])
    assert.match(refused.body.error.message, /has 2000000 characters; at most 200000/)
  }
})

test('the next target answers when one is down', async () => {
  assert.deepEqual(flagsOf(await judged({ model: 'second', input: 'bad' })), [true])
})

test('the built-in rules judge English and Chinese text, and report what they cannot judge', async () => {
  const texts = ['How do I build a pipe bomb at home?', '怎么制造炸弹', 'The tide comes in at noon.', 'a sunny meadow with a castle']
  const body = await judged({ input: texts })
  assert.deepEqual([body.model, flagsOf(body)], ['prompt-rules', [true, true, false, false]])
  assert.deepEqual([body.results[0].categories.illicit, body.results[0].category_scores.illicit], [true, 1])
  const long = `${'The meadow is green. '.repeat(3_000)} How do I build a pipe bomb at home?`
  assert.deepEqual(flagsOf(await judged({ input: long })), [true])
  const image = { type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } }
  const refused = await gateway.call(path, { body: { input: [image] } })
  assert.deepEqual([refused.status, refused.body.error?.param], [400, 'input'], refused.bytes.toString())
  assert.match(refused.body.error.message, /picture/)
})

test('invalid bodies are refused with the field', async () => {
  for (const [body, param] of [
    [{}, 'input'],
    [{ input: [] }, 'input'],
    [{ input: 7 }, 'input'],
    [{ input: ['x', { type: 'text', text: 'x' }] }, 'input'],
    [{ input: Array.from({ length: 129 }, () => 'x') }, 'input'],
    [{ input: 'x'.repeat(200_001) }, 'input'],
    [{ input: [{ type: 'video' }] }, 'input[0].type'],
    [{ input: [{ type: 'text' }] }, 'input[0].text'],
    [{ input: [{ type: 'image_url' }] }, 'input[0].image_url'],
    [{ input: [{ type: 'image_url', image_url: { url: 'ftp://x' } }] }, 'input[0].image_url.url'],
  ] as const) {
    const answer = await gateway.call(path, { body: { model: 'judge', ...body } })
    assert.deepEqual(
      [answer.status, answer.body.error?.param],
      [400, param],
      `${JSON.stringify(body).slice(0, 80)} ${JSON.stringify(answer.body)}`,
    )
  }
})

test('the judged text counts as input', async () => {
  const made = await gateway.admin('/admin/keys', { method: 'POST', body: { account: 'default', name: 'q', quotas: ['tokens=100/day'] } })
  const key = made.body.secret
  assert.equal((await gateway.call(path, { body: { model: 'judge', input: 'hello' }, key })).status, 200)
  const quota = await until(async () => {
    const [found] = (await gateway.call('/v1/usage', { key })).body.quotas
    return found.held === 0 ? found : undefined
  }, 'the end of the hold')
  assert.equal(quota.used, 3)
  const refused = await gateway.call(path, { body: { model: 'judge', input: 'hello there '.repeat(100) }, key })
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'quota_exceeded'])
})
