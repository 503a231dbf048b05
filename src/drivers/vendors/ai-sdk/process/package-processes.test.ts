/** Tests packages that end, block, flood or fill their process, on the whole program: neither the
 *  gateway nor the calls of other packages may suffer. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, before, beforeEach, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type FakeUpstream, rawReply, startFakeUpstream } from '../../../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway, testKey } from '../../../../testing/gateway.ts'
import { leastLongestTurn, startSender } from '../../../../testing/load/longest-turn.ts'
import { aiSdkDriver } from '../driver.ts'
import { anthropicReply } from '../testing/anthropic-answers.ts'
import { picture as pictureOf } from '../testing/run.ts'
import { processHost } from './package-processes.ts'

const picture = (await pictureOf()).toString('base64')

/** The program of the processes: its packages do what the name of their model says. */
const program = `
import { execSync, spawn } from 'node:child_process'
import { installedPackages } from ${JSON.stringify(new URL('../packages.ts', import.meta.url).href)}
import { serveProcess } from ${JSON.stringify(new URL('./host.ts', import.meta.url).href)}
const kept = []
const pause = new Int32Array(new SharedArrayBuffer(4))
const acts = {
  ends: () => process.exit(0),
  throws: () => { setTimeout(() => { throw new Error('later') }); return new Promise(() => {}) },
  // The pauses keep the process as busy as a loop without them, and take no CPU time.
  loops: () => { for (;;) Atomics.wait(pause, 0, 0, 50) },
  leaks: () => { for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => [at])) },
  outgrows: () => { const list = []; for (;;) list.push([list.length]) },
  leaves: () => { spawn('sleep', ['60'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }); setTimeout(() => process.exit(0), 50); return new Promise(() => {}) },
  shouts: () => { execSync('echo said by a child', { stdio: 'inherit' }) },
  rejects: () => { void Promise.reject(new TypeError('nobody waits')) },
  prints: () => { console.log('said on stdout'); console.error('said on stderr') },
  functions: () => {},
  throwsNull: () => { setTimeout(() => { throw null }); return new Promise(() => {}) },
  nests: () => [{ type: 'raw', rawValue: deep(8_000) }],
  circles: () => { const part = { type: 'raw', more: () => {} }; return [Object.assign(part, { one: part, other: part }), ...parts] },
  failsUnreadably: () => { throw Object.defineProperty(new Error('x'), 'message', { get: () => { throw new Error('unreadable') } }) },
  reads: () => { if (Object.keys(process.env).some(name => name.startsWith('GATEWAY_'))) throw new Error('a setting of the gateway') },
}
const deep = levels => levels === 0 ? {} : { inner: deep(levels - 1) }
const parts = [{ type: 'text-delta', id: '1', delta: 'Hello', more: () => {} }, { type: 'finish', finishReason: 'stop', usage: {} }]
const createFake = () => ({
  languageModel: id => ({
    specificationVersion: 'v4',
    supportedUrls: {},
    doStream: async () => {
      return { stream: ReadableStream.from((await acts[id]()) ?? parts) }
    },
  }),
  imageModel: id => ({
    ...{ specificationVersion: 'v4', maxImagesPerCall: id === 'hangs' ? new Promise(() => {}) : id === 'dies' ? process.exit(0) : 1 },
    doGenerate: () => id === 'draws' ? { images: ['${picture}'], warnings: [] } : acts[id](),
  }),
})
serveProcess({ has: () => true, load: name => (name.startsWith('@') ? installedPackages.load(name) : { createFake }) })
`
const acts = [
  'ends',
  'throws',
  'loops',
  'leaks',
  'outgrows',
  'leaves',
  'shouts',
  'rejects',
  'prints',
  'functions',
  'reads',
  'throwsNull',
  'nests',
  'circles',
  'failsUnreadably',
] as const

