import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { PackFiles } from '@generation-gateway/kit/driver.ts'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import { fromESpeak, isSpeakable } from '../ipa.ts'
import type { Chunk } from '../plan.ts'
import { collect } from '../testing/collect.ts'
import { chunksByESpeak } from './espeak.ts'
import { type ESpeakLanguage, normaliseFor } from './normalise.ts'
import { findESpeak } from './program.ts'

const directory = packsDirectory(process.env)
const packs: PackFiles = {
  file: (pack, name) => [join(directory, pack, name)].find(existsSync),
  howToGet: pack => `npm run setup -- ${pack}`,
}
const read = (language: ESpeakLanguage, text: string, firstChars?: number): Promise<Chunk[]> =>
  collect(chunksByESpeak({ text, language, accent: 'us', ...(firstChars ? { firstChars } : {}) }, packs))

const written: [ESpeakLanguage, string, string][] = [
  ['es', 'El Sr. García', 'El señor García'],
  ['es', '12,50 €', '12 euros con 50'],
  ['es', '$5', '5 dólares'],
  ['es', '3/4/2021', '3 de abril de 2021'],
  ['es', '15:30', '15 y 30'],
  ['es', '5 km y 20 °C', '5 kilómetros y 20 grados'],
  ['es', '5-10 personas', '5 a 10 personas'],
  ['es', 'a & b', 'a y b'],
  ['fr', '14h30', '14 heures 30'],
  ['fr', '1/5/2020', 'premier mai 2020'],
  ['fr', 'M. Dupont et Mme Roy', 'monsieur Dupont et madame Roy'],
  ['fr', '20 €', '20 euros'],
  ['fr', 'le 1er étage, la 1re fois, la 2e et la 21e', 'le premier étage, la première fois, la deuxième et la vingt-et-unième'],
  ['fr', 'François Ier et le XIXe siècle', 'François premier et le dix-neuvième siècle'],
  ['fr', 'Le train et Ce chat de la Ve République', 'Le train et Ce chat de la cinquième République'],
  [
    'fr',
    'Sous Louis XIV, Charles V et Malcolm X, au chapitre IX de 1,5 M€',
    "Sous Louis 14, Charles 5 et Malcolm X, au chapitre 9 de 1,5 million d'euros",
  ],
  ['fr', 'taille XL, un CD, 3 Md$', 'taille XL, un CD, 3 milliards de dollars'],
  ['es', 'Felipe VI y Enrique V a las 13:00', 'Felipe 6º y Enrique 5º a las 13 horas'],
  ['es', '1/2 taza, 1/2 litro, 1/2 de ellos, 1,5 M€', 'media taza, medio litro, un medio de ellos, 1,5 millones de euros'],
  ['it', 'Pio X, 2 mln €, 1/2 tazza', 'Pio 10º, 2 milioni di euro, mezza tazza'],
  ['pt', 'R$ 1,5 mi e 1/2 xícara', '1,5 milhão de reais e meia xícara'],
  ['hi', '₹5 करोड़', '5 करोड़ रुपये'],
  ['fr', '12€50', '12 euros et 50'],
  ['fr', '1 250,00 €', '1250 euros'],
  ['fr', '1 250 €', '1250 euros'],
  ['fr', 'de 9 h à 1 h', 'de 9 heures à 1 heure'],
  ['fr', '5 m², p. 12', '5 mètres carrés, page 12'],
  ['es', '$1,250.00', '1250 dólares'],
  ['es', 'US$ 20', '20 dólares'],
  ['es', '1.º piso, 3.er piso, n.º 5', '1º piso, tercer piso, número 5'],
  ['es', '1/2 kg y 3/4 l', 'medio kilo y tres cuartos litro'],
  ['es', '1 km', '1 kilómetro'],
  ['it', '1° maggio a 20 °C e 5° sotto zero', '1º maggio a 20 gradi e 5 gradi sotto zero'],
  ['it', 'alle 14.30', 'alle 14 e 30'],
  ['it', '1 m²', '1 metro quadrato'],
  ['pt', 'R$ 1.250,00', '1250 reais'],
  ['pt', '3.º andar às 1h', '3º andar às 1 hora'],
  ['pt', '1h30min', '1 hora e 30'],
  ['pt', '98765-4321', '98765 4321'],
  ['it', '9:05', '9 e 05'],
  ['it', '2021-03-04', '4 marzo 2021'],
  ['it', 'Il Sig. Rossi', 'Il signor Rossi'],
  ['pt', 'R$ 10,00', '10 reais'],
  ['pt', '100 km/h', '100 quilômetros por hora'],
  ['pt', '-5 graus', 'menos 5 graus'],
  ['hi', '₹500', '500 रुपये'],
]
for (const [language, text, said] of written)
  test(`${language}: ${text} is said ${said}`, () => assert.equal(normaliseFor(language, text), said))

