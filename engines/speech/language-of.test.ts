import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseSpeaker } from './choose-voice.ts'
import { languageOf } from './language-of.ts'

const sentences: Record<string, string[]> = {
  en: [
    'The harbor was quiet when the first boats came home.',
    'Los Angeles',
    'Hello.',
    'José Martínez',
    'Vitamin D',
    "I'd like a latte",
    'She ate a jalapeño.',
    'I moved to São Paulo last year and I love it.',
    'We walked along Hauptstraße in the rain.',
  ],
  es: [
    'El perro de mi vecino duerme toda la tarde debajo de la mesa.',
    'Quiero aprender a cocinar los platos que hacía mi madre.',
    '¿Qué hora es?',
  ],
  fr: ['Le médecin lui a dit de marcher un peu chaque matin.', 'On a peint en bleu la porte de la vieille école.', "C'est la vie."],
  it: ['I bambini giocano in giardino mentre la nonna prepara la cena.', 'Vorrei imparare a cucinare i piatti che faceva mia madre.'],
  pt: ['O trem chegou atrasado porque havia muita neve nas montanhas.', 'Bom dia, como vai você?'],
  de: ['Der alte Leuchtturm stand auf einem Felsen über dem Meer.'],
  nl: ['Het is een mooie dag.'],
  pl: ['Jak się masz?'],
  sv: ['Det är en fin dag.'],
  tr: ['Bu çok güzel bir gün.'],
}
for (const [language, texts] of Object.entries(sentences))
  for (const text of texts) test(`the language of ${JSON.stringify(text)} is ${language}`, () => assert.equal(languageOf(text), language))

test('an ambiguous text has the language of the requested voice', () => {
  const there = { canSpeak: () => true, canRead: () => true }
  const languageBy = (voice: string, text: string) => {
    const speaker = chooseSpeaker({ text, voice, speed: 1, volume: 0, format: { container: 'wav' } }, there)
    return 'refusal' in speaker ? speaker.refusal.message : speaker.language
  }
  assert.equal(languageBy('pf_dora', 'Pintaram de azul a porta.'), 'pt')
  assert.equal(languageBy('ef_dora', 'Buenas noches.'), 'es')
  assert.equal(languageBy('ef_dora', 'The harbor was quiet when the first boats came home.'), 'en')
  assert.equal(languageBy('nova', 'Buenas noches.'), 'en')
  assert.equal(languageBy('jf_alpha', 'Good night.'), 'en')
})
