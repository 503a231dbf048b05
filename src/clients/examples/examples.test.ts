/** Runs every file in examples/ in the way that its user would. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { fakeTextDriver, type TextScript } from '../../testing/fakes/fake-text-driver.ts'
import { fakeTranscriptionDriver, recording } from '../../testing/fakes/fake-transcription-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { startReceiver } from './testing/receivers.ts'
import { examplesFolder, type Language, languages, needPrograms, runExample, startExample } from './testing/run-example.ts'

const uses = ['stream', 'task', 'upload', 'webhook']
const yaml = `
models:
  - { id: house-llm, family: [chat, responses], targets: [{ driver: knowing }] }
  - { id: whisper-1, family: R1, group: basic, targets: [{ driver: ears }] }
accounts: [{ id: default, endpoints: [{ name: default, routes: { chat: { model: house-llm } } }] }]
`
let gateway: TestGateway
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'examples-'))
  await writeFile(join(folder, 'speech.wav'), recording(5))
  const drivers = [fakeTextDriver('knowing', answer), fakeTranscriptionDriver('ears')]
  gateway = await startTestGateway({ drivers, yaml, env: { GATEWAY_ENGINE_WORKERS: '1' } })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** Resolved when the example has printed the first words of a streamed answer. The model waits
 *  for this before it continues, so an example that prints only at the end fails. */
let printed = Promise.withResolvers<void>()
const answer: TextScript = async function* ({ request: { items } }) {
  const question = JSON.stringify(items).includes('fail') ? 'fail' : 'answer'
  yield { type: 'text', delta: 'It is ' }
  await printed.promise
  if (question === 'fail') throw new GatewayError('upstream_error', 'The model broke.')
  yield { type: 'text', delta: 'Paris, 巴黎.' }
}

function run(language: Language, use: string, args: readonly string[], key = testKey) {
  printed = Promise.withResolvers()
  const env = { GATEWAY_URL: `${gateway.url}/v1`, GATEWAY_KEY: key }
  return runExample(startExample(language, use, args, env), printed.resolve)
}

test('there is exactly one file for each use in each language', async () => {
  for (const { folder: name, extension } of languages)
    assert.deepEqual(
      (await readdir(join(examplesFolder, name))).sort(),
      uses.map(use => `${use}.${extension}`),
    )
})

for (const language of languages) {
  const needs = needPrograms(language)
  const { folder: name } = language

  test(`${name}: a task's picture is drawn and downloaded`, needs, async () => {
    const file = join(folder, `${name}.jpg`)
    assert.deepEqual(await run(language, 'task', [file]), { code: 0, stdout: `wrote ${file}\n`, stderr: '' })
    const { format, width, height } = await sharp(file).metadata()
    assert.deepEqual([format, width, height], ['jpeg', 768, 512])
  })

  test(`${name}: the first words of a stream are printed before the last ones are made`, needs, async () => {
    const ended = await run(language, 'stream', ['What is the "capital" of France?'])
    assert.deepEqual(ended, { code: 0, stdout: 'It is Paris, 巴黎.\n', stderr: '' })
  })

  test(`${name}: a stream that fails after its first words ends with the reason`, needs, async () => {
    const { code, stdout, stderr } = await run(language, 'stream', ['fail'])
    assert.notEqual(code, 0)
    assert.match(stdout, /^It is /)
    assert.match(stderr, /The model broke/)
  })

  test(`${name}: an upload is transcribed`, needs, async () => {
    const { code, stdout, stderr } = await run(language, 'upload', [join(folder, 'speech.wav')])
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^1\n00:00:00,000 --> 00:00:0\d,\d{3}\nOne two three four\.[\s\S]*Five/)
  })

  test(`${name}: each example ends with the gateway's message for a wrong key`, needs, async () => {
    for (const [use, args] of Object.entries({ task: [], stream: [], upload: [join(folder, 'speech.wav')] })) {
      const { code, stdout, stderr } = await run(language, use, args, 'sk-of-nobody')
      assert.notEqual(code, 0, use)
      assert.match(stdout + stderr, /access key/i, use)
    }
  })

  for (const secret of ['hook secret', `whsec_${Buffer.from('a key of bytes \0\xff', 'latin1').toString('base64')}`])
    test(`${name}: a webhook signed with ${secret} is accepted, and a forged one is refused`, needs, async () => {
      await using receiver = await startReceiver(language, secret)
      const task = { prompt: 'a lighthouse', width: 256, height: 256, webhook_url: receiver.url, webhook_secret: secret }
      const { body } = await gateway.call('/v1/ai/default/imgf/image/generate', { body: task })
      const line = await until(async () => (await receiver.taken())[0], 'the webhook arrives')
      const [id = '', sent = ''] = line.split(/ (.*)/)
      assert.deepEqual([JSON.parse(sent).type, JSON.parse(sent).id], ['image.generation.completed', body.id])
      await assertOnlySigned(receiver.url, secret, sent)
      assert.deepEqual(new Set((await receiver.taken()).map(each => each.split(' ')[0])), new Set([id, 'again', 'rotated']))
    })
}

/** Posts deliveries with a correct signature, which the receiver must accept, and copies that
 *  are wrong in one point each, which it must refuse. */
async function assertOnlySigned(url: string, secret: string, body: string): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const good = signed({ id: 'again', time: now, body, secret })
  const rotated = signed({ id: 'rotated', time: now, body, secret })
  const both = `v1,${Buffer.alloc(32).toString('base64')} ${rotated['webhook-signature']}`
  for (const [status, title, headers, content] of [
    [204, 'a signed one', good, body],
    [204, 'one of several signatures', { ...rotated, 'webhook-signature': both }, body],
    [401, 'another body', good, body.replace('{', '{ ')],
    [401, 'another id', { ...good, 'webhook-id': 'other' }, body],
    [401, 'another secret', signed({ id: 'other', time: now, body, secret: 'other' }), body],
    [401, 'an old one', signed({ id: 'old', time: now - 600, body, secret }), body],
    [401, 'one of the future', signed({ id: 'future', time: now + 600, body, secret }), body],
    [401, 'no signature', { ...good, 'webhook-signature': '' }, body],
    [401, 'no time', { ...good, 'webhook-timestamp': '' }, body],
  ] as const)
    assert.equal((await fetch(url, { method: 'POST', headers, body: content })).status, status, title)
}

/** Returns the headers of a delivery, as the Standard Webhooks specification defines them. */
function signed({ id, time, body, secret }: { id: string; time: number; body: string; secret: string }) {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': `v1,${signature}` }
}
