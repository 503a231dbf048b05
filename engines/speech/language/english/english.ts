/** Converts English text to sentences of words with phonemes, in an American or a British
 *  accent. */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { loadOnce } from '@generation-gateway/kit/load-once.ts'
import type { Unit } from '../cut.ts'
import type { Accent, SpokenText } from '../plan.ts'
import { withPronunciations } from '../pronunciations.ts'
import { type Sentence, sentencesOf } from '../sentences.ts'
import { createLexicon } from './lexicon.ts'
import { openUnknownWords } from './net.ts'
import { normalise } from './normalise.ts'
import { type PhonemeReader, unitsOf } from './phonemes.ts'
import { createTagger, type Tagger } from './tagger.ts'

/** Returns the path of a file in Hibari's pack. */
export type EnglishFiles = (name: EnglishFile) => string
type EnglishFile =
  | 'lexicon_us_gold.json.gz'
  | 'lexicon_us_silver.json.gz'
  | 'lexicon_gb_gold.json.gz'
  | 'lexicon_gb_silver.json.gz'
  | 'tagger.json.gz'
  | 'oov.onnx'
  | 'oov.json'
  | 'oov_gb.onnx'
  | 'oov_gb.json'

interface English {
  warm(accent: Accent): Promise<PhonemeReader>
  /** Returns the words and phonemes of a few English words inside a text in another language. */
  unitsOf(words: string, accent: Accent, given: readonly string[]): Promise<Unit[]>
  sentences(text: SpokenText): AsyncIterable<{ units: Unit[]; end: Sentence['end'] }>
}

export function openEnglish(file: EnglishFiles): English {
  const taggers = new Map<string, Promise<Tagger>>()
  const readers = new Map<Accent, Promise<PhonemeReader>>()
  const open = async (accent: Accent): Promise<PhonemeReader> => {
    const suffix = accent === 'us' ? '' : '_gb'
    const [tagger, gold, silver, unknown] = await Promise.all([
      loadOnce(taggers, 'tagger.json.gz', async () => createTagger(await unpacked(file('tagger.json.gz')))),
      unpacked(file(`lexicon_${accent}_gold.json.gz`)),
      unpacked(file(`lexicon_${accent}_silver.json.gz`)),
      openUnknownWords(file(`oov${suffix}.onnx`), file(`oov${suffix}.json`)),
    ])
    return { accent, lexicon: createLexicon(gold, silver, accent), tagger, unknown }
  }
  const warm = (accent: Accent): Promise<PhonemeReader> => loadOnce(readers, accent, () => open(accent))
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

async function unpacked(path: string): Promise<Uint8Array> {
  return promisify(gunzip)(await readFile(path))
}
