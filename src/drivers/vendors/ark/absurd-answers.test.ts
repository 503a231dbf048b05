/** Tests oversized and otherwise absurd answers: they are read only up to a limit, and their
 *  contents do not reach the caller. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { inspect } from 'node:util'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import { type FakeUpstream, frameText, jsonReply, rawReply, sseReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { completed, ending, lost, pictureFrame, review } from './testing/answers.ts'
import { generate, jobOf, openDriver, run, testSecret } from './testing/run.ts'

const driver = openDriver()
let fake: FakeUpstream
let store: FakeUpstream
let scratch = ''
before(async () => {
  store = await startFakeUpstream()
  store.answer(rawReply(onePixelPng))
})
after(() => Promise.all([store.close(), driver.close?.()]))
beforeEach(async () => {
  fake = await startFakeUpstream()
  scratch = await mkdtemp(join(tmpdir(), 'ark-absurd-'))
})
afterEach(() => Promise.all([fake.close(), rm(scratch, { recursive: true })]))

const group: ImageGenerateRequest = { ...generate, count: 3, series: true, format: 'png' }
const draw = (request: ImageGenerateRequest) => run(driver, jobOf(request, { baseUrl: fake.baseUrl, scratch }))

const link = () => `${store.baseUrl}/picture.png`
const picture = (image_index: number) => pictureFrame(link(), image_index)

describe('absurd answers', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const json: [what: string, body: string, ending: string, files: number][] = [
    ...['[]', 'null', '5', '"text"', '{}', '{"data":"x"}', '{"data":{}}', '{"data":[]}', '{"data":[null,1,"a",[]]}', nested(1_000_000)].map(
      (body): [string, string, string, number] => [body.slice(0, 40), body, 'upstream_error?', 0],
    ),
    ['no JSON', '<html>', 'outcome_unknown?', 0],
    ['half of one', '{"data":[{"url":"', 'outcome_unknown?', 0],
    ['5 MB', JSON.stringify({ data: [], pad: 'x'.repeat(5 * 2 ** 20) }), 'outcome_unknown?', 0],
    ['a link that is a number', '{"data":[{"url":5}]}', 'upstream_error?', 0],
    ['a link that is a list', '{"data":[{"url":["http://x"]}]}', 'upstream_error?', 0],
    ['an error that is a text', '{"error":"InternalServiceError"}', 'upstream_error', 0],
    ['an error that is empty', '{"data":[{"error":{}}]}', 'upstream_error', 0],
    ['an error that is a number', '{"data":[{"error":5}]}', 'upstream_error', 0],
    ['an error of a megabyte', JSON.stringify({ error: { code: 'InvalidParameter', message: 'm'.repeat(2 ** 20) } }), 'invalid_request', 0],
    ['a number of pictures that is none', '{"data":[],"usage":{"generated_images":"many"}}', 'upstream_error?', 0],
    ['fewer than no pictures', '{"data":[],"usage":{"generated_images":-3}}', 'upstream_error', 0],
  ]
  for (const [what, body, expected, files] of json) {
    test(`JSON: ${what}`, async () => {
      fake.answer(rawReply(body, 200, { 'content-type': 'application/json' }))
      const ran = await draw(generate)
      assert.deepEqual([ending(ran), ran.files.length], [expected, files], inspect(ran).slice(0, 2000))
      assert.ok(JSON.stringify(ran.outcome ?? {}).length < 2_000)
    })
  }

  test('links that are invalid or forbidden are pictures that were made and cannot be fetched', async () => {
    const guarded = openDriver(false)
    try {
      const links = ['', 'x', 'file:///etc/passwd', 'data:image/png;base64,AAAA', 'ftp://a/b', 'http://169.254.169.254/latest', link()]
      for (const url of [...links, `http://${'a'.repeat(100_000)}/`, `http://user:secret@127.0.0.1:1/`]) {
        fake.answer(jsonReply({ data: [{ url }] }))
        const ran = await run(guarded, jobOf(generate, { baseUrl: fake.baseUrl, scratch }))
        assert.equal(ending(ran), 'upstream_error?', url.slice(0, 50))
        assert.ok(JSON.stringify(ran.outcome).length < 2_000)
      }
    } finally {
      await guarded.close?.()
    }
  })

  test('a file that is no picture is not returned as one', async () => {
    fake.answer(jsonReply({ data: [{ url: `${fake.baseUrl}/x` }] }), rawReply('<html>'))
    assert.equal(ending(await draw(generate)), 'upstream_error?')
  })

  test('surplus pictures are ignored', async () => {
    const before = store.received.length
    fake.answer(jsonReply({ data: Array.from({ length: 10_000 }, () => ({ url: link() })) }))
    const one = await draw(generate)
    assert.deepEqual([ending(one), one.files.length], ['done', 1])
    fake.answer(sseReply([...Array.from({ length: 10_000 }, (_, index) => picture(index)), completed(10_000), '[DONE]']))
    const three = await draw(group)
    assert.deepEqual([ending(three), three.files.length, store.received.length - before], ['done', 3, 4])
    fake.answer(sseReply([...Array.from({ length: 10_000 }, () => lost(review, 0)), completed(0)]))
    const none = await draw(group)
    assert.deepEqual([ending(none), none.events.length], ['content_moderated', 3])
  })

  test('impossible counts are ignored', async () => {
    const usages = [-5, -1e300, 1e300, '16', Number.MAX_SAFE_INTEGER, [], {}, null, true, 10_000_001]
    for (const count of usages) {
      const usage = { generated_images: count, output_tokens: count, tool_usage: { web_search: count } }
      fake.answer(jsonReply({ data: [{ url: link() }], usage }))
      const { outcome } = await draw(generate)
      assert.ok(outcome?.state === 'done')
      assert.deepEqual(outcome.usage, [
        { unit: 'images', units: 1 },
        { unit: 'pixels', units: 1 },
      ])
    }
  })

  const streams: [what: string, write: (send: (text: string) => Promise<void>) => Promise<void>, ending: string, files: number][] = [
    ['no JSON in it', send => send('data: {"type":\n\n'), 'outcome_unknown?', 0],
    ['texts, numbers and lists', send => send('data: 5\n\ndata: null\n\ndata: []\n\ndata: "x"\n\n'), 'outcome_unknown?', 0],
    ['a name that is none', send => send(`data: {"type":{"a":1}}\n\nevent: error\ndata: []\n\n`), 'upstream_error', 0],
    ['depth', send => send(`data: ${nested(1_000_000)}\n\n`), 'outcome_unknown?', 0],
    [
      '10,000 events of no kind',
      send => send(`event: x\ndata: {"type":"x"}\n\n`.repeat(10_000) + frameText(completed(0))),
      'upstream_error',
      0,
    ],
    [
      'an event without an end',
      async send => {
        await send(frameText(picture(0)))
        for (let at = 0; at < 12; at++) await send('x'.repeat(2 ** 20))
      },
      'outcome_unknown?',
      1,
    ],
    [
      'a flood of line ends',
      async send => {
        await send(frameText(picture(0)))
        for (let at = 0; at < 12; at++) await send('\n'.repeat(2 ** 20))
      },
      'outcome_unknown?',
      1,
    ],
    [
      'a flood of comments behind all pictures',
      async send => {
        await send([0, 1, 2].map(index => frameText(picture(index))).join(''))
        for (let at = 0; at < 12; at++) await send(`: ${'x'.repeat(1022)}\n`.repeat(1024))
      },
      'done',
      3,
    ],
  ]
  for (const [what, write, expected, files] of streams) {
    test(`a stream with ${what}`, async () => {
      fake.answer(async response => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const gone = new Promise<void>(resolve => response.once('close', resolve))
        await write(async text => {
          if (response.destroyed) return
          const drained = new Promise<void>(resolve => response.write(text, () => resolve()))
          await Promise.race([drained, gone])
        })
        response.end()
      })
      const ran = await draw(group)
      assert.deepEqual([ending(ran), ran.files.length], [expected, files], inspect(ran).slice(0, 2000))
    })
  }

  test('the key is never shown, also when the vendor repeats it', async () => {
    const says = { code: 'InvalidParameter', message: `bad key ${testSecret}` }
    for (const reply of [
      jsonReply({ error: says }),
      jsonReply({ error: says }, 400),
      sseReply([{ event: 'error', data: { error: says } }]),
    ]) {
      fake.answer(reply)
      const ran = await draw(group)
      assert.equal(ending(ran), 'invalid_request')
      assert.ok(!inspect(ran, { depth: null, showHidden: true }).includes(testSecret))
    }
  })
})
