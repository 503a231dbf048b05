import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import fc from 'fast-check'
import { chatRelay } from '../../families/chat/relay.ts'
import { readMembers } from '../body/json-members.ts'
import { LongStrings } from '../body/long-strings.ts'
import { type RawBody, RawSpool, splicedMembers } from '../body/raw-spool.ts'
import { SpillFiles } from '../body/spill-files.ts'
import { relayBody } from './relay-body.ts'
import { StreamScan } from './stream-scan.ts'
import { WholeEvents, withoutAdded } from './whole-events.ts'

const model = { model: 'big-1', relays: chatRelay }
const spliceable = splicedMembers(chatRelay)

function rawOf(text: string): RawBody {
  const buffer = Buffer.from(text)
  return { buffer, members: readMembers(buffer, spliceable) }
}

function spliced(text: string, to = model): string {
  const body = relayBody(rawOf(text), JSON.parse(text), to)
  const bytes = body.open()
  assert.ok(Buffer.isBuffer(bytes))
  return bytes.toString()
}

test('only the model changes: numbers, order, blanks and unknown fields keep their bytes', () => {
  const text =
    '{ "a" : 1.0e+2,\n "model" :"x" , "n": 12345678901234567890, "deep": {"model":"inner", "t":"\\"model\\":\\"no\\""}, "é": "\\u00e9" }'
  assert.equal(spliced(text), text.replace('"x"', '"big-1"'))
})

test('a model is added to a body without one, and a body with two is refused', () => {
  assert.equal(spliced('{"messages":[]}'), '{"model":"big-1","messages":[]}')
  assert.throws(() => spliced('{"model":"a","messages":[],"model":"b"}'), /model occurs twice in one object/)
  assert.throws(() => spliced('{"model":"a","\\u006dodel":"b"}'), /model occurs twice in one object/)
})

test('the usage of a stream is requested, and removed again when the caller did not request it', () => {
  const requested = '{"model":"a","stream":true,"stream_options":{"include_usage":true}}'
  assert.equal(relayBody(rawOf(requested), JSON.parse(requested), model).isSpliced, false)
  const silent = '{"model":"a","stream":true}'
  assert.equal(relayBody(rawOf(silent), JSON.parse(silent), model).isSpliced, true)
  assert.deepEqual(JSON.parse(spliced(silent)), { model: 'big-1', stream: true, stream_options: { include_usage: true } })
  const other = '{"stream_options":{"include_obfuscation":false},"model":"a","stream":true}'
  assert.deepEqual(JSON.parse(spliced(other)).stream_options, { include_obfuscation: false, include_usage: true })
})

test('members are found in any JSON, whatever its strings contain', () => {
  const key = fc.string().filter(name => name !== '__proto__')
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue()), fc.jsonValue(), fc.integer({ min: 0, max: 2 }), (object, value, indent) => {
      const { model: _model, ...rest } = object
      const json = Buffer.from(JSON.stringify({ ...rest, model: value }, null, indent))
      const span = readMembers(json, new Set(['model'])).spans.get('model')
      assert.deepEqual(JSON.parse(json.toString('utf8', span?.start, span?.end)), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('a spooled body keeps its bytes: short strings are parsed, and long ones are restored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spool-'))
  try {
    const long = `data:image/png;base64,${'QUJD"\\ü'.repeat(20_000)}`
    const value = { before: 'x\\"', list: [{ url: long }, { text: 'short' }], model: 'mine', after: long.slice(0, 70_000) }
    const body = Buffer.from(JSON.stringify(value))
    for (const size of [1, 7, 1000, 65_536, body.length]) {
      // The body is fed one byte at a time, which tests every possible split between two chunks.
      const files = new SpillFiles(() => mkdtemp(join(folder, 'body-')))
      const spool = new RawSpool(files, { limitBytes: 1024 * 1024 })
      for (let at = 0; at < body.length; at += size) spool.feed(body.subarray(at, at + size))
      const raw = await spool.finish(readMembers(spool.residual(), spliceable))
      assert.ok('spool' in raw)
      assert.ok(raw.spool.residual.length < 2_000, 'long strings are left out of what is parsed')
      const parsed = JSON.parse(raw.spool.residual.toString())
      assert.deepEqual(await raw.spool.restore(parsed), value)
      const opened = relayBody(raw, parsed, model).open()
      assert.ok(!Buffer.isBuffer(opened))
      const sent = await buffer(opened.stream)
      assert.equal(sent.length, opened.bytes)
      assert.deepEqual(JSON.parse(sent.toString()), { ...value, model: 'big-1' })
      await files.discard()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a body with very many values is refused before it is parsed', () => {
  const strings = new LongStrings({ limitBytes: 64 * 1024 * 1024 })
  assert.throws(() => strings.feed(Buffer.from(`[${'{},'.repeat(200_000)}0]`)), { code: 'payload_too_large' })
  const words = new LongStrings({ limitBytes: 64 * 1024 * 1024 })
  words.feed(Buffer.from(JSON.stringify({ text: ', [ {'.repeat(10_000) })))
  const limits = { limitBytes: 64 * 1024 * 1024, mostValues: 300_000 }
  new LongStrings(limits).feed(Buffer.from(`[${'7,'.repeat(299_000)}7]`))
  assert.throws(() => new LongStrings(limits).feed(Buffer.from(`[${'7,'.repeat(300_001)}7]`)), { code: 'payload_too_large' })
  assert.throws(() => new LongStrings(limits).feed(Buffer.from(`{${'"a":0,'.repeat(10_001)}"a":0}`)), {
    code: 'payload_too_large',
    message: 'The body has more than 10000 members.',
  })
})

test('usage is found however the stream is split', () => {
  const events =
    'data: {"choices":[{"delta":{"content":"he said \\"usage\\":{}"}}],"usage":null}\n\n' +
    'data: {"choices":[],"usage": {"prompt_tokens":11,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":3},"completion_tokens_details":{"reasoning_tokens":2}}}\n\n' +
    'data: [DONE]\n\n'
  for (let cut = 1; cut < events.length; cut++) {
    const whole = new WholeEvents()
    const scan = new StreamScan(chatRelay.scan)
    for (const piece of [events.slice(0, cut), events.slice(cut)]) scan.read(whole.take(Buffer.from(piece)))
    assert.deepEqual(scan.usage(false), { inputTokens: 11, outputTokens: 7, cachedInputTokens: 3, reasoningTokens: 2 }, `cut at ${cut}`)
  }
})

test('only the usage event is removed, however the stream is split', () => {
  const usage = 'data: {"id":"1","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n'
  const before = 'data: {"choices":[{"delta":{"content":"a"}}],"usage":null}\n\n: ping\n\n'
  const after = 'data: [DONE]\n\n'
  const whole = before + usage + after
  for (let cut = 0; cut <= whole.length; cut++) {
    const events = new WholeEvents()
    const pieces = [whole.slice(0, cut), whole.slice(cut)].map(piece =>
      withoutAdded(events.take(Buffer.from(piece)), chatRelay.splice!.isAdded).toString(),
    )
    assert.equal(pieces.join('') + (events.rest() ?? ''), before + after, `cut at ${cut}`)
  }
})
