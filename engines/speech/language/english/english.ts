/** English: sentences of units with phonemes, in either accent. */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Unit } from '../cut.ts'
import type { Accent, SpokenText } from '../plan.ts'
import { withPronunciations } from '../pronunciations.ts'
import { type Sentence, sentencesOf } from '../sentences.ts'
import { createLexicon } from './lexicon.ts'
import { openUnknownWords } from './net.ts'
import { normalise } from './normalise.ts'
import { type Reader, unitsOf } from './phonemes.ts'
import { createTagger, type Tagger } from './tagger.ts'

/** Path of a file of the pack. */
export type EnglishFiles = (name: EnglishFile) => string
export type EnglishFile =
  | 'lexicon_us_gold.json.gz'
  | 'lexicon_us_silver.json.gz'
  | 'lexicon_gb_gold.json.gz'
  | 'lexicon_gb_silver.json.gz'
  | 'tagger.json.gz'
  | 'oov.onnx'
  | 'oov.json'
  | 'oov_gb.onnx'
  | 'oov_gb.json'

export interface English {
  warm(accent: Accent): Promise<Reader>
  /** Of a few words inside a text in another language. */
  unitsOf(words: string, accent: Accent, given: readonly string[]): Promise<Unit[]>
  sentences(text: SpokenText): AsyncIterable<{ units: Unit[]; end: Sentence['end'] }>
}

export function openEnglish(file: EnglishFiles): English {
  let tagger: Promise<Tagger> | undefined
  const readers = new Map<Accent, Promise<Reader>>()
  const open = async (accent: Accent): Promise<Reader> => {
    const suffix = accent === 'us' ? '' : '_gb'
    tagger ??= readJson(file('tagger.json.gz')).then(createTagger)
    const [gold, silver, unknown] = await Promise.all([
      readJson(file(`lexicon_${accent}_gold.json.gz`)),
      readJson(file(`lexicon_${accent}_silver.json.gz`)),
      openUnknownWords(file(`oov${suffix}.onnx`), file(`oov${suffix}.json`)),
    ])
    return { accent, lexicon: createLexicon(gold, silver, accent), tagger: await tagger, unknown }
  }
  const warm = (accent: Accent): Promise<Reader> => {
    const reader = readers.get(accent) ?? open(accent)
    readers.set(accent, reader)
    return reader
  }
  return {
    warm,
    async unitsOf(words, accent, given) {
      const reader = await warm(accent)
      return unitsOf(normalise(words, { accent, isWord: reader.lexicon.has }), reader, given)
    },
    async *sentences({ text, accent, pronunciations = [] }) {
      const reader = await warm(accent)
      const marked = withPronunciations(text, pronunciations)
      for (const { text: sentence, end } of sentencesOf(marked.text)) {
        const words = normalise(sentence, { accent, isWord: reader.lexicon.has })
        yield { units: await unitsOf(words, reader, marked.given), end }
      }
    },
  }
}

// The files' hashes were checked when the pack was installed: they are what they say.
// biome-ignore lint/suspicious/noExplicitAny: see above
async function readJson(path: string): Promise<any> {
  return JSON.parse((await promisify(gunzip)(await readFile(path))).toString())
}
