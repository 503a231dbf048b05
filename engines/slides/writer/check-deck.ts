/** Checks whether a deck that a text model wrote is good enough. Small models repeat themselves,
 *  leave slides empty, or answer in another language. */
import type { Slide, SlidesWriteRequest, SlidesWriteResult } from '@generation-gateway/kit/requests/slides.ts'
import { languageOfText, primaryOf } from './language-of.ts'

/** Least number of slides with content, as a share of the requested number of slides less three
 *  (title, agenda and closing). */
const leastShare = 0.6
/** Largest share of points that may repeat another point. */
const mostRepeated = 0.15
/** Share of common words from which on two texts count as equal. */
const sameWords = 0.75
/** Least length of a text that says something, in characters: `latin` for alphabets, `wide` for
 *  scripts such as Chinese, where a character is a syllable or a word. */
const leastText = { latin: 12, wide: 4 }
const leftOver =
  /lorem ipsum|\b(?:your|insert) (?:text|title|point)\b|^\W*(?:point|item|bullet|slide|step)\s*\d+\W*$|^\W*(?:\d+[.)、]?)?\W*$|^(?:要点|内容|步骤)\s*\d*$/iu

/** Returns a sentence about the first problem of the deck; undefined when the deck is good
 *  enough. */
export function problemOfDeck(
  { slides }: Pick<SlidesWriteResult, 'slides'>,
  { title, language, slides: requested = 12 }: SlidesWriteRequest,
): string | undefined {
  const filled = slides.filter(slide => !isFrame(slide))
  const texts = filled.flatMap(textsOf)
  const needed = Math.max(1, Math.round((requested - 3) * leastShare))
  const reported = filled.filter(slide => textsOf(slide).length >= 2 || slide.layout === 'quote')
  if (reported.length < needed) return `${reported.length} of its slides have content, and ${needed} are needed`
  const empty = texts.find(text => leftOver.test(text))
  if (empty !== undefined) return `it left a place open (${JSON.stringify(empty.slice(0, 40))})`
  const short = texts.filter(isShort).length
  if (short > texts.length / 2) return `${short} of its ${texts.length} texts are too short to say anything`
  const repeated = texts.filter((text, k) => texts.slice(0, k).some(other => isSame(text, other))).length
  if (repeated > texts.length * mostRepeated) return `${repeated} of its ${texts.length} texts say what another one says`
  const titles = new Set(filled.map(slide => slide.title.toLowerCase()))
  if (titles.size < filled.length - 1) return 'several of its slides have the same title'
  const wanted = primaryOf(language ?? languageOfText(title))
  const found = primaryOf(languageOfText(`${texts.join(' ')} ${[...titles].join(' ')}`))
  return hasOwnScript(wanted) === hasOwnScript(found) ? undefined : `it is not in the language that was asked for (${wanted})`
}

function isFrame({ layout }: Slide): boolean {
  return layout === 'title' || layout === 'agenda' || layout === 'section' || layout === 'closing'
}

function textsOf({ points, columns = [], quote, figures = [], table, steps = [], chart }: Slide): string[] {
  return [
    ...points,
    ...columns.flatMap(column => column.points),
    ...(quote ? [quote.text] : []),
    ...figures.map(({ value, label }) => `${value} ${label}`),
    ...(table ? table.rows.map(row => row.join(' ')) : []),
    ...steps.map(({ title, text = '' }) => `${title} ${text}`.trim()),
    ...(chart
      ? chart.labels.map((label, k) => `${label} ${chart.series[0]?.values[k] ?? ''} ${chart.unit ?? ''} ${chart.series[0]?.name ?? ''}`)
      : []),
  ]
}

function isShort(text: string): boolean {
  return [...text].length < (isWide(text) ? leastText.wide : leastText.latin)
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [wordsIn(one), wordsIn(other)]
  if (a.size < 3 || b.size < 3) return one.toLowerCase() === other.toLowerCase()
  const shared = [...a].filter(word => b.has(word)).length
  return shared / (a.size + b.size - shared) >= sameWords
}

/** Returns the words of a text; for a script without spaces, pairs of its characters. */
function wordsIn(text: string): Set<string> {
  const clean = text.toLowerCase().replace(/[^\p{L}\p{N}\s]/gu, ' ')
  if (!isWide(clean)) return new Set(clean.split(/\s+/).filter(word => word !== ''))
  const characters = [...clean.replace(/\s/gu, '')]
  return new Set(characters.map((each, k) => each + (characters[k + 1] ?? '')))
}

function isWide(text: string): boolean {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(text)
}

/** Returns the language if it has a script of its own; else `latin`. The result is the same for all
 *  languages in Latin letters, because a few short words do not show which of these languages a
 *  text has. */
function hasOwnScript(primary: string): string {
  return ['ja', 'zh', 'ko', 'ru', 'el', 'ar', 'he', 'hi', 'th'].includes(primary) ? primary : 'latin'
}
