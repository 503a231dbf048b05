/** Compares the tokenizer with the library `tokenizers` 0.23.3 (Python), which made the expected
 *  tokens in testing/reference-tokens.json from the model's own file. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { packFilesIn } from '@generation-gateway/kit/pack-files.ts'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { embedderPacks, modelPack, tokenizerFile } from './packs.ts'
import { openWordPieces } from './word-pieces.ts'

const needs = embedderPacks.map(needPack).find(({ skip }) => skip) ?? {}
const file = () => packFilesIn(packsDirectory(process.env), embedderPacks).file(modelPack, tokenizerFile) ?? ''

test('texts of many scripts and unusual characters have the tokens of the reference tokenizer', needs, async () => {
  const cases: [text: string, tokens: number[]][] = JSON.parse(
    await readFile(join(import.meta.dirname, 'testing/reference-tokens.json'), 'utf8'),
  )
  assert.ok(cases.length >= 40)
  const pieces = await openWordPieces(file())
  for (const [text, tokens] of cases) assert.deepEqual(pieces.tokens(text), tokens, JSON.stringify(text.slice(0, 60)))
})

test('a word of more than 100 characters is one unknown token, and half a surrogate pair is none', needs, async () => {
  const pieces = await openWordPieces(file())
  assert.deepEqual(pieces.tokens('a'.repeat(1_000_000)), [100])
  assert.deepEqual(pieces.tokens('hello \ud800world'), [7592, 2088])
  assert.deepEqual([pieces.size, pieces.begin, pieces.end], [30_522, 101, 102])
})

/** Words of 90 letters in no language, which have many pieces. */
function strangeWords(count: number): string {
  let seed = 1
  const letter = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return String.fromCharCode(97 + (seed % 26))
  }
  return Array.from({ length: count }, () => Array.from({ length: 90 }, letter).join('')).join(' ')
}

test('a long text is read only up to the last token that is needed, and its words cost little', needs, async () => {
  const pieces = await openWordPieces(file())
  const words = strangeWords(500)
  const read = (): void => {
    const all = pieces.tokens(words)
    assert.ok(all.length > 15_000, String(all.length))
    const first = pieces.tokens(`${words} `.repeat(600), 513)
    assert.deepEqual(first.slice(0, 513), all.slice(0, 513))
  }
  const ms = leastCpuMs(read, 3_000)
  assert.ok(ms < 3_000, `${ms} ms of CPU`)
  const text = 'The tide, 潮水 — naïve… '.repeat(1_000)
  assert.deepEqual(pieces.tokens(text), Array.from({ length: 1_000 }, () => pieces.tokens('The tide, 潮水 — naïve… ')).flat())
})

test('a text of hundreds of thousands of combining marks costs no more than other texts', needs, async () => {
  const pieces = await openWordPieces(file())
  const start = process.cpuUsage()
  // Each pair is in the wrong order for NFD, which sorts all marks behind a letter.
  for (const pair of ['\u0301\u0327', '\u{302e}\u{1d165}'])
    assert.deepEqual(pieces.tokens(`a${pair.repeat(150_000)} world`), [pair === '\u0301\u0327' ? 1037 : 100, 2088])
  const { user, system } = process.cpuUsage(start)
  assert.ok(user + system < 3_000_000, `${(user + system) / 1e6} s of CPU`)
})
