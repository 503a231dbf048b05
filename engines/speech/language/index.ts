/** The language part of the speech engine: a text in, chunks of phonemes out. It runs in the
 *  engine's own process, because the lexicons are heavy. */
import { chineseSentences } from './chinese/chinese.ts'
import { createCutter } from './cut.ts'
import { type EnglishFiles, openEnglish } from './english/english.ts'
import type { Accent, Chunk, SpokenText } from './plan.ts'

export type { Chunk, SpokenText } from './plan.ts'

export interface FrontEnd {
  /** Loads the files for texts in this accent (0.3 s), so that the first text does not wait. */
  warm(accent: Accent): Promise<void>
  /** Yields chunks of English or Chinese in order, on request: the first chunk comes after its
   *  sentence, however long the text is. None at all for a text without anything to say (spaces,
   *  lone marks). */
  chunks(text: SpokenText): AsyncIterable<Chunk>
}

/** Opens the front end. It reads files of Hibari's pack: lexicon_{us,gb}_{gold,silver}.json.gz,
 *  tagger.json.gz, oov.onnx, oov.json, oov_gb.onnx, oov_gb.json. `file` returns the path of a file
 *  of that pack by its name. */
export function openFrontEnd(file: EnglishFiles): FrontEnd {
  const english = openEnglish(file)
  const sentencesOf = (text: SpokenText): ReturnType<typeof english.sentences> => {
    switch (text.language) {
      case 'en':
        return english.sentences(text)
      case 'zh':
        return chineseSentences(text, (words, given) => english.unitsOf(words, text.accent, given))
      default:
        throw new TypeError(`${text.language} is read by chunksByESpeak`)
    }
  }
  return {
    async warm(accent) {
      await english.warm(accent)
    },
    async *chunks(text) {
      const cutter = createCutter(text)
      for await (const { units, end } of sentencesOf(text)) yield* cutter.add(units, end)
      yield* cutter.flush()
    },
  }
}
