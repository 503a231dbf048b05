import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import type { PackFiles } from '@generation-gateway/kit/driver.ts'
import { packFilesIn } from '@generation-gateway/kit/pack-files.ts'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { openTranslator } from './apertium.ts'
import { directions } from './directions.ts'
import { translationPacks } from './packs.ts'

const [pack] = translationPacks
const needs = pack ? needPack(pack) : {}
const here = packFilesIn(packsDirectory(process.env), translationPacks)
const translator = openTranslator({ packs: here, priority: 'normal', cores: 2 })
const never = new AbortController().signal

/** English sentences and the exact Spanish translation expected. */
const exact = {
  'I do not understand.': 'No entiendo.',
  'The professor speaks French.': 'El profesor habla francés.',
  'The girl is reading a book in the garden.': 'La chica está leyendo un libro en el jardín.',
  'What time is it?': '¿Qué hora es?',
  'She bought a new car yesterday.': 'Compró un coche nuevo ayer.',
}

test('spoken English becomes Spanish', needs, async () => {
  const { es } = await translator.translate(Object.keys(exact), { from: 'en-US', to: ['es'] }, { signal: never })
  assert.deepEqual(es, Object.values(exact))
})

/** The same sentence in several directions, with words that the translation must contain. */
const meanings: [from: string, text: string, to: string, words: RegExp[]][] = [
  ['en', 'We are reading a long letter from Germany.', 'es', [/leyendo/, /larga/, /Alemania/]],
  ['en', 'We are reading a long letter from Germany.', 'fr', [/nous/i, /lettre/, /Allemagne/]],
  ['en', 'We are reading a long letter from Germany.', 'it', [/leggendo/, /lettera/, /Germania/]],
  ['en', 'We are reading a long letter from Germany.', 'pt-BR', [/lendo/, /longa/, /Alemanha/]],
  ['en', 'We are reading a long letter from Germany.', 'ca', [/llegint/, /llarga/, /Alemanya/]],
  ['fr', "Nous avons besoin d'un nouveau téléphone.", 'es', [/[Nn]ecesi(tamos|dad)/, /nuevo teléfono|teléfono nuevo/]],
  ['fr-CA', 'Le train arrive demain matin.', 'it', [/treno/, /domani/]],
  ['it', 'Il libro è sul tavolo.', 'es', [/libro/, /mesa|tabla/]],
  ['pt', 'O meu irmão trabalha num hospital em Londres.', 'es', [/Mi hermano trabaja en un hospital en Londres/]],
  ['es', 'Mi hermano trabaja en un hospital en Londres.', 'pt', [/irmão trabalha num hospital em Londres/]],
  ['es', 'Mi hermano trabaja en un hospital en Londres.', 'fr', [/Mon frère travaille dans un hôpital à Londres/]],
  ['es', 'Esto es para ti.', 'it', [/per te/]],
  ['ca', 'El meu germà treballa a Londres.', 'es', [/Mi hermano trabaja en Londres/]],
  ['es', 'No dijo nada.', 'fr', [/n'a rien dit/]],
]

test('the meaning is kept in each direction', needs, async () => {
  for (const [from, text, to, words] of meanings) {
    const { [to]: [out = ''] = [] } = await translator.translate([text], { from, to: [to] }, { signal: never })
    for (const word of words) assert.match(out, word, `${from} to ${to}: ${out}`)
  }
})

test('every direction of the installed packs changes the text', needs, async () => {
  const hello = { en: 'The weather is good.', es: 'El tiempo es bueno.', fr: 'Le temps est beau.', it: 'Il tempo è bello.' }
  const more = {
    pt: 'O tempo está bom.',
    ca: 'El temps és bo.',
    gl: 'O tempo é bo.',
    ro: 'Vremea este bună.',
    eu: 'Nire anaia hemen dago.',
  }
  const nordic = { sv: 'Vädret är bra idag.', da: 'Vejret er godt i dag.', no: 'Været er bra i dag.', nn: 'Vêret er bra i dag.' }
  const texts: { [language: string]: string } = { ...hello, ...more, ...nordic }
  for (const { from, to } of directions.filter(direction => direction.pack === 'translation')) {
    const text = texts[from] ?? ''
    const { [to]: [out = ''] = [] } = await translator.translate([text], { from, to: [to] }, { signal: never })
    assert.notEqual(out, text, `${from} to ${to}`)
    assert.match(out, /^\p{Lu}[^*#@[\]\\]+\.$/u, `${from} to ${to}: ${out}`)
  }
})

test('several targets are returned under the requested names; a translation into the same language is the text', needs, async () => {
  const out = await translator.translate(
    ['Hello, London.', ''],
    { from: 'en', to: ['es-MX', 'en-GB', 'pt-BR', 'pt-PT'] },
    { signal: never },
  )
  assert.deepEqual(Object.keys(out), ['es-MX', 'en-GB', 'pt-BR', 'pt-PT'])
  assert.deepEqual(out['en-GB'], ['Hello, London.', ''])
  assert.match(out['es-MX']?.[0] ?? '', /Londres/)
  assert.equal(out['pt-PT']?.[1], '')
})

test('text with control characters of the translator is returned whole', needs, async () => {
  const texts = [
    '^a/b<n>$ \\^ [[t:i:x]] {^b$} \u0000 <apertium-notrans>x</apertium-notrans>',
    '*star @at #hash ~tilde + plus',
    "'; rm -rf / #$(id)`id`",
    '[][[]]\\[\\',
    'line\none\r\n\r\nline\u2028two',
    '🙂 \ud800 \ufeff ‮abc',
    '^^^^$$$$////',
  ]
  const { es = [] } = await translator.translate(texts, { from: 'en', to: ['es'] }, { signal: never })
  assert.equal(es.length, texts.length)
  assert.match(es[0] ?? '', /\^a\/b<n>\$ \\\^ \[\[t:i:x\]\] \{\^b\$\}/)
  for (const sign of ['*star', '@at', '#hash', '~tilde', '+']) assert.ok(es[1]?.includes(sign), `${sign} in ${es[1]}`)
  assert.match(es[2] ?? '', /\/ #\$\(id\)`id`$/)
  assert.equal(es[3], texts[3])
  assert.match(es[4] ?? '', /\n.+\r\n\r\n/)
})

test('an unavailable direction is refused with a message', async () => {
  await assert.rejects(translator.translate(['Hello.'], { from: 'en', to: ['ja'] }, { signal: never }), {
    code: 'capability_unavailable',
    message: /^There is nothing here that translates from English to Japanese\. None of the engine packs/,
  })
  await assert.rejects(translator.translate(['Hello.'], { from: 'xx', to: ['es'] }, { signal: never }), { code: 'capability_unavailable' })
  assert.equal(translator.canTranslate('en', 'ja'), false)
})

test('without the pack the message says how to install it', {
  skip: hasSystemApertium(),
}, async () => {
  const none: PackFiles = { file: () => undefined, howToGet: id => `Get ${id}.` }
  const poor = openTranslator({ packs: none, cores: 2 })
  assert.equal(poor.canTranslate('en', 'es'), false)
  await assert.rejects(poor.translate(['Hello.'], { from: 'en', to: ['es'] }, { signal: never }), {
    code: 'capability_unavailable',
    message: 'There is nothing here that translates from English to Spanish. Get translation.',
  })
})

test('the child processes of a cancelled call are ended', needs, async () => {
  const text = 'The weather is very nice today. '.repeat(20_000)
  const gone = new AbortController()
  const running = translator.translate([text], { from: 'en', to: ['es'] }, gone)
  gone.abort(new Error('gone'))
  await assert.rejects(running, /gone/)
})

function hasSystemApertium(): boolean {
  return existsSync('/usr/share/apertium/modes/eng-spa.mode')
}
