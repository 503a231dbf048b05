import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalForm } from './normal-form.ts'
import { leastCpuMs } from './testing/cpu-time.ts'

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const

test('runs of up to 200 marks have the form that Unicode defines', () => {
  const texts = ['naïve ﬁn ½ Å 가', 'ｶﾞ', `a${'\u0301\u0327'.repeat(100)}b${'\u0327\u0301'.repeat(100)}`, '\u0301', '']
  for (const text of texts) for (const form of forms) assert.equal(normalForm(text, form), text.normalize(form))
})

test('of a longer run of marks, the first 200 stay', () => {
  assert.equal(normalForm(`a${'\u0301'.repeat(201)}b`, 'NFD'), `a${'\u0301'.repeat(200)}b`)
  assert.equal(normalForm(`a${'\u{1d165}'.repeat(300)}b`, 'NFD'), `a${'\u{1d165}'.repeat(200)}b`)
})

test('half a million marks in any arrangement take linear time', () => {
  // The two marks of each pair are not in Unicode's canonical order, so `normalize` has to sort
  // them. U+FF9E is no mark itself; NFKC converts it to one.
  for (const pair of ['\u0301\u0327', '\u{302e}\u{1d165}', '\uff9e\u0301'])
    for (const text of [`a${pair.repeat(250_000)}`, `a${pair.repeat(100)}`.repeat(2_500), `a${pair.repeat(99)}`.repeat(2_500)]) {
      const ms = leastCpuMs(() => forms.map(form => normalForm(text, form)), 3_000)
      assert.ok(ms < 3_000, `${ms} ms`)
    }
})

test('no other character becomes a mark', () => {
  // Two vowels in Unicode decompose to a mark and a letter. They are excepted, because their mark
  // is never reordered.
  const vowels = ['\u0e33', '\u0eb3']
  for (let code = 0; code < 0x110000; code++) {
    const character = String.fromCodePoint(code)
    if (/[\p{M}\uff9e\uff9f]/u.test(character) || vowels.includes(character)) continue
    assert.doesNotMatch(character.normalize('NFKD'), /^\p{M}/u, code.toString(16))
  }
})
