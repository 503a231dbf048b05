import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { withTextModel } from './text-model.ts'
import type { Translator } from './translator.ts'

const never = new AbortController().signal
/** A translator that supports only Spanish. */
const apertium: Translator = {
  canTranslate: (_from, to) => to === 'es',
  translate: async texts => ({ es: texts.map(each => `es: ${each}`) }),
}

async function serve(answer: (requested: { messages: { content: string }[] }) => string) {
  const recognised: { authorization: string | undefined; url: string | undefined; body: Record<string, never> }[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    recognised.push({ authorization: request.headers.authorization, url: request.url, body })
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: answer(body) } }] }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const translator = withTextModel(apertium, {
    model: 'm',
    url: `http://127.0.0.1:${port}/v1/`,
    key: 'secret',
    route: directOutbound.routeOf(),
  })
  return { heard: recognised, translator, [Symbol.asyncDispose]: async () => void server.close() }
}

test('directions that Apertium lacks are requested from the text model, all targets in one request', async () => {
  await using model = await serve(() => '```json\n{"de":["eins","zwei"],"ja":["一","二"]}\n```')
  const { heard, translator } = model
  assert.ok(translator.canTranslate('en', 'de') && translator.canTranslate('en', 'es'))
  const done = await translator.translate(['one', 'two'], { from: 'en', to: ['es', 'de', 'ja'] }, { signal: never })
  assert.deepEqual(done, { es: ['es: one', 'es: two'], de: ['eins', 'zwei'], ja: ['一', '二'] })
  assert.deepEqual([heard.length, heard[0]?.url, heard[0]?.authorization], [1, '/v1/chat/completions', 'Bearer secret'])
  const { model: name, messages, response_format } = heard[0]!.body
  assert.equal(name, 'm')
  assert.match(JSON.stringify(messages), /from english into de \(german\), ja \(japanese\)/i)
  assert.match(JSON.stringify(response_format), /"required":\["de","ja"\]/)
})

test('an answer that lacks a text is an error, never half a translation; an empty text is not sent', async () => {
  for (const [answer, message] of [
    ['{"de":["eins"]}', /gave 1 of 2 texts in de/],
    ['no', /other than JSON/],
  ] as const) {
    await using model = await serve(() => answer)
    await assert.rejects(model.translator.translate(['one', 'two'], { from: 'en', to: ['de'] }, { signal: never }), {
      code: 'upstream_error',
      message,
    })
  }
  await using model = await serve(() => '')
  assert.deepEqual(await model.translator.translate([''], { from: 'en', to: ['de'] }, { signal: never }), { de: [''] })
  assert.equal(model.heard.length, 0)
})
