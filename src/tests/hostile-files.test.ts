/** Files that are made to harm the program that reads them, sent to every place at which files
 *  arrive from outside. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hostileFiles } from '@generation-gateway/kit/testing/hostile.ts'
import { longestTurnMs } from '@generation-gateway/kit/testing/longest-turn.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { fakeTranscriptionDriver } from '../testing/fakes/fake-transcription-driver.ts'
import { type FakeUpstream, jsonReply, rawReply, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'
import { sendParts } from '../testing/multipart.ts'
import { smallVideo } from '../testing/small-video.ts'

const mostTurnMs = 200
const hostile = await hostileFiles()
// Reading one of the hostile files takes two seconds of CPU time. Answers of services are read by
// the same code as uploads, so they are tested with these two files only.
const endless = hostile.get('endless.webm') ?? Buffer.alloc(0)
const bomb = hostile.get('samples-4g.m4a') ?? Buffer.alloc(0)
const clip = await smallVideo({ width: 1280, height: 720 })
const bad = await startFakeUpstream()
const good = await startFakeUpstream()
const yaml = `models:
  - { id: ears, family: R1, group: basic, targets: [{ driver: ears }] }
  - id: reel
    family: S
    targets:
      - { driver: openai-compatible, base_url: "${bad.baseUrl}", api_key: sk-bad, model: sora-2, order: 1 }
      - { driver: openai-compatible, base_url: "${good.baseUrl}", api_key: sk-good, model: sora-2, order: 2 }
  - id: lonely
    family: S
    targets: [{ driver: openai-compatible, base_url: "${bad.baseUrl}", api_key: sk-bad, model: sora-2 }]
`
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ drivers: [fakeTranscriptionDriver('ears')], yaml })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await Promise.all([bad.close(), good.close()])
})

/** Makes the upstream service return a finished video whose content is this file. */
function serve(upstream: FakeUpstream, file: Buffer): void {
  const state = (status: string) => jsonReply({ id: 'video_1', object: 'video', status })
  upstream.answer(state('queued'), state('completed'), rawReply(file, 200, { 'content-type': 'video/mp4' }), jsonReply({}, 404))
}

async function film(model: string): Promise<string> {
  const { status, body, bytes } = await sendParts(`${gateway.url}/v1/ai/default/videos`, [
    ['model', model],
    ['prompt', 'a kite'],
    ['seconds', '4'],
    ['size', '1280x720'],
  ])
  assert.equal(status, 200, bytes.toString())
  const ended = await until(async () => {
    const { body: task } = await gateway.call(`/v1/ai/default/videos/${body.id}`)
    return task.status === 'completed' || task.status === 'failed' ? task : undefined
  }, 'the end of the video')
  return ended.status
}

test('as files of a form they are refused with their field, and the gateway keeps working', async () => {
  const path = `${gateway.url}/v1/ai/default/audio/transcriptions`
  for (const [name, file] of hostile) {
    const turnMs = await longestTurnMs(async () => {
      const { status, bytes } = await sendParts(path, [
        ['model', 'ears'],
        ['file', file],
      ])
      assert.equal(status, 400, `${name}: ${bytes}`)
      assert.match(bytes.toString(), /file is damaged/, name)
    })
    assert.ok(turnMs < mostTurnMs, `${name}: ${turnMs} ms in one turn`)
  }
})

test('as base64 in a field for a picture they are refused', async () => {
  for (const [name, file] of hostile) {
    const turnMs = await longestTurnMs(async () => {
      const { status, bytes } = await gateway.call('/v1/ai/default/imgf/image/generate', {
        body: { prompt: 'a hat', input_image: file.toString('base64') },
      })
      assert.equal(status, 422, `${name}: ${bytes}`)
      assert.match(bytes.toString(), /input_image is not an image/, name)
    })
    assert.ok(turnMs < mostTurnMs, `${name}: ${turnMs} ms in one turn`)
  }
})

test('as the answer of a service they fail its target, and the next one makes the video', async () => {
  for (const [name, file] of Object.entries({ endless, bomb })) {
    serve(bad, file)
    serve(good, clip)
    const turnMs = await longestTurnMs(async () => assert.equal(await film('reel'), 'completed', name))
    assert.ok(turnMs < mostTurnMs, `${name}: ${turnMs} ms in one turn`)
  }
})

test('as the answer of the only service they fail the task, once', async () => {
  serve(bad, bomb)
  const before = bad.received.length
  assert.equal(await film('lonely'), 'failed')
  const contents = bad.received.slice(before).filter(({ path }) => path.endsWith('/content'))
  assert.equal(contents.length, 1, 'the file is fetched once')
})
