import assert from 'node:assert/strict'
import { appendFile, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { packManifest } from './installed.ts'
import { packBytes } from './manifest.ts'
import { openPacks } from './packs.ts'
import { writeStamps } from './stamp.ts'
import { contentOf, tinyFile, tinyPack } from './testing/pack-tools.ts'

const content = contentOf(1000)
const pack = tinyPack([tinyFile(content, [])])
const byName = { ...tinyPack([tinyFile(contentOf(2_500_000), [])], 'large'), isDefault: false }
let directory: string
let path: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-packs-'))
  path = join(directory, 'tiny', 'model.bin')
})
afterEach(() => rm(directory, { recursive: true, force: true }))

async function putFiles(): Promise<void> {
  await mkdir(join(directory, 'tiny'), { recursive: true })
  await writeFile(path, content)
  await writeStamps(directory, pack)
}

test('a missing pack is reported with the command that adds it, also below a folder that does not exist', () => {
  const packs = openPacks(join(directory, 'nowhere'), [pack, byName])
  assert.equal(packs.file('tiny', 'model.bin'), undefined)
  assert.deepEqual(
    packs.table().map(({ id, bytes, isDefault, state, reason }) => ({ id, bytes, isDefault, state, reason })),
    [
      { id: 'tiny', bytes: 1000, isDefault: true, state: 'missing', reason: 'not on this machine; npm run setup adds it' },
      { id: 'large', bytes: 2_500_000, isDefault: false, state: 'missing', reason: 'not on this machine; npm run setup -- large adds it' },
    ],
  )
  assert.equal(
    packs.howToGet('large'),
    'The engine pack large (A tiny pack, 3 MB) is not ready: not on this machine; npm run setup -- large adds it.',
  )
})

test('a pack that is added while the program runs is found at the next look, and a removed one is not', async () => {
  const packs = openPacks(directory, [pack])
  assert.equal(packs.file('tiny', 'model.bin'), undefined)
  await putFiles()
  assert.equal(packs.file('tiny', 'model.bin'), path)
  assert.deepEqual(packs.table()[0]?.state, 'ready')
  assert.equal('reason' in (packs.table()[0] ?? {}), false)
  await rm(join(directory, 'tiny'), { recursive: true })
  assert.equal(packs.file('tiny', 'model.bin'), undefined)
})

test('a file that changed since its verification makes its pack broken, and is not used', async () => {
  const packs = openPacks(directory, [pack])
  const stateNow = () => {
    const [status] = packs.table()
    assert.equal(packs.file('tiny', 'model.bin'), undefined)
    return `${status?.state}: ${status?.reason}`
  }
  await putFiles()
  await appendFile(path, 'x')
  assert.equal(stateNow(), 'broken: model.bin has 1001 bytes instead of 1000; npm run setup repairs it')
  await putFiles()
  await utimes(path, 1, 1)
  assert.equal(stateNow(), 'broken: model.bin was changed after it was verified; npm run setup repairs it')
  await putFiles()
  await rm(path)
  assert.equal(stateNow(), 'broken: model.bin is gone; npm run setup repairs it')
  await putFiles()
  await writeFile(join(directory, 'tiny', 'verified.json'), 'not json')
  assert.equal(stateNow(), 'broken: model.bin is of another version; npm run setup repairs it')
})

test('a pack whose times were rounded to whole seconds, as in image layers, is ready', async () => {
  await putFiles()
  const { mtimeSeconds } = JSON.parse(await readFile(join(directory, 'tiny', 'verified.json'), 'utf8'))['model.bin']
  for (const [seconds, state] of [
    [mtimeSeconds - 1, 'broken'],
    [mtimeSeconds, 'ready'],
    [mtimeSeconds + 1, 'ready'],
    [mtimeSeconds + 2, 'broken'],
  ]) {
    await utimes(path, seconds, seconds)
    assert.equal(openPacks(directory, [pack]).table()[0]?.state, state, `${seconds - mtimeSeconds} s`)
  }
})

test('a pack from a manifest with other bytes is broken until it is installed again', async () => {
  await putFiles()
  const [status] = openPacks(directory, [tinyPack([{ ...tinyFile(content, []), sha256: '0'.repeat(64) }])]).table()
  assert.equal(status?.reason, 'model.bin is of another version; npm run setup repairs it')
})

test('files that were never verified do not count', async () => {
  await mkdir(join(directory, 'tiny'))
  await writeFile(path, content)
  const packs = openPacks(directory, [pack])
  assert.equal(packs.file('tiny', 'model.bin'), undefined)
  assert.equal(packs.table()[0]?.reason, 'its files were not verified yet; npm run setup adds it')
})

test('a name that the manifest lacks is an error that lists the known names', () => {
  const packs = openPacks(directory, [pack, byName])
  for (const ask of [() => packs.file('huge', 'x'), () => packs.howToGet('huge')])
    assert.throws(ask, { code: 'invalid_request', message: 'There is no engine pack huge; there are tiny, large.' })
  assert.throws(() => packs.file('tiny', 'other.bin'), { message: 'The pack tiny has no file other.bin.' })
})

test('the manifest is consistent: parts join to the file, names and files are unique, the default set stays under 1.3 GB', () => {
  assert.equal(new Set(packManifest.map(({ id }) => id)).size, packManifest.length)
  for (const { id, files } of packManifest) {
    assert.match(id, /^[a-z0-9][a-z0-9.-]*$/)
    assert.equal(new Set(files.map(file => file.name)).size, files.length)
    for (const file of files) {
      assert.match(file.sha256, /^[0-9a-f]{64}$/)
      assert.ok(file.sources.length > 0)
      const ingredients = file.sources.flatMap(source => (source.kind === 'made' ? source.of : []))
      for (const source of [file, ...ingredients].flatMap(({ bytes, sources }) => sources.map(each => ({ ...each, expected: bytes })))) {
        if (source.kind === 'made') continue
        if (source.kind === 'url') assert.equal(URL.parse(source.url)?.protocol, 'https:')
        else
          assert.equal(
            source.parts.reduce((sum, part) => sum + part.bytes, 0),
            source.expected,
            `${id} ${file.name}`,
          )
      }
    }
  }
  const defaultBytes = packManifest.filter(({ isDefault }) => isDefault).reduce((sum, pack) => sum + packBytes(pack), 0)
  assert.ok(defaultBytes > 0 && defaultBytes < 1.3e9)
})
