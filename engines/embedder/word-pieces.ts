/** The tokenizer of BERT models that ignore upper case: splits a text into words, and each word
 *  into the longest pieces that the vocabulary has (WordPiece). It returns the same tokens as
 *  the library `tokenizers` with the model's file (word-pieces.test.ts). */
import { readFile } from 'node:fs/promises'
import { wordsOf } from './words.ts'

export interface WordPieces {
  /** Number of tokens in the vocabulary; all ids are below this number. */
  readonly size: number
  readonly begin: number
  readonly end: number
  /** Returns the ids of the tokens of a text, without those that mark its beginning and its end.
   *  With `most`, returns at least the first `most` ids and may leave the rest of the text
   *  unread. */
  tokens(text: string, most?: number): number[]
}

/** Longest word in characters; a longer one is a single unknown token. */
const longestWord = 100
/** A text is read in sections of at least `usualSection` characters, each of which ends before a
 *  blank; without a blank, after `longestSection` characters. */
const usualSection = 4_096
const longestSection = 1_048_576
/** Largest number of words whose tokens are remembered. */
const mostRemembered = 20_000

interface TokenizerFile {
  added_tokens: { id: number; content: string }[]
  model: { type: string; unk_token: string; vocab: Record<string, number> }
}

/** Opens a `tokenizer.json` with a WordPiece model. */
export async function openWordPieces(path: string): Promise<WordPieces> {
  const { added_tokens: added, model }: TokenizerFile = JSON.parse(await readFile(path, 'utf8'))
  const vocabulary = new Map(Object.entries(model.vocab))
  const idOf = (token: string): number => {
    const id = vocabulary.get(token)
    if (id === undefined) throw new TypeError(`the vocabulary in ${path} has no ${token}`)
    return id
  }
  const unknown = idOf(model.unk_token)
  const longestPiece = Math.max(...Array.from(vocabulary.keys(), token => token.length))
  const special = new Map(added.map(({ content, id }) => [content, id]))
  // A special token such as `[SEP]` in a text becomes this token, as in the library.
  const marks = new RegExp(`(${[...special.keys()].map(mark => mark.replace(/\W/g, '\\$&')).join('|')})`)
  const remembered = new Map<string, number[]>()
  const tokensOfWord = (word: string): number[] => {
    if (word.length > 2 * longestWord) return [unknown]
    const known = remembered.get(word)
    if (known) return known
    const tokens = piecesOf(word, vocabulary, longestPiece) ?? [unknown]
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(word, tokens)
    return tokens
  }
  return {
    size: vocabulary.size,
    begin: idOf('[CLS]'),
    end: idOf('[SEP]'),
    tokens: (text, most = Number.POSITIVE_INFINITY) => {
      const ids: number[] = []
      for (let start = 0; start < text.length && ids.length < most; ) {
        const end = sectionEnd(text, start)
        for (const part of text.slice(start, end).split(marks)) {
          const mark = special.get(part)
          if (mark !== undefined) ids.push(mark)
          else for (const word of wordsOf(part)) ids.push(...tokensOfWord(word))
        }
        start = end
      }
      return ids
    },
  }
}

/** Returns the offset at which the section that begins at `start` ends. */
function sectionEnd(text: string, start: number): number {
  const least = start + usualSection
  if (least >= text.length) return text.length
  const blank = text.slice(least, start + longestSection).search(/[ \t\n\r]/)
  if (blank >= 0) return least + blank
  const end = Math.min(start + longestSection, text.length)
  // The two halves of a surrogate pair stay together.
  return /[\uDC00-\uDFFF]/.test(text.charAt(end)) ? end - 1 : end
}

/** Returns the ids of a word's pieces; undefined for a word that is too long, or that cannot be
 *  composed of pieces of the vocabulary. `longestPiece` is the length of the vocabulary's longest
 *  token. */
function piecesOf(word: string, vocabulary: ReadonlyMap<string, number>, longestPiece: number): number[] | undefined {
  const characters = Array.from(word)
  if (characters.length > longestWord) return undefined
  const ids: number[] = []
  for (let start = 0; start < characters.length; ) {
    let end = Math.min(characters.length, start + longestPiece)
    let id: number | undefined
    for (; end > start; end--) {
      const piece = characters.slice(start, end).join('')
      id = vocabulary.get(start === 0 ? piece : `##${piece}`)
      if (id !== undefined) break
    }
    if (id === undefined) return undefined
    ids.push(id)
    start = end
  }
  return ids
}
