import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOfLanguage, textLanguage } from './text-language.ts'

const sentences = {
  en: 'The weather is very nice today and we are going to the beach.',
  es: 'Hoy hace muy buen tiempo y vamos a la playa con los niños.',
  fr: "Il fait très beau aujourd'hui et nous allons à la plage.",
  it: 'Oggi il tempo è molto bello e andiamo in spiaggia con gli amici.',
  pt: 'Hoje o tempo está muito bom e nós vamos à praia com as crianças.',
  de: 'Heute ist das Wetter sehr schön und wir gehen an den Strand.',
  hi: 'आज मौसम बहुत अच्छा है और हम समुद्र तट पर जा रहे हैं।',
  ja: '今日はとても天気が良いので、海に行きます。',
  ko: '오늘은 날씨가 아주 좋아서 우리는 해변에 갑니다.',
  zh: '今天天气很好，我们要去海边。',
}

test('the language of a sentence is detected from its letters', async () => {
  for (const [language, text] of Object.entries(sentences)) {
    assert.equal(await textLanguage(text), language)
    assert.equal(await isOfLanguage(text, language), true)
  }
})

test('a text in another language than the declared one is detected', async () => {
  assert.equal(await isOfLanguage(sentences.en, 'fr-FR'), false)
  assert.equal(await isOfLanguage(sentences.zh, 'ko-KR'), false)
})

test('for an ambiguous text no language is returned', async () => {
  for (const text of ['', '12345', '!?', '\u0000\u0007']) {
    assert.equal(await textLanguage(text), undefined)
    assert.equal(await isOfLanguage(text, 'en'), undefined)
  }
})

test('with a few candidates one word is enough, and only candidates are returned', async () => {
  assert.equal(await textLanguage('Yes.', ['en-US', 'es-ES']), 'en')
  assert.equal(await textLanguage(sentences.en, ['zh-CN', 'ko-KR']), undefined)
})
