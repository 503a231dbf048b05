import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSse, type SseEvent, SseReader } from './sse-reader.ts'

const text = [
  '\uFEFFdata: first\n\n: a comment\n\n',
  'data: {"delta":"größer 😀"}\n\n',
  'event: named\r\nid: 7\r\ndata: one\r\ndata: two\r\n\r\n',
  'data:no space\r\rretry: 5\rdata\r\r',
  ':\n\nevent: nothing\n\ndata: [DONE]\n\n',
].join('')
const events: SseEvent[] = [
  { data: 'first' },
  { data: '{"delta":"größer 😀"}' },
  { event: 'named', id: '7', data: 'one\ntwo' },
  { data: 'no space' },
  { data: '' },
  { data: '[DONE]' },
]

function read(bytes: Buffer, cuts: readonly number[]): SseEvent[] {
  const reader = new SseReader()
  const found: SseEvent[] = []
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    found.push(...reader.push(bytes.subarray(from, cut)))
    from = cut
  }
  return [...found, ...reader.end()]
}

test('a stream gives the same events wherever it is split in two', () => {
  const bytes = Buffer.from(text)
  for (let cut = 0; cut <= bytes.length; cut++) assert.deepEqual(read(bytes, [cut]), events, `cut at ${cut}`)
})

test('a stream gives the same events when every byte arrives alone', () => {
  const bytes = Buffer.from(text)
  assert.deepEqual(read(bytes, [...bytes.keys()]), events)
})

test('a stream gives the same events for any set of splits', () => {
  const bytes = Buffer.from(text)
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(bytes.length)), cuts => {
      const sorted = cuts.toSorted((a, b) => a - b)
      assert.deepEqual(read(bytes, sorted), events)
    }),
    { numRuns: 200 },
  )
})

test('an event whose blank line is missing at the end of the stream is still reported', () => {
  assert.deepEqual(read(Buffer.from('data: a\n\ndata: b'), []), [{ data: 'a' }, { data: 'b' }])
})

test('an event above the limit ends the reading with upstream_error', async () => {
  const chunks = async function* () {
    yield Buffer.from(`data: ${'x'.repeat(90)}\n\n`)
    for (let i = 0; i < 3; i++) yield Buffer.from(`data: ${'x'.repeat(40)}`)
  }
  const found: SseEvent[] = []
  await assert.rejects(
    async () => {
      for await (const event of readSse(chunks(), 100)) found.push(event)
    },
    { code: 'upstream_error', message: /more than 100 bytes/ },
  )
  assert.equal(found.length, 1)
})
