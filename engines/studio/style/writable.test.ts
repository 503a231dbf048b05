import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrompt } from '../language/parse.ts'
import { withWritableTexts } from '../writable-scene.ts'
import { writableText } from './writable.ts'

test('a text is written whole if the fonts have it, without missing characters at its ends, or not at all', () => {
  for (const text of ['Grüße aus Köln', '夏日祭り 2026', 'Лето в Крыму', 'naïve — “café” 50 % → ★'])
    assert.deepEqual(writableText(text), { text })
  // No font has characters in the private use areas.
  assert.equal(writableText('\u{10fff0} Party \u{10fff1}').text, 'Party')
  assert.match(String(writableText('Party \u{10fff1}').reason), /is left out of “Party”/)
  assert.equal(writableText('\u{10fff0}').text, undefined)
  // The letters of Linear A are missing from the fonts of usual systems.
  const lost = writableText('Hi \u{10600}\u{10601}')
  assert.equal(lost.text, undefined)
  assert.match(String(lost.reason), /“Hi .*” is not written/)
})

test('texts that cannot be written are removed from a scene, with a report', () => {
  const scene = parsePrompt('a cat with the text "\u{10600}\u{10601}" and the text "Hello"', { seed: '1' })
  const { letterings, notDrawn } = withWritableTexts(scene)
  assert.deepEqual(
    letterings.map(({ text }) => text),
    ['Hello'],
  )
  assert.match(notDrawn.join(), /is not written/)
  const plain = parsePrompt('a cat', { seed: '1' })
  assert.equal(withWritableTexts(plain), plain)
})
