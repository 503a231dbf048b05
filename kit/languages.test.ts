import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageName, localeOf, spokenLanguage, spokenLanguages } from './languages.ts'

test('all 99 languages of the recogniser exist, each with its English name', () => {
  assert.equal(spokenLanguages.length, 99)
  assert.equal(new Set(spokenLanguages.map(languageName)).size, 99)
})

test('codes, locales and names lead to the same language', () => {
  for (const tag of ['en', 'EN', 'en-US', 'en_GB', 'English', 'english', ' en ']) assert.equal(spokenLanguage(tag), 'en')
  assert.deepEqual(['zh-Hans', 'zh-HK', 'cmn', 'nb-NO', 'fil', 'iw', 'jw', 'haitian creole', 'haw'].map(spokenLanguage), [
    ...['zh', 'zh', 'zh', 'no', 'tl', 'he', 'jv', 'ht', 'haw'],
  ])
  assert.equal(languageName('pt-BR'), 'portuguese')
})

test('a text that names no language gives none', () => {
  for (const tag of ['', 'xx', 'x-none', 'klingon', 'constructor', '__proto__', '🙂']) assert.equal(spokenLanguage(tag), undefined)
  assert.equal(languageName('xx'), undefined)
})

test('the first candidate locale of the language is used, unless another is named exactly', () => {
  assert.equal(localeOf('en', ['es-ES', 'en-IN', 'en-US']), 'en-IN')
  assert.equal(localeOf('en-us', ['es-ES', 'en-IN', 'en-US']), 'en-US')
  assert.equal(localeOf('no', ['da-DK', 'nb-NO']), 'nb-NO')
  assert.equal(localeOf('de', ['es-ES', 'en-IN']), undefined)
  assert.equal(localeOf('xx', ['es-ES']), undefined)
})
