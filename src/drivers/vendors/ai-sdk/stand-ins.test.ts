import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { TooManyBytesError } from '../../shared/output/save-body.ts'
import { StandIns } from './stand-ins.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stand-ins-'))
})
after(() => rm(folder, { recursive: true }))

async function read(text: string | Buffer, { size = 64 * 1024, maxBytes = 2 ** 22, type = 'application/json', at = '' } = {}) {
  const bytes = Buffer.from(text)
  const chunks = async function* () {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  const standIns = new StandIns({ folder: at || folder, maxBytes })
  const parts: Buffer[] = []
  for await (const part of standIns.within(chunks(), type)) parts.push(part)
  return { answer: Buffer.concat(parts), standIns }
}

async function assertStands(standIns: StandIns, given: string | Uint8Array, wanted: Buffer): Promise<void> {
  const path = standIns.pathOf(given)
  assert.ok(path !== undefined, 'it stands for nothing')
  assert.ok((await readFile(path)).equals(wanted))
}

test('long base64 texts are replaced by their files and the rest is kept, however the answer is split', async () => {
  const files = [90_000, 131_072, 65_537].map(size => randomBytes(size))
  const [first, second, third] = files.map(file => file.toString('base64')) as [string, string, string]
  const reported = {
    videos: [{ data: first, note: 'a "quoted" \\ name' }, { data: `data:video/mp4;base64,${second}` }],
    text: `${'no base64! '.repeat(9_000)}"end\\`,
    short: randomBytes(300).toString('base64'),
  }
  const json = `${JSON.stringify(reported).slice(0, -1)},"last":"${third.replaceAll('/', '\\/').replaceAll('+', '\\u002b')}"}`
  for (const size of [1, 7, 4096, 65_536, 10_000_000]) {
    const { answer, standIns } = await read(json, { size })
    assert.ok(answer.length < 110_000, `${answer.length} bytes are left`)
    const seen = JSON.parse(answer.toString())
    assert.deepEqual([seen.text, seen.short, seen.videos[0].note], [reported.text, reported.short, reported.videos[0]?.note])
    await assertStands(standIns, seen.videos[0].data, files[0]!)
    await assertStands(standIns, seen.videos[1].data, files[1]!)
    await assertStands(standIns, Buffer.from(seen.last, 'base64'), files[2]!)
    assert.equal(standIns.pathOf(reported.short), undefined)
    await standIns.drop()
    assert.deepEqual(await readdir(folder), [])
  }
})

test('a whole video is replaced by its file, and a short one stays', async () => {
  const [long, short] = [randomBytes(400_000), randomBytes(1000)]
  const { answer, standIns } = await read(long, { type: 'video/mp4', size: 1000 })
  await assertStands(standIns, new Uint8Array(answer), long)
  await assertStands(standIns, `data:video/mp4;base64,${answer.toString('base64')}`, long)
  assert.ok((await read(short, { type: 'application/octet-stream' })).answer.equals(short))
})

test('an answer that ends in the middle of a text stays as it was', async () => {
  const { answer } = await read('{"data":"AAAA')
  assert.equal(answer.toString(), '{"data":"AAAA')
})

test('all files together have an inclusive limit', async () => {
  const json = JSON.stringify([randomBytes(100_000), randomBytes(100_000)].map(file => file.toString('base64')))
  await read(json, { maxBytes: 200_000 })
  await assert.rejects(read(json, { maxBytes: 199_999 }), TooManyBytesError)
  await assert.rejects(read(randomBytes(100_000), { maxBytes: 99_999, type: 'video/mp4' }), TooManyBytesError)
})

test('a text that begins as base64 and continues otherwise is upstream_error', () =>
  assert.rejects(read(`{"data":"${'A'.repeat(100_000)}!"}`, { size: 80_000 }), { code: 'upstream_error', message: /no base64/ }))

test('very many short texts pass in as many pieces as they arrived in', async () => {
  const answer = Buffer.from(JSON.stringify(Array.from({ length: 100_000 }, () => 'a\\"')))
  async function* chunks() {
    for (let from = 0; from < answer.length; from += 65_536) yield answer.subarray(from, from + 65_536)
  }
  const parts: Buffer[] = []
  for await (const part of new StandIns({ folder, maxBytes: 2 ** 22 }).within(chunks(), 'application/json')) parts.push(part)
  assert.ok(Buffer.concat(parts).equals(answer))
  assert.ok(parts.length <= 3 * Math.ceil(answer.length / 65_536), `${parts.length} pieces`)
})
