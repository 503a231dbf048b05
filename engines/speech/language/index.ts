/** The text analysis of the speech engine: text in, chunks of phonemes out. Runs in the engine's
 *  child process, because the lexicons are large. */
import { chineseSentences } from './chinese/chinese.ts'
import { createCutter } from './cut.ts'
import { type EnglishFiles, openEnglish } from './english/english.ts'
import type { Accent, Chunk, SpokenText } from './plan.ts'

export type { Chunk, SpokenText } from './plan.ts'

export interface FrontEnd {
  /** Loads the files for this accent (0.3 s) in advance, so that the first text does not wait. */
  warm(accent: Accent): Promise<void>
  /** Yields the chunks of an English or Chinese text in order, each when the caller requests it.
   *  The first chunk needs only the first sentence, however long the text is. Yields nothing for a
   *  text without words (spaces, punctuation only). */
  chunks(text: SpokenText): AsyncIterable<Chunk>
}

/** Opens the text analysis. It reads these files in the pack of the speech model Hibari:
 *  lexicon_{us,gb}_{gold,silver}.json.gz, tagger.json.gz, oov.onnx, oov.json, oov_gb.onnx,
 *  oov_gb.json. `file` returns the path of a file of that pack for its name. */
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
