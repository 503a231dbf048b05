import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamLine, withOpeningMarks } from './line-text.ts'

const english = { from: 'en', to: 'es', mode: 'eng-spa' }
const other = { from: 'es', to: 'fr', mode: 'es-fr' }

test('characters with a meaning in the Apertium stream are protected by brackets, and restored', () => {
  const text = 'a^b $5 \\n [x] {y} <z> m@n.org / # * ~ | + ^^'
  const { stream, restore } = streamLine(text, other)
  assert.equal(stream.replace(/\[(?:\\.|[^\]\\])*\]/g, '').replace(/[\w\s.]/g, ''), '')
  assert.equal(restore(stream), text)
})

test('control characters and half surrogate pairs do not reach the programs', () => {
  const { stream } = streamLine('one\u0000two\u0007three\u2028four \ud800 five', other)
  assert.match(stream, /^one two three four \[\ufffd\] five\.\[\]$/)
})

test('a text without letters is not translated', () => {
  for (const text of ['', '   ', '12.50', '...', '🙂', '^$[]{}'])
    assert.deepEqual([streamLine(text, other).stream, streamLine(text, other).restore('x')], ['', text])
})

test('spaces around a line are kept, and an added full stop is removed', () => {
  const { stream, restore } = streamLine('  hola  ', other)
  assert.equal(stream, 'hola.[]')
  assert.equal(restore('bonjour.[]'), '  bonjour  ')
  assert.equal(streamLine('Hola.', other).restore('bonjour.[]'), 'Bonjour.')
})

test('days, months and the pronoun I get capitals before an English text is translated', () => {
  assert.match(streamLine('on friday i may go in june', english).stream, /^on Friday I may go in June/)
})

test('capitals added by the translation rules are removed, and capitals of names are kept', () => {
  assert.equal(streamLine('She came in.', english).restore('Vino Ella en.'), 'Vino ella en.')
  assert.equal(streamLine('She saw London.', english).restore('Vio Londres.'), 'Vio Londres.')
})

test('Spanish questions and exclamations get an opening mark, which no other language has', () => {
  assert.equal(withOpeningMarks('Hola. Qué hora es? Bien!'), 'Hola. ¿Qué hora es? ¡Bien!')
  assert.equal(withOpeningMarks('¿Ya?'), '¿Ya?')
  assert.equal(streamLine('¿Qué hora es?', other).restore('¿Quelle heure est?'), 'Quelle heure est?')
})
