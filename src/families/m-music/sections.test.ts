import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sectionsOf } from './sections.ts'

const sung = (text: string, at: number) => ({ text, startSeconds: at, endSeconds: at + 1 })

test('sections are named after the words in their brackets, without numbers and remarks', () => {
  const heads = ['[Verse 2: softly]', '(Chorus)', '【副歌】', '  [ Pre-Chorus 1 ]  ', '（Bridge：quiet）', '[Outro12]']
  const lyrics = heads.map((head, index) => `${head}\nline ${index}`).join('\n')
  const sections = sectionsOf(
    lyrics,
    heads.map((_, index) => sung(`Line ${index}!`, index)),
  )
  assert.deepEqual(
    sections.map(({ section_type }) => section_type),
    ['verse', 'chorus', '副歌', 'pre-chorus', 'bridge', 'outro'],
  )
})

test('a bracket that contains no section name is an ordinary line', () => {
  const lines = ['[]', '[12]', '(ooh) stay', '[a] b [c]', '[4 x 4]', '[: soft]']
  const sections = sectionsOf(
    lines.join('\n'),
    lines.map((line, index) => sung(line, index)),
  )
  assert.deepEqual(
    sections.map(({ section_type, lines }) => [section_type, lines.length]),
    [['verse', lines.length]],
  )
})

test('lyrics that would make a regular expression slow are read quickly', () => {
  const begun = process.cpuUsage()
  for (const row of [`[${' '.repeat(2990)}`, `[a${' '.repeat(2990)}`, `[${' 1'.repeat(1490)}]`, `[a${'1'.repeat(2990)}`, '[a:'.repeat(990)])
    assert.deepEqual(sectionsOf(row, [sung('la', 0)])[0]?.section_type, 'verse')
  const many = Array.from({ length: 1000 }, (_, index) => `${index}`)
  assert.equal(
    sectionsOf(
      many.join('\n'),
      many.map(line => sung(line, 0)),
    )[0]?.lines.length,
    1000,
  )
  const marked = `a${'\u0301\u0327'.repeat(100_000)}`
  assert.equal(sectionsOf(`[Chorus]\n${marked}`, [sung(`${marked}!`, 0)])[0]?.section_type, 'chorus')
  const { user, system } = process.cpuUsage(begun)
  assert.ok(user + system < 1_000_000, `${(user + system) / 1000} ms`)
})
