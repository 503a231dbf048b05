import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readAnswer } from './answer-reader.ts'
import { TooManyBytesError } from './save-body.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-reader-'))
})
after(() => rm(folder, { recursive: true }))

function read(text: string | Buffer, { size = 64 * 1024, maxBytes = 2 ** 20 } = {}) {
  const bytes = Buffer.from(text)
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return readAnswer(chunks(), { folder, maxBytes })
}

const file = (name: unknown) => readFile(join(folder, String(name)))

test('pictures are written to files and the rest is kept, however the answer is split', async () => {
  const pictures = [1, 2, 3, 997].map(size => randomBytes(size))
  const data = pictures.map((picture, index) => ({
    b64_json: picture.toString('base64'),
    revised_prompt: `№${index} says \\"b64_json\\": "x`,
  }))
  const text = JSON.stringify({ created: 1, data, usage: { input_tokens: 5 } }, null, 1)
  for (const size of [1, 2, 3, 5, 7, 64, 1000, 100_000]) {
    const answer = await read(text, { size })
    const seen = Object(answer.data) as { b64_json: string; revised_prompt: string }[]
    for (const [index, picture] of pictures.entries()) {
      assert.ok((await file(seen[index]?.b64_json)).equals(picture), `picture ${index} in chunks of ${size}`)
      assert.equal(seen[index]?.revised_prompt, data[index]?.revised_prompt)
    }
    assert.deepEqual(answer.usage, { input_tokens: 5 })
  }
})

test('JSON escapes inside base64 are resolved, however they are split', async () => {
  const picture = Buffer.from('fbeffbefbeffffffffffff00', 'hex')
  const plain = picture.toString('base64')
  assert.match(plain, /\+.*\//)
  const escaped = [plain.replaceAll('/', '\\/'), plain.replaceAll('+', '\\u002b'), `${plain.slice(0, 6)}\\r\\n${plain.slice(6)}\\n`]
  for (const text of escaped) {
    for (let size = 1; size < 20; size++) {
      const answer = await read(`{"b64_json" : "${text}"}`, { size })
      assert.ok((await file(answer.b64_json)).equals(picture), `${text} in chunks of ${size}`)
    }
  }
})

test('a picture as a data URL, or without padding, is accepted too', async () => {
  const picture = randomBytes(100_000)
  const base64 = picture.toString('base64')
  for (const text of [`data:image/png;base64,${base64}`, base64.replace(/=+$/, '')])
    assert.ok((await file((await read(`{"b64_json":"${text}"}`)).b64_json)).equals(picture))
})

test('an empty picture and a null create no file', async () => {
  assert.deepEqual(await read('{"data":[{"b64_json":"","url":"u"},{"b64_json":null}]}'), {
    data: [{ b64_json: '', url: 'u' }, { b64_json: null }],
  })
})

test('the limit applies to all pictures together, inclusively', async () => {
  const text = JSON.stringify([1, 2].map(() => ({ b64_json: randomBytes(500).toString('base64') })))
  await read(text, { maxBytes: 1000 })
  await assert.rejects(read(text, { maxBytes: 999 }), TooManyBytesError)
})

const broken: [what: string, text: string, says: RegExp][] = [
  ['no base64', '{"b64_json":"https://images.example/1.png"}', /no base64/],
  ['a broken escape', '{"b64_json":"AA\\xAA"}', /no base64/],
  ['half an answer', '{"data":[{"b64_json":"AAAA', /no JSON/],
  ['a page', '<html>', /no JSON/],
  ['too much beside the pictures', `{"a":"${'x'.repeat(2 ** 20)}"}`, /more than 1048576 bytes/],
]
for (const [what, text, says] of broken) {
  test(`${what} is upstream_error`, () => assert.rejects(read(text), { code: 'upstream_error', message: says }))
}

test('a large picture is never completely in memory', async () => {
  const group = randomBytes(48 * 1024)
  const piece = Buffer.from(group.toString('base64'))
  const pieces = 3000
  let most = 0
  const chunks = async function* () {
    yield Buffer.from('{"b64_json":"')
    for (let index = 0; index < pieces; index++) {
      most = Math.max(most, process.memoryUsage().rss)
      yield piece
    }
    yield Buffer.from('"}')
  }
  const before = process.memoryUsage().rss
  const answer = await readAnswer(chunks(), { folder, maxBytes: pieces * group.length })
  assert.equal((await file(answer.b64_json)).length, pieces * group.length)
  assert.ok(most - before < 96 * 2 ** 20, `${Math.round((most - before) / 2 ** 20)} MiB more for a picture of 140 MiB`)
})
