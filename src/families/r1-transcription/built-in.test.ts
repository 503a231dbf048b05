/** Tests that the built-in engine transcribes real speech. The recordings are in the public
 *  domain; in them, people read aloud. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { needPack } from '../../packs/testing/need-pack.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { sendParts } from '../../testing/multipart.ts'

const needsModels = ['whisper-base', 'whisper-program', 'voice-activity'].map(needPack).find(({ skip }) => skip !== undefined) ?? {}
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
})
after(() => gateway[Symbol.asyncDispose]())

test('the subtitles of a sentence have its words and its length', needsModels, async () => {
  const file = await readFile(join(import.meta.dirname, '../../../bench/speech/human/0870.ogg'))
  const send = (format: string) =>
    sendParts(`${gateway.url}/v1/audio/transcriptions`, [
      ['response_format', format],
      ['file', file],
    ])
  const [subtitles, verbose] = await Promise.all([send('srt'), send('verbose_json')])
  assert.equal(subtitles.status, 200, subtitles.bytes.toString())
  const blocks = subtitles.bytes.toString().trimEnd().split('\n\n')
  const said = blocks.flatMap(block => block.split('\n').slice(2)).join(' ')
  assert.match(said, /John Dashwood had then leisure to consider how much there might be prudently in his power to do for them/i)
  assert.ok(blocks.length >= 2, 'it is longer than one subtitle')
  const { language, duration, segments } = verbose.body
  assert.equal(language, 'english')
  assert.ok(duration > 6 && duration < 8, `${duration}`)
  for (const { start, end } of segments) assert.ok(start >= 0 && start < end && end <= duration + 0.5, `${start} ${end}`)
})