const folder = mkdtempSync(join(tmpdir(), 'ai-sdk-processes-'))
const file = join(folder, 'program.mjs')
writeFileSync(file, program)
let service: FakeUpstream
let gateway: TestGateway
let logged = ''
const secretBefore = process.env.GATEWAY_SECRET_KEY
before(async () => {
  process.env.GATEWAY_SECRET_KEY ??= 'a secret of this test'
  service = await startFakeUpstream()
  const driver = aiSdkDriver({ has: () => true, load: assert.fail }, log => processHost(log, { program: pathToFileURL(file), heapMb: 128 }))
  const models = acts.map(
    act =>
      `  - { id: ${act}, family: chat, targets: [{ driver: ai-sdk, package: fake-provider, model: ${act}, timeout_seconds: ${act === 'loops' ? 1 : 60} }] }`,
  )
  // `loops` has the longer limit, because the request for a picture must reach its process before
  // the limit ends.
  const seconds: Record<string, number> = { hangs: 1, loops: 4 }
  const drawing = (name: string, order: number) =>
    `{ driver: ai-sdk, package: fake-provider, model: ${name}, timeout_seconds: ${seconds[name] ?? 60}, order: ${order} }`
  const target = (name: string) => `{ driver: ai-sdk, package: "${name}", base_url: "${service.baseUrl}", api_key: k-none, model: up-1 }`
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  gateway = await startTestGateway({
    logTo,
    env: { GATEWAY_LOG_LEVEL: 'warn' },
    drivers: [driver],
    yaml: `models:
${models.join('\n')}
  - { id: claude, family: chat, targets: [${target('@ai-sdk/anthropic')}] }
  - { id: draws-loops, family: images, targets: [${drawing('loops', 1)}] }
  - { id: draws-hangs, family: images, targets: [${drawing('hangs', 1)}] }
  - { id: draws-dies, family: images, targets: [${drawing('dies', 1)}, ${drawing('draws', 2)}] }
  - { id: vectors, family: embeddings, targets: [${target('@ai-sdk/openai')}] }
`,
  })
})
beforeEach(() => service.answer(anthropicReply({ blocks: [{ type: 'text', text: 'Yes.' }] })))
after(async () => {
  if (secretBefore === undefined) delete process.env.GATEWAY_SECRET_KEY
  await gateway[Symbol.asyncDispose]()
  await service.close()
  rmSync(folder, { recursive: true })
})

const ask = (model: string) => gateway.call('/v1/chat/completions', { body: { model, messages: [{ role: 'user', content: 'Hi' }] } })
const textOf = async (model: string) => {
  const { status, body } = await ask(model)
  assert.equal(status, 200, JSON.stringify(body))
  return body.choices[0].message.content
}

for (const [act, code] of [
  ['ends', 'upstream_error'],
  ['throws', 'upstream_error'],
  ['throwsNull', 'upstream_error'],
  ['leaks', 'upstream_error'],
  ['outgrows', 'upstream_error'],
  ['leaves', 'upstream_error'],
  ['loops', 'upstream_timeout'],
] as const)
  test(`a package that ${act} fails only its own call, and its next call is answered`, async () => {
    assert.equal(await textOf('claude'), 'Yes.')
    const answer = ask(act)
    assert.equal(await textOf('claude'), 'Yes.')
    const { body } = await answer
    assert.equal(body.error.code, code, JSON.stringify(body))
    await until(async () => (await ask('functions')).status === 200, 'another process')
    assert.equal(await textOf('functions'), 'Hello')
  })

test('unhandled rejections, output and unsendable members do no harm; settings stay hidden', async () => {
  for (const act of ['rejects', 'prints', 'shouts', 'functions', 'reads']) assert.equal(await textOf(act), 'Hello')
  for (const text of ['nobody handled it (TypeError)', 'said on stdout', 'said on stderr', 'said by a child'])
    await until(() => logged.includes(text), `the line with ${text}`)
  assert.ok(!logged.includes('nobody waits'), 'the message of an error may have the prompt in it')
})

test('values and errors that cannot be sent or read fail only their own call, at once', async () => {
  assert.equal(await textOf('circles'), 'Hello')
  const codes = await Promise.all(['nests', 'failsUnreadably'].map(async act => (await ask(act)).body.error.code))
  assert.deepEqual(codes, ['upstream_error', 'not_implemented'])
})

const draw = (model: string) => gateway.call('/v1/images/generations', { body: { model, prompt: 'a cat' } })

test('an image package that loops or hangs is given up', async () => {
  for (const [model, says] of [
    ['draws-loops', /has ended \(it did not react\)/],
    ['draws-hangs', /gave no answer/],
  ] as const)
    assert.match((await draw(model)).body.error.message, says)
})

test('a package that ends before it is called for a picture fails over to the next target', async () => {
  const { status, body } = await draw('draws-dies')
  assert.equal(status, 200, JSON.stringify(body))
})

test('2,048 vectors of 1,536 numbers do not block the gateway', async () => {
  const list = (length: number, make: (index: number) => unknown) => Array.from({ length }, (_, index) => make(index))
  const data = list(2_048, index => ({ object: 'embedding', index, embedding: list(1_536, at => Math.sin(at + index)) }))
  const json = JSON.stringify({ object: 'list', data, usage: { prompt_tokens: 5, total_tokens: 5 } })
  service.answer(rawReply(json, 200, { 'content-type': 'application/json' }))
  await using sender = startSender(gateway.url)
  const { status, longestMs } = await leastLongestTurn(
    sender,
    {
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'vectors', input: list(2_048, () => 'a'), encoding_format: 'base64' }),
    },
    { budgetMs: 200 },
  )
  assert.equal(status, 200)
  assert.ok(longestMs < 200, `a turn of ${longestMs} ms`)
})
