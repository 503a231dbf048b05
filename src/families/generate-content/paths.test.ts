/** Tests the paths of generateContent, counts of tokens and lists of models. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertDocumented } from '../../testing/documented.ts'
import { says } from '../../testing/fakes/fake-text-driver.ts'
import { follow, gateway, startBeforeTests } from '../../testing/fakes/scripted-model.ts'
import { testKey } from '../../testing/gateway.ts'
import { assertFails, at, hello } from './testing/ask-content.ts'

startBeforeTests()

test('every path works, and the key is never read from the query', async () => {
  follow(() => says('ok'))
  const vertex = 'projects/p/locations/l/publishers/google/models'
  for (const path of [
    'v1beta/models',
    'v1/models',
    'v1/ai/default/models',
    'v1/ai/default/v1beta/models',
    `v1/${vertex}`,
    'v1beta1/publishers/google/models',
  ]) {
    for (const [verb, type] of [
      ['generateContent', 'application/json'],
      ['streamGenerateContent?alt=sse', 'text/event-stream'],
      ['countTokens', 'application/json'],
    ] as const) {
      const answer = await gateway.call(`/${path}/fake:${verb}`, { body: hello })
      assert.equal(answer.status, 200, `${path} ${verb} ${answer.bytes}`)
      assert.ok(answer.headers.get('content-type')?.startsWith(type))
    }
  }
  const keyed = await fetch(`${gateway.url}${at('generateContent')}?key=${testKey}`, {
    method: 'POST',
    body: JSON.stringify(hello),
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(keyed.status, 401)
  assert.match(await keyed.text(), /UNAUTHENTICATED/)
})

test('the tokens of contents and of a whole request are counted', async () => {
  const one = await gateway.call(at('countTokens'), { body: hello })
  assertDocumented('countContentTokens', one)
  const whole = await gateway.call(at('countTokens'), { body: { generateContentRequest: { model: 'models/fake', ...hello } } })
  assert.deepEqual(whole.body, one.body)
  assert.ok(one.body.totalTokens > 0)
  for (const body of [{}, { ...hello, generateContentRequest: hello }, { ...hello, generateContentRequest: {} }])
    assertFails(await gateway.call(at('countTokens'), { body }), 400, /contents/)
  const place = await gateway.call(at('countTokens'), { body: { generateContentRequest: { contents: [{ role: 'x' }] } } })
  assertFails(place, 400, /^generateContentRequest\.contents\[0\]\.role/)
})

test('models are listed in pages, also at the shared path', async () => {
  const list = await gateway.call('/v1beta/models?pageSize=1000')
  assertDocumented('listContentModels', list)
  const names = list.body.models.map(({ name }: { name: string }) => name)
  assert.ok(names.includes('models/fake'))
  const paged: string[] = []
  for (let token = ''; ; ) {
    const { body } = await gateway.call(`/v1beta/models?pageSize=1${token && `&pageToken=${token}`}`)
    paged.push(body.models[0].name)
    token = body.nextPageToken ?? ''
    if (token === '') break
  }
  assert.deepEqual(paged, names)
  const shared = await gateway.call('/v1/models/fake', { headers: { 'x-goog-api-key': 'x' } })
  assert.equal(shared.body.name, 'models/fake')
  assertFails(await gateway.call('/v1beta/models/fak'), 404, /fake/)
  assertFails(await gateway.call('/v1beta/models?pageToken=zzz'), 400, /pageToken/)
})
