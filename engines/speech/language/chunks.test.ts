import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFrontEnd } from './index.ts'
import { isSpeakable } from './ipa.ts'
import type { Accent, Chunk } from './plan.ts'
import { sentencesOf } from './sentences.ts'
import { collect } from './testing/collect.ts'
import { fileOf, frontEnd } from './testing/lexicons.ts'

const read = (
  text: string,
  options: { firstChars?: number; accent?: Accent; pronunciations?: { word: string; say: string }[] } = {},
): Promise<Chunk[]> => collect(frontEnd.chunks({ text, language: 'en', accent: 'us', ...options }))

const cuts: [text: string, sentences: string[]][] = [
  ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
  ['Dr. Smith paid 3.5 million. He left.', ['Dr. Smith paid 3.5 million.', 'He left.']],
  ['It cost $5.20 at 3 p.m. on Main St. in town.', ['It cost $5.20 at 3 p.m. on Main St. in town.']],
  ['J. R. R. Tolkien wrote it. See e.g. this.', ['J. R. R. Tolkien wrote it.', 'See e.g. this.']],
  ['He lives in the U.S. The end.', ['He lives in the U.S.', 'The end.']],
  ['"Stop!" he said. "Why?" She left.', ['"Stop!" he said.', '"Why?"', 'She left.']],
  ['Well... maybe. And… so on.', ['Well... maybe.', 'And… so on.']],
  ['# Title\nText here.\n\n- one\n- two', ['Title', 'Text here.', 'one', 'two']],
  ['No. 5 is alive. I said no. Yes.', ['No. 5 is alive.', 'I said no.', 'Yes.']],
  ['Vive en EE. UU. con Ana. Fin.', ['Vive en EE. UU. con Ana.', 'Fin.']],
  ['你好。再见！', ['你好。', '再见！']],
  ['यह है। वह है।', ['यह है।', 'वह है।']],
]
for (const [text, sentences] of cuts)
  test(`the sentences of ${JSON.stringify(text)}`, () =>
    assert.deepEqual(
      [...sentencesOf(text)].map(sentence => sentence.text),
      sentences,
    ))

test('the first chunk is short, each later one is at most a third longer, and all are split between words', async () => {
  const text =
    'The committee, which had met in March, decided that nothing could be done about it before Friday, so its members left the old building by the back door and went home through the rain.'
  const chunks = await read(text, { firstChars: 24 })
  assert.ok(chunks[0]!.phonemes.length <= 30, chunks[0]!.phonemes)
  for (const [index, { phonemes }] of chunks.entries()) {
    const before = Math.max(24, chunks[index - 1]?.phonemes.length ?? 0)
    assert.ok(phonemes.length <= before * 1.35 * 1.25 + 1, phonemes)
  }
  assert.equal(chunks.map(chunk => chunk.text).join(' '), text)
})

test('each part of an utterance knows the rest, only the last one has a pause, and a long sentence is several utterances', async () => {
  const sentence = 'The committee, which had met in March, decided that nothing could be done about it before Friday; '
  const parts = await collect(
    frontEnd.chunks({
      text: `${sentence.repeat(4)}so they left.`,
      language: 'en',
      accent: 'us',
      firstChars: 24,
      mostChars: 60,
      isInParts: true,
    }),
  )
  const wholes = Map.groupBy(parts, ({ before = '', phonemes, after = '' }) => before + phonemes + after)
  assert.ok(wholes.size > 1 && wholes.size < 4, `${wholes.size} utterances`)
  for (const [whole, own] of wholes) {
    assert.ok(whole.length <= 300 && isSpeakable(whole), whole)
    assert.equal(own.map(({ phonemes }) => phonemes).join(' '), whole)
    assert.deepEqual(
      own.map(({ before }) => before?.length ?? 0),
      own.map((_, index) => own.slice(0, index).reduce((sum, { phonemes }) => sum + phonemes.length + 1, 0)),
    )
    for (const { pauseMs, after } of own) assert.equal(pauseMs === 0, after !== undefined)
  }
})

test('pauses depend on the marks: longer after paragraphs and headings than after sentences, shorter after commas', async () => {
  const [heading, sentence, last] = await read(
    '# Some heading of it\n\nThis is the first sentence of them all. And the second one is here.\n\nEnd of it.',
    {},
  )
  assert.ok(heading!.pauseMs > last!.pauseMs - 1 && last!.pauseMs > sentence!.pauseMs - 1, JSON.stringify([heading, sentence, last]))
  const [comma] = await read('The committee, which had met in March, decided that nothing could be done about it.', { firstChars: 12 })
  assert.ok(comma!.pauseMs > 0 && comma!.pauseMs < sentence!.pauseMs)
})

test('pronunciations of the request are used before all others', async () => {
  const say = async (text: string, word: string, as: string): Promise<string> =>
    (await read(text, { pronunciations: [{ word, say: as }] })).map(chunk => chunk.phonemes).join(' ')
  assert.equal(await say('I like tomato.', 'tomato', '/təmˈɑːtəʊ/'), 'ˌI lˈIk təmˈɑːtQ.')
  assert.equal(await say('The GIF is here.', 'GIF', 'jif'), await say('The jif is here.', 'x', 'y'))
  assert.equal(await say('Tomatoes', 'tomato', 'x'), await say('Tomatoes', 'y', 'x'))
})

test('British and American voices have their own vowels', async () => {
  assert.equal((await read('Hello there.'))[0]!.phonemes, 'həlˈO ðˈɛɹ.')
  assert.equal((await read('Hello there.', { accent: 'gb' }))[0]!.phonemes, 'həlˈQ ðˈɛː.')
})

const hard: Record<string, string> = {
  '8,192 newlines': '\n'.repeat(8192),
  'an endless word': 'supercalifragilistic'.repeat(2000),
  'a hundred thousand dots': '.'.repeat(100_000),
  'a hundred thousand spaces inside': `a${' '.repeat(100_000)}b`,
  'only emoji': '😂🎉'.repeat(500),
  'right to left': 'שלום עולם. مرحبا '.repeat(100),
  'digits without end': '1234567890'.repeat(500),
  'lone surrogates and control characters': 'a\ud800\0\u0007b',
  brackets: `${'['.repeat(5000)}](x) ${'<a '.repeat(2000)}`,
}
for (const [name, text] of Object.entries(hard))
  test(`${name}: chunks of known phonemes, within the length limit`, async () => {
    for (const { phonemes } of await read(text, { firstChars: 24 })) assert.ok(phonemes.length <= 510 && isSpeakable(phonemes), phonemes)
  })

test('a text without words gives no chunk; emoji are spoken', async () => {
  for (const nothing of ['', '   ', '...', '---', '\n\n']) assert.deepEqual(await read(nothing), [])
  assert.equal((await read('👍'))[0]!.text, 'thumbs up')
})

test('after files could not be read, the next text reads them again', async () => {
  let folder = '/absent'
  const { warm } = openFrontEnd(name => (folder === '' ? fileOf(name) : `${folder}/${name}`))
  await assert.rejects(warm('us'), { code: 'ENOENT' })
  folder = ''
  await warm('us')
})
