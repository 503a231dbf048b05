import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openPack, type PackContents, writePack } from './pack.ts'

const folder = mkdtempSync(join(tmpdir(), 'art-pack-'))
after(() => rmSync(folder, { recursive: true }))

const contents: PackContents = {
  icons: [
    {
      key: 'noto:dot',
      noun: 'dot',
      nounZh: '点',
      category: 'symbol',
      height: 1,
      ink: [0, 0, 1, 1],
      habitat: 'air',
      facing: 'front',
      colours: ['#ff0000'],
      svg: [0, 0],
    },
  ],
  english: { dot: '0n' },
  chinese: { 点: '0n' },
  rareNouns: 'speck\t<dot',
}

test('a written pack is read back unchanged', () => {
  const path = join(folder, 'whole.pack')
  writeFileSync(path, writePack(contents, ['<svg/>']))
  const pack = openPack(path)
  const [icon] = pack.icons
  assert.ok(icon)
  assert.equal(pack.svg(icon), '<svg/>')
  assert.deepEqual([pack.english, pack.chinese, pack.rareNouns()], [contents.english, contents.chinese, contents.rareNouns])
  assert.deepEqual({ ...icon, svg: [0, 0] }, contents.icons[0])
})

test('a file of another kind or a cut one is refused by its name', () => {
  const other = join(folder, 'other.pack')
  writeFileSync(other, 'not an art file at all')
  assert.throws(() => openPack(other), /other\.pack is not an art file/)
  const cut = join(folder, 'cut.pack')
  const bytes = writePack(contents, ['<svg/>'])
  writeFileSync(cut, bytes.subarray(0, bytes.length - 4))
  assert.throws(() => openPack(cut).rareNouns(), /cut\.pack ends early/)
})
