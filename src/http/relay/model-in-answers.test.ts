import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import type { RelayScan } from '../../contract/relay.ts'
import { chatRelay } from '../../families/chat/relay.ts'
import { responsesRelay } from '../../families/responses/relay.ts'
import { errorReply, type FakeReply, rawReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { chatFrames, responseObject, responsesFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { begin, exchange, type RelayGateway, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'
import { ModelInAnswers } from './model-in-answers.ts'
import { EventAnswer, JsonAnswer, type RelayedAnswer } from './relay-parts.ts'

const path = '/v1/ai/default'
const ours = 'house "é"'
const file = '/models/secret.gguf'
const oursJson = JSON.stringify(ours)
const speech = { text: 'One two', usage: { input: 9, output: 3 } }
/** Members called `model` at deeper levels were written by the caller or the model, so they are
 *  not replaced. */
const deep = {
  metadata: { model: file },
  tools: [{ arguments: '{"model":"x"}', model: file }],
  text: `"model":"${file}"`,
  response: [{ model: file }],
}

let relays: RelayGateway
before(async () => {
  relays = await startRelayGateway(
    url =>
      relayYaml([{ url }]).replace('id: m\n', `id: ${oursJson}\n    model_in_answers: ours\n`) +
      relayYaml([{ url }]).replace('models:\n', '').replace('id: m\n', 'id: plain\n    model_in_answers: upstream\n'),
  )
})
after(() => relays[Symbol.asyncDispose]())

/** Sends a body that names this model, and answers it with `reply`. */
async function ask(
  reply: FakeReply,
  { at = '/chat/completions', model = ours, ...fields }: { at?: string; model?: string; [field: string]: unknown } = {},
) {
  const { gateway, upstream } = relays
  upstream.answer(reply)
  const input = at === '/responses' ? { input: 'hi' } : { messages: [{ role: 'user', content: 'hi' }] }
  return exchange(gateway.url + path + at, { body: JSON.stringify({ model, ...input, ...fields }) })
}

const renamed = (text: string) => text.replace(`"model" : "${file}"`, `"model" : ${oursJson}`)

test("a whole answer has the gateway's model name and the right length; all other bytes are unchanged", async () => {
  const usage = '"usage":{"prompt_tokens":3,"completion_tokens":4}'
  const text = `{ "id":"é", "big":12345678901234567890,\n"deep":${JSON.stringify(deep)}, "model" : "${file}" ,"choices":[{"message":{}}], ${usage}}`
  const reply = rawReply(text, 200, { 'content-type': 'application/json' })
  for (const _ of ['long', 'fast']) {
    const got = await ask(reply)
    assert.equal(got.text, renamed(text))
    assert.equal(got.headers['content-length'], String(Buffer.byteLength(got.text)))
  }
  assert.equal((await ask(reply, { model: 'plain' })).text, text)
})

test('an answer that is relayed while it arrives is changed in the same way, however it is split', async () => {
  const long = 'x'.repeat(300_000)
  const text = `{"choices":[{"message":{}}],"instructions":"${long}","deep":${JSON.stringify(deep)},"model" : "${file}","text":"${long}","usage":{"prompt_tokens":3,"completion_tokens":4}}`
  const reply: FakeReply = async response => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
    const at = text.indexOf('"model" :')
    for (const [start, end] of [
      [0, at + 15],
      [at + 15, at + 20],
      [at + 20, text.length],
    ] as const) {
      response.write(text.slice(start, end))
      await turn()
    }
    response.end()
  }
  const got = await ask(reply)
  assert.equal(got.text, renamed(text))
  assert.equal(got.headers['content-length'], undefined)
  assert.equal((await ask(reply, { model: 'plain' })).text, text)
})

const up = (frames: object[]) => JSON.parse(JSON.stringify(frames).replaceAll('"up-1"', JSON.stringify(file)))

test("every chat chunk, and every response in an event, has the gateway's model name, relayed and read again", async () => {
  const chat = await ask(sseReply(up(chatFrames(speech) as object[])), { stream: true })
  assert.equal(chat.text.includes(file), false)
  assert.equal(
    chat.text.split(`"model":${oursJson}`).length - 1,
    chatFrames(speech).length - 2,
    'all but the counts, which nobody asked for, and the end',
  )
  const made = await ask(sseReply(up(responsesFrames(speech) as object[])), { at: '/responses', stream: true })
  assert.equal(made.text.includes(file), false)
  assert.ok(made.text.split(`"model":${oursJson}`).length > 2)
  const { gateway, upstream } = relays
  upstream.answer(
    rawReply(JSON.stringify({ ...responseObject(speech), model: file, metadata: { model: file } }), 200, {
      'content-type': 'application/json',
    }),
  )
  const read = await exchange(`${gateway.url + path}/responses/resp_up`, { method: 'GET' })
  assert.deepEqual([JSON.parse(read.text).model, JSON.parse(read.text).metadata.model], [ours, file])
  const refused = await ask(errorReply(400, { message: `no ${file}`, type: 'invalid_request_error', param: null, code: null }))
  assert.equal(refused.status, 400)
})

test('a stream continues while its model name is replaced', async () => {
  const { gateway, upstream } = relays
  upstream.answer(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: {"model":"${file}","choices":[{"delta":{}}]}\n\n`)
  })
  const body = JSON.stringify({ model: ours, stream: true, messages: [{ role: 'user', content: 'hi' }] })
  const response = await begin(`${gateway.url + path}/chat/completions`, { body })
  const [first] = await response.take(1).toArray()
  assert.equal(String(first), `data: {"model":${oursJson},"choices":[{"delta":{}}]}\n\n`)
  response.destroy()
})

/** Returns the bytes that the caller gets when the answer arrives in pieces of this size. */
function passed(answer: RelayedAnswer, bytes: Buffer, size: number): string {
  const out: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const part = answer.take(bytes.subarray(at, at + size))
    if (part) out.push(part.bytes)
  }
  for (let part = answer.end(); part; part = answer.end()) out.push(part.bytes)
  assert.equal(answer.problem, undefined)
  return Buffer.concat(out).toString()
}

const { scan: chat } = chatRelay
const { scan: responses } = responsesRelay
const model = (scan: RelayScan) => new ModelInAnswers(scan, ours)
const key = fc.string().filter(name => name !== '__proto__' && name !== 'model')
const name = fc.oneof(fc.string(), fc.constant('a \\" " \\\\'), fc.constant(null), fc.constant({ model: 'x' }))

test('only the model name of an answer is changed, whatever else the answer contains', () => {
  fc.assert(
    fc.property(
      fc.dictionary(key, fc.jsonValue()),
      name,
      fc.integer({ min: 0, max: 2 }),
      fc.integer({ min: 1, max: 40 }),
      (object, named, indent, size) => {
        const { z = 0, ...rest } = JSON.parse(JSON.stringify(object))
        const value = { ...rest, model: named, z, usage: {} }
        const expected = typeof named === 'string' ? { ...value, model: ours } : value
        const json = Buffer.from(JSON.stringify(value, null, indent))
        assert.equal(model(chat).inAnswer(json).toString(), JSON.stringify(expected, null, indent))
        const large = { pad: 'x'.repeat(263_000), ...value }
        assert.equal(
          passed(
            new JsonAnswer(chat, { model: model(chat), judge: undefined, isUnwanted: false }),
            Buffer.from(JSON.stringify(large, null, indent)),
            262_900 + size,
          ),
          JSON.stringify({ ...large, ...expected }, null, indent),
        )
        for (const [scan, event, wanted] of [
          [chat, value, expected],
          [responses, { type: 't', response: value, model: 'x' }, { type: 't', response: expected, model: 'x' }],
        ] as const) {
          // Builds one event whose data is spread over several `data:` lines.
          const text = (body: object) =>
            `event: e\r\ndata:${JSON.stringify(body, null, indent).replaceAll('\n', '\ndata: ')}\nid: 1\n\n: model\n\ndata: [DONE]\n\n`
          assert.equal(
            passed(new EventAnswer(scan, { isAdded: undefined, model: model(scan), judge: undefined }), Buffer.from(text(event)), size),
            text(wanted),
          )
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('a large answer is changed correctly for every split within its model name', () => {
  const pad = 'x'.repeat(263_000)
  const before = `{"pad":"${pad}","mo\\u0064el" :`
  const text = `${before} "a\\"\\\\b" ,"model":null,"usage":{}}`
  for (let cut = before.length - 14; cut < text.length; cut++) {
    const answer = new JsonAnswer(chat, { model: model(chat), judge: undefined, isUnwanted: false })
    const parts = [text.slice(0, cut), text.slice(cut, cut + 1), text.slice(cut + 1, cut + 3), text.slice(cut + 3)]
    const out = parts.filter(part => part !== '').map(part => answer.take(Buffer.from(part))?.bytes.toString())
    assert.equal(out.join(''), `${before} ${oursJson} ,"model":null,"usage":{}}`, `cut at ${cut}`)
  }
})

test('text that is no answer of the protocol is relayed unchanged', () => {
  const events = [
    ...['data: [DONE]\n\n', 'data:\n\n', '\n\n\n', ': data: {"model":"x"}\n\n', 'data: ["model","x"]\n\n', 'data: {"model":7}\n\n'],
    ...[
      'data: {"model',
      'data: {"model":"x',
      'data: {"model":"\n\n',
      'data: {"mo\\xdel":"x"}\n\n',
      'data: {"model\\":"x"}\n\n',
      'data: {,"model":"x"}\n\n',
    ],
    ...['event: error\ndata: {"error":{"model":"x"}}\n\n', 'data: {"response":{"model":"x"}}\n\n', 'data: "model"\n\n'],
  ]
  for (const event of events) assert.equal(model(chat).inEvents(Buffer.from(event)).toString(), event)
  const other = 'data: {"model":"x","response":{"response":{"model":"x"}}}\n\n'
  assert.equal(model(responses).inEvents(Buffer.from(other)).toString(), other)
})
