/** A line of text as Apertium's programs take it, and back. Their stream gives
 *  `^ $ / \ @ < > [ ] { } * # + ~ |` a meaning; what stands in `[...]` passes untouched. */
import type { Direction } from './directions.ts'
import { corrected, phrases } from './phrases.ts'

export interface StreamLine {
  /** What goes through the programs, on a line of its own; empty where there is nothing to
   *  translate. */
  stream: string
  /** The line for what came out of them. */
  restore(translated: string): string
}

/** `line` has no line breaks. Words with signs in them (addresses, paths, formulas) are no words
 *  of a language and pass as they are. */
export function streamLine(line: string, { from, to, mode }: Pick<Direction, 'from' | 'to' | 'mode'>): StreamLine {
  const [, lead = '', body = '', trail = ''] = /^(\s*)(.*?)(\s*)$/s.exec(clean(line)) ?? []
  if (!/\p{L}/u.test(body)) return { stream: '', restore: () => line }
  const source = withCapitals(body.replace(/\s+/g, ' '), from)
  // The programs know the end of a sentence by its full stop.
  const lacksStop = !/[.!?…:;]["»”’')\]]*$/.test(source)
  return {
    stream: `${streamText(source, phrases.get(mode))}${lacksStop ? '.' : ''}[]`,
    restore: translated => lead + corrected(restored(translated, { source, lacksStop, to }), mode) + trail,
  }
}

/** Signs of control, and halves of letters, would end or break the stream. */
function clean(line: string): string {
  return line.toWellFormed().replace(/[\p{Cc}\u2028\u2029\ufeff]/gu, ' ')
}

/** Phrases that are known as a whole are put in already translated, between brackets. */
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

/** Days and months that a recogniser may have written small, and the pronoun. `may` and `march`
 *  are words of another kind as often. */
function withCapitals(text: string, language: string): string {
  if (language !== 'en') return text
  const days =
    /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|april|june|july|august|september|october|november|december|i(?=$|[\s',.?!]))/g
  return text.replace(days, word => word.charAt(0).toUpperCase() + word.slice(1))
}

function restored(translated: string, { source, lacksStop, to }: { source: string; lacksStop: boolean; to: string }): string {
  let text = plain(translated).replace(/\s+/g, ' ').trim()
  if (lacksStop) text = text.replace(/ ?\.$/, '')
  // The transfer rules capitalise words now and then; without a name in the source there is none.
  if (!/[^.!?…\s]["»”’')]*\s+["«“‘'(]*(?!I\b)\p{Lu}/u.test(source))
    text = text.replace(/(?<=[\p{L}\p{N},;:%)] )\p{Lu}(?!\p{Lu})/gu, letter => letter.toLowerCase())
  // A sentence begins as the one that it was made of did; words that were dropped or moved take
  // capitals with them.
  if (/^[\p{P}\s]*\p{Lu}/u.test(source)) text = text.replace(/^([\p{P}\s]*)(\p{Ll})/u, capitalised)
  if (!/[.!?…]\s+\p{Ll}/u.test(source)) text = text.replace(/([.!?…]["»”]?\s+)(\p{Ll})/gu, capitalised)
  return opensQuestions.includes(to) ? text : text.replace(/[¿¡]/g, '')
}

function capitalised(_: string, before: string, letter: string): string {
  return before + letter.toUpperCase()
}

/** Without what is not text: brackets, backslashes, and the marks of words that a dictionary
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

/** Languages that may have a sign before a question, too. */
const opensQuestions = ['es', 'gl', 'ca']

/** Spanish with the signs before questions and exclamations that the dictionaries leave out
 *  where the source has none. */
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
