/** The language of the speech engine: a text in, chunks of phonemes out. For the engine's own
 *  process: the lexicons are heavy. */
import { chineseSentences } from './chinese/chinese.ts'
import { createCutter } from './cut.ts'
import { type EnglishFiles, openEnglish } from './english/english.ts'
import type { Accent, Chunk, SpokenText } from './plan.ts'

export type { Chunk, SpokenText } from './plan.ts'

export interface FrontEnd {
  /** Loads what texts in this accent need (0.3 s), so that the first one does not wait. */
  warm(accent: Accent): Promise<void>
  /** English or Chinese: chunks in order, made as they are asked for: the first comes after its
   *  sentence, however long the text is. None at all for a text without anything to say (spaces,
   *  lone marks). */
  chunks(text: SpokenText): AsyncIterable<Chunk>
}

/** Files of Hibari's pack that it reads: lexicon_{us,gb}_{gold,silver}.json.gz, tagger.json.gz,
 *  oov.onnx, oov.json, oov_gb.onnx, oov_gb.json. `file` gives the path of a file of Hibari's
 *  pack by its name. */
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
