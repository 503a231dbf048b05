import assert from 'node:assert/strict'
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createEarlyOutputs, type EarlyOutputs } from './early-outputs.ts'

const root = await mkdtemp(join(tmpdir(), 'early-outputs-'))
after(() => rm(root, { recursive: true, force: true }))

const log = { info: () => {}, warn: () => {}, error: () => {} }
const outputs = (scratch = (name: string) => mkdtemp(join(root, name))): EarlyOutputs => createEarlyOutputs({ blobs: { scratch }, log })
const going = () => new AbortController().signal

/** Reads to the end and returns everything that was read, or the code of the error with which
 *  the read failed. */
async function heard(parts: AsyncIterable<Uint8Array> | undefined, onPiece = () => {}): Promise<string> {
  assert.ok(parts, 'it has not begun')
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of parts) {
      pieces.push(piece)
      onPiece()
    }
  } catch (error) {
    return `${Buffer.concat(pieces)}!${Object(error).code}`
  }
  return Buffer.concat(pieces).toString()
}

const bytes = (text: string) => Buffer.from(text)

test('any number of readers follow an output from its first byte, whenever they begin', async () => {
  const early = outputs()
  const writer = early.open('t')
  assert.deepEqual([early.begun('t'), early.read('t', 0, going())], [[], undefined])
  await writer.put(0, bytes('a'))
  const readers = Array.from({ length: 50 }, () => heard(early.read('t', 0, going())))
  await writer.put(0, bytes('b'))
  const late = heard(early.read('t', 0, going()))
  await writer.put(0, bytes('c'))
  writer.finish()
  const afterwards = heard(early.read('t', 0, going()))
  assert.deepEqual([...new Set(await Promise.all([...readers, late, afterwards]))], ['abc'])
  await writer.close()
  assert.deepEqual([early.begun('t'), early.read('t', 0, going())], [[], undefined])
  assert.deepEqual(await readdir(root), [])
})

test('an output is complete when the next one begins', async () => {
  const early = outputs()
  const writer = early.open('t')
  await writer.put(0, bytes('first'))
  const first = heard(early.read('t', 0, going()))
  await writer.put(1, bytes('second'))
  assert.equal(await first, 'first')
  assert.deepEqual(early.begun('t'), [0, 1])
  const second = heard(early.read('t', 1, going()))
  writer.finish()
  assert.equal(await second, 'second')
  await writer.close()
})

test('an output that breaks off fails for its readers; a complete one is read to its end', async () => {
  const early = outputs()
  const writer = early.open('t')
  const large = Buffer.alloc(300_000, 'x')
  await writer.put(0, large)
  const whole = early.read('t', 0, going())?.[Symbol.asyncIterator]()
  assert.equal((await whole?.next())?.value.length, 64 * 1024)
  await writer.put(1, bytes('half'))
  const broken = heard(early.read('t', 1, going()))
  await writer.close()
  assert.equal(await broken, 'half!conflict')
  let read = 64 * 1024
  for (let next = await whole?.next(); next && !next.done; next = await whole?.next()) read += next.value.length
  assert.equal(read, large.length)
})

test('a reader that disconnects stops waiting, and the next run of a task replaces the previous one', async () => {
  const early = outputs()
  const older = early.open('t')
  await older.put(0, bytes('older'))
  const leaving = new AbortController()
  const left = heard(early.read('t', 0, leaving.signal), () => leaving.abort())
  const staying = heard(early.read('t', 0, going()))
  assert.equal(await left, 'older')
  const newer = early.open('t')
  await newer.put(0, bytes('newer'))
  await older.close()
  assert.equal(await staying, 'older!conflict')
  const fresh = heard(early.read('t', 0, going()))
  newer.finish()
  assert.equal(await fresh, 'newer')
  await newer.close()
})

test('when nothing can be written, the run continues and no output has begun', async () => {
  const early = outputs(async () => {
    throw new Error('the disk is full')
  })
  const writer = early.open('t')
  await writer.put(0, bytes('a'))
  await writer.put(0, bytes('b'))
  assert.deepEqual(early.begun('t'), [])
  writer.finish()
  await writer.close()
})

test('a run that is closed while its file is being opened leaves neither an open file nor a folder', async () => {
  const held = Promise.withResolvers<void>()
  const writer = outputs(async name => {
    await held.promise
    return mkdtemp(join(root, name))
  }).open('t')
  const order: string[] = []
  const ends = [writer.put(0, bytes('a')).then(() => order.push('put')), writer.close().then(() => order.push('close'))]
  held.resolve()
  await Promise.all(ends)
  assert.deepEqual(order, ['put', 'close'])
  assert.deepEqual(await readdir(root), [])
  const open = process.platform === 'linux' ? await readdir('/proc/self/fd') : []
  const paths = await Promise.all(open.map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  assert.ok(!paths.some(path => path.startsWith(root)))
})