const spoken: [ESpeakLanguage, string, string][] = [
  ['es', '¿Cómo estás? ¡Muy bien!', 'kˈomo estˈas? mˈuj βjˈen!'],
  ['es', 'Seis ciudades.', 'sˈAs θjuðˈaðes.'],
  ['fr', 'Les amis sont là.', 'lez amˈi sˈɔ̃ lˈa.'],
  ['it', 'Città e gnocchi!', 'ʧitːˈa e ɲˈokːɪ!'],
  ['pt', 'Coração e pão.', 'kˌoɾasˈɐ̃ʊ̃ i pˈɐ̃ʊ̃.'],
  ['hi', 'नमस्ते।', 'nəmˈʌsteː.'],
]
for (const [language, text, phonemes] of spoken)
  test(`${language}: ${text} is spoken ${phonemes}`, async () =>
    assert.deepEqual(
      (await read(language, text)).map(chunk => chunk.phonemes),
      [phonemes],
    ))

test('a long text in any of these languages gives chunks of known phonemes, the first one short', async () => {
  const text = 'La casa, que era grande (3.500 m²), está — dicen — en la calle «Mayor», n.º 5; www.example.com 😂. '.repeat(30)
  for (const language of ['es', 'fr', 'it', 'pt', 'hi'] as const) {
    const chunks = await read(language, text, 24)
    assert.ok(chunks.length > 10)
    assert.ok(chunks[0]!.phonemes.length <= 32, chunks[0]!.phonemes)
    for (const { phonemes } of chunks) assert.ok(phonemes.length <= 510 && isSpeakable(phonemes), phonemes)
  }
})

const pages: Record<ESpeakLanguage, string> = {
  es: 'Cada tarde el guarda subía las escaleras, encendía la lámpara y miraba pasar los barcos; un pingüino y dos niños jugaban al ajedrez',
  fr: "Un brun vigneron, l'œil sur son chien, signe aujourd'hui onze chèques; l'huître et le maïs coûtent cher au bon marché de Noël",
  it: 'Gli gnocchi e la zuppa sciapa di quel paesaggio: ogni sbaglio dello gnomo costò più di mezzo zecchino, perché così volle Agnese',
  pt: 'A irmã põe os pães e a maçã na mesa; também os cães ganham um pouco, e ninguém sabe quem trouxe cinco limões, nem quando',
  hi: 'हर शाम उसका रखवाला सीढ़ियाँ चढ़ता, दीपक जलाता और जहाज़ों को जाते हुए देखता था, ज्ञान और ऋषि, छोटी हरी नाव, ठंड में घड़ी',
}
test('every sound of eSpeak has a symbol in the phoneme alphabet', async () => {
  for (const [language, voice] of [
    ['es', 'es'],
    ['fr', 'fr'],
    ['it', 'it'],
    ['pt', 'pt-br'],
    ['hi', 'hi'],
  ] as const) {
    const [line = ''] = (await findESpeak(packs)?.read([pages[language].replace(/[;:,]/g, '')], voice)) ?? []
    // Ties, and hyphens after unstressed words, belong to eSpeak's notation and are not sounds.
    for (const sign of line.normalize('NFD').replace(/[\^\s-]/g, ''))
      assert.notEqual(fromESpeak(sign), '', `${language}: ${sign} in ${line}`)
  }
})

test('without eSpeak NG these languages are refused with the command that installs it', async () => {
  const none: PackFiles = { file: () => undefined, howToGet: () => 'npm run setup -- speech-espeak' }
  const path = process.env.PATH
  process.env.PATH = ''
  try {
    await assert.rejects(collect(chunksByESpeak({ text: 'Hola', language: 'es', accent: 'us' }, none)), /npm run setup -- speech-espeak/)
  } finally {
    process.env.PATH = path
  }
})

test('Italian possessive words have their stress', async () => {
  const [chunk] = await read('it', 'Mia sorella ha comprato il pane.')
  assert.match(chunk?.phonemes ?? '', /^mˈia sorˈɛlla/)
})

test('100,000 marks after a letter are rewritten in linear time', () => {
  const text = `a${'\u0301\u0327'.repeat(50_000)}`
  const ms = leastCpuMs(() => normaliseFor('es', text), 1_000)
  assert.ok(ms < 1_000, `${ms} ms`)
})
