/** Converts a line of text to the input of Apertium's programs, and their output back to text. In
 *  this format the characters `^ $ / \ @ < > [ ] { } * # + ~ |` have a meaning; text in `[...]`
 *  passes unchanged. */
import type { Direction } from './directions.ts'
import { corrected, phrases } from './phrases.ts'

export interface StreamLine {
  /** The line as input for the programs; empty when there is nothing to translate. */
  stream: string
  /** Converts the programs' output for this line back to text. */
  restore(translated: string): string
}

/** Converts a text without line breaks. Addresses, paths and formulas (words with special
 *  characters) pass through the programs unchanged. */
export function streamLine(line: string, { from, to, mode }: Pick<Direction, 'from' | 'to' | 'mode'>): StreamLine {
  const [, lead = '', body = '', trail = ''] = /^(\s*)(.*?)(\s*)$/s.exec(clean(line)) ?? []
  if (!/\p{L}/u.test(body)) return { stream: '', restore: () => line }
  const source = withCapitals(body.replace(/\s+/g, ' '), from)
  // The programs recognise the end of a sentence by its full stop, so one is added for the
  // translation.
  const lacksStop = !/[.!?…:;]["»”’')\]]*$/.test(source)
  return {
    stream: `${streamText(source, phrases.get(mode))}${lacksStop ? '.' : ''}[]`,
    restore: translated => lead + corrected(restored(translated, { source, lacksStop, to }), mode) + trail,
  }
}

/** Removes control characters and unpaired surrogates, which would break the format. */
function clean(line: string): string {
  return line.toWellFormed().replace(/[\p{Cc}\u2028\u2029\ufeff]/gu, ' ')
}

/** Returns the text in the form that the programs read. Whole phrases with a known translation are
 *  replaced by that translation in brackets, which the programs pass through. */
function streamText(text: string, known: ReadonlyMap<string, string> = new Map()): string {
  const found = new RegExp(`\\b(${[...known.keys()].join('|') || '(?!)'})\\b`, 'i')
  return text
    .split(found)
    .map((part, index) => (index % 2 === 1 ? `[${known.get(part.toLowerCase())}]` : part.replace(/\S+/g, streamWord)))
    .join('')
}

function streamWord(word: string): string {
  const [, core = '', end = ''] = /^(.*?)([.,;:!?]*)$/s.exec(word) ?? []
  return (/^[\p{L}\p{M}\p{N}.,;:!?¿¡'’"“”„«»()%€£°…–—-]*$/u.test(core) ? core : `[${core.replace(/[[\]\\^$/@<>{}]/g, '\\$&')}]`) + end
}

/** Capitalises days, months and the pronoun "I", which a recogniser may have written in lower case.
 *  The words `may` and `march` stay unchanged, because they often have other meanings. */
function withCapitals(text: string, language: string): string {
  if (language !== 'en') return text
  const days =
    /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|april|june|july|august|september|october|november|december|i(?=$|[\s',.?!]))/g
  return text.replace(days, word => word.charAt(0).toUpperCase() + word.slice(1))
}

function restored(translated: string, { source, lacksStop, to }: { source: string; lacksStop: boolean; to: string }): string {
  let text = plain(translated).replace(/\s+/g, ' ').trim()
  if (lacksStop) text = text.replace(/ ?\.$/, '')
  // Apertium's translation rules sometimes capitalise a word inside a sentence. When the source has
  // no capitals there, that is wrong, so the capitals are removed.
  if (!/[^.!?…\s]["»”’')]*\s+["«“‘'(]*(?!I\b)\p{Lu}/u.test(source))
    text = text.replace(/(?<=[\p{L}\p{N},;:%)] )\p{Lu}(?!\p{Lu})/gu, letter => letter.toLowerCase())
  // When a sentence of the source begins with a capital, the translation must begin with one, too.
  // The translation lacks the capital when a word was dropped or moved.
  if (/^[\p{P}\s]*\p{Lu}/u.test(source)) text = text.replace(/^([\p{P}\s]*)(\p{Ll})/u, capitalised)
  if (!/[.!?…]\s+\p{Ll}/u.test(source)) text = text.replace(/([.!?…]["»”]?\s+)(\p{Ll})/gu, capitalised)
  return opensQuestions.includes(to) ? text : text.replace(/[¿¡]/g, '')
}

function capitalised(_: string, before: string, letter: string): string {
  return before + letter.toUpperCase()
}

/** Removes the format's brackets and backslashes, and the marks for words that a dictionary
 *  lacks. */
function plain(stream: string): string {
  let text = ''
  let isInBrackets = false
  for (const part of stream.match(/\\.|[\s\S]/gu) ?? []) {
    if (part === '[') isInBrackets = true
    else if (part === ']') isInBrackets = false
    else if (part.length > 1 && part.startsWith('\\')) text += part.slice(1)
    else if (isInBrackets || !/[*#@]/.test(part)) text += part
  }
  return text
}

/** Languages that may put a mark before a question or an exclamation (¿ ¡). */
const opensQuestions = ['es', 'gl', 'ca']

/** Adds ¿ and ¡ to a Spanish text; the dictionaries leave them out when the source language has
 *  none. */
export function withOpeningMarks(text: string): string {
  const opening: { [sign: string]: string } = { '?': '¿', '!': '¡' }
  return text
    .split(/(?<=[.!?…])(?=\s)/)
    .map(sentence => {
      const sign = opening[sentence.at(-1) ?? '']
      return sign === undefined || sentence.includes(sign) ? sentence : sentence.replace(/^\s*/, space => space + sign)
    })
    .join('')
}
