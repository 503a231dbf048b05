/** Reads WebVTT and SubRip bodies of family T2 into cues. Accepts the same files as players,
 *  with one exception: a file in which the time of a cue cannot be read is refused, with the
 *  number of the line. */
import { invalidField } from '@generation-gateway/kit/errors.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'

export type Cue = NonNullable<SpeechRequest['cues']>[number]
export type SubtitleKind = 'vtt' | 'srt'

interface Subtitles {
  /** Cues that contain words, ordered by their start. */
  cues: Cue[]
  /** First line of text before the first time, such as credits; such text is not spoken. */
  unread?: string
}

/** One line of the file. `number` is set when the line holds only a whole number. */
interface Line {
  text: string
  isBlank: boolean
  number: number | undefined
  timing: RegExpExecArray | undefined
}

/** Range of lines from `start` to before `end`, both counted from 0. */
interface Span {
  start: number
  end: number
}

const timeText = String.raw`(-?)(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,] ?(\d{1,9}))?`
// Settings of the cue, such as its position on the screen, may follow the end time.
const timing = new RegExp(String.raw`^\s*${timeText}[ \t]*-->[ \t]*${timeText}(?:\s|$)`)
const exactTime = String.raw`(-?)(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,] ?(\d{1,9})`
const sloppyArrow = '(?:(?:[-=–—−] ?){1,3}(?:>|&gt;)|→)'
/** Matches a timing with another arrow than `-->`, such as `->`, `—>` or `--&gt;`: editors and word
 *  processors write those. Both times need a fraction, because text may have the form of the rest
 *  (`12:30 -> 13:00`). */
const sloppyTiming = new RegExp(String.raw`^\s*${exactTime}[ \t]*${sloppyArrow}[ \t]*${exactTime}\s*$`)
/** Matches a time on only one side of an arrow, which means a damaged line; any other arrow in
 *  SubRip is text. */
const halfTiming = /^\s*-?\d{1,4}:\d|-->\s{0,9}-?\d{1,4}:\d/
/** Matches a line of two timestamps that have a wrong separator, or none, between them. */
const twoTimes = /^\s*-?\d{1,4}:\d{1,2}[\d:.,]{0,20}\s{0,9}[-=>–—→]{0,4}\s{0,9}\d{1,4}:\d{1,2}[\d:.,]{0,20}\s*$/

/** Largest number of characters of a cue: about eleven minutes of speech. Ordinary subtitles have
 *  at most about a hundred characters. */
export const mostCueCharacters = 10_000

/** Largest number of lines of a file. A film of two hours, the longest that is spoken, has about
 *  10,000; 50,000 take about 0.1 s to read. */
const mostLines = 50_000

/** Returns what is wrong with a cue that has more than 10,000 characters; else undefined. */
export function lengthProblem({ text }: Pick<Cue, 'text'>): string | undefined {
  // A text never has more code points than UTF-16 units, so the cheap test comes first.
  const characters = text.length <= mostCueCharacters ? 0 : [...text].length
  return characters <= mostCueCharacters ? undefined : `has a cue of ${characters} characters; at most ${mostCueCharacters}`
}

/** Returns the cues of a file. A body that begins with WEBVTT is WebVTT whatever `kind` says.
 *  Throws `invalid_request` for a file with more than 50,000 lines, and with the number of the
 *  wrong line, counted from 1. */
export function cuesOf(body: string, kind: SubtitleKind): Subtitles {
  const isVtt = kind === 'vtt' || hasSignature(body)
  if (isVtt && !hasSignature(body)) throw problem('is no WebVTT: it has to begin with WEBVTT.')
  const lines = isVtt ? withoutComments(linesOf(body)) : linesOf(body)
  for (const [at, line] of lines.entries()) checkTiming(line, { at, isVtt })
  const timings = [...lines.keys()].filter(at => lines[at]?.timing)
  if (timings.length === 0) throw noTime(lines, isVtt)
  const spans = spansOf(lines, { timings, isVtt })
  const cues = timings.flatMap((at, index) => cueOf(lines, { at, span: spans[index + 1], isVtt }) ?? [])
  if (cues.length === 0) throw noWords()
  const [unread] = isVtt ? [] : textIn(lines, spans[0]).split('\n')
  return { cues: cues.sort((a, b) => a.startMs - b.startMs), ...(unread ? { unread } : {}) }
}

function noTime(lines: readonly Line[], isVtt: boolean): Error {
  const header = isVtt ? lines.findIndex(({ isBlank }) => isBlank) : 0
  const at = header < 0 ? -1 : lines.findIndex(({ isBlank }, index) => index >= header && !isBlank)
  return at < 0 ? noWords() : problem(`has no time where a cue begins, in line ${at + 1}.`)
}

function noWords(): Error {
  return problem('has no cue with words; at least one.')
}

function hasSignature(body: string): boolean {
  return /^\ufeff?WEBVTT(?:[ \t\r\n]|$)/.test(body)
}

const blankLine: Line = { text: '', isBlank: true, number: undefined, timing: undefined }

/** Returns the lines of a body. Byte order marks are removed from the beginning of every line,
 *  because a file that was joined from several files contains some in the middle. Throws
 *  `invalid_request` for more than 50,000 lines. */
function linesOf(body: string): Line[] {
  const raws = body.split(/\r\n|\r|\n/, mostLines + 1)
  if (raws.length > mostLines) throw problem(`has more than ${mostLines} lines.`)
  return raws.map(raw => {
    // A fast path, since a file may have a million empty lines.
    if (raw === '') return blankLine
    const text = raw.startsWith('\ufeff') ? raw.replace(/^\ufeff+/, '') : raw
    const word = text.trim()
    return {
      text,
      isBlank: word === '',
      number: /^\d{1,9}$/.test(word) ? Number(word) : undefined,
      timing: timingOf(text),
    }
  })
}

function timingOf(text: string): RegExpExecArray | undefined {
  const exact = text.includes('-->') ? timing.exec(text) : null
  return exact ?? (/[>→;]/.test(text) ? sloppyTiming.exec(text) : null) ?? undefined
}

/** Replaces NOTE, STYLE and REGION blocks of WebVTT by blank lines. A block ends at an empty
 *  line. A line that contains only spaces ends it when a cue follows. */
function withoutComments(lines: readonly Line[]): Line[] {
  let isComment = false
  return lines.map((line, at) => {
    if (isComment) isComment = !(line.text === '' || (line.isBlank && (lines[at + 1]?.timing ?? lines[at + 2]?.timing)))
    else isComment = lines[at - 1]?.isBlank === true && /^(NOTE(?:\s|$)|(STYLE|REGION)\s*$)/.test(line.text)
    return isComment ? blankLine : line
  })
}

function checkTiming(line: Line, { at, isVtt }: { at: number; isVtt: boolean }): void {
  if (line.timing || !/[:>]/.test(line.text)) return
  if (line.text.includes('-->') && (isVtt || halfTiming.test(line.text)))
    throw problem(`has a time of another form than 00:01:02.345 --> 00:01:04.500, in line ${at + 1}.`)
  if (twoTimes.test(line.text)) throw problem(`has no time where a cue begins, in line ${at + 1}.`)
}

interface Place {
  timings: readonly number[]
  isVtt: boolean
}

/** Returns line ranges: the lines before the first time, and then the text of each cue. The line
 *  directly above a time may be the number or name of a cue; such a line is in no range. */
function spansOf(lines: readonly Line[], { timings, isVtt }: Place): Span[] {
  const isNumbered = timings.some((at, index) => numberBefore(lines, at, timings[index - 1]) !== undefined)
  let last: number | undefined
  return [undefined, ...timings].map((at, index) => {
    const start = at === undefined ? 0 : at + 1
    const next = timings[index]
    const span = { start, end: next ?? lines.length }
    if (isNumbered) last = dropNumbers(lines, span, { last, isLast: next === undefined })
    if (isVtt && next !== undefined && span.end === next && hasName(lines, span)) span.end -= 1
    return span
  })
}

/** Returns the number that stands alone on the line above a time; it is the number of the cue, not
 *  text to speak. Before the first cue, the number may also be separated from the time by blank
 *  lines. */
function numberBefore(lines: readonly Line[], at: number, previous = -1): number | undefined {
  const isAlone = at - 2 <= previous ? previous < 0 : lines[at - 2]?.isBlank
  if (isAlone && at - 1 > previous) return lines[at - 1]?.number
  return previous < 0 ? lines[lastOf(lines, { start: 0, end: at })]?.number : undefined
}

/** Removes the number of the next cue from the end of a span. If the number before it is missing in
 *  the sequence and also stands at the end, it belongs to a cue without a time and is removed, too.
 *  Returns the number of the next cue. */
function dropNumbers(
  lines: readonly Line[],
  span: Span,
  { last, isLast }: { last: number | undefined; isLast: boolean },
): number | undefined {
  const at = lastOf(lines, span)
  const number = lines[at]?.number
  if (number === undefined) return undefined
  const isAlone = at === 0 || lines[at - 1]?.isBlank === true
  const isAtTime = at === span.end - 1 && !isLast
  if (!isAlone && !isAtTime && number !== (last ?? 0) + 1) return undefined
  if (isLast && !isAlone) return undefined
  span.end = at
  const before = lastOf(lines, span)
  const isMissing = number === (last ?? 0) + 2 && lines[before]?.number === number - 1 && lines[before - 1]?.isBlank === true
  if (isMissing) span.end = before
  return number
}

/** Returns the index of the last line of a span that is not blank; -1 when all are blank. */
function lastOf(lines: readonly Line[], { start, end }: Span): number {
  for (let at = end - 1; at >= start; at--) if (!lines[at]?.isBlank) return at
  return -1
}

/** Returns true when the last line of a span is the name of the next cue: in WebVTT, a line between
 *  an empty line and a time. */
function hasName(lines: readonly Line[], { start, end }: Span): boolean {
  return end - 1 >= start && lines[end - 1]?.isBlank === false && end - 2 >= start && lines[end - 2]?.text === ''
}

function textIn(lines: readonly Line[], span: Span = { start: 0, end: 0 }): string {
  return lines
    .slice(span.start, span.end)
    .filter(({ isBlank }) => !isBlank)
    .map(({ text }) => text.trim())
    .join('\n')
}

/** Returns the cue; undefined when it has no words to speak. */
function cueOf(lines: readonly Line[], { at, span, isVtt }: { at: number; span: Span | undefined; isVtt: boolean }): Cue | undefined {
  const found = lines[at]?.timing ?? []
  const where = `in line ${at + 1}`
  const [startMs, endMs] = [msOf(found.slice(1, 6), where), msOf(found.slice(6, 11), where)]
  const text = wordsOf(textIn(lines, span), isVtt)
  if (endMs < startMs || (endMs === startMs && text !== '')) throw problem(`has a cue that does not end after its start, ${where}.`)
  const tooLong = lengthProblem({ text })
  if (tooLong !== undefined) throw problem(`${tooLong}, ${where}.`)
  return text === '' ? undefined : { startMs, endMs, text }
}

function msOf([sign, hours = '0', minutes = '0', seconds = '0', fraction = '0']: (string | undefined)[], where: string): number {
  if (sign === '-') throw problem(`has a time before the start, ${where}.`)
  if (Number(minutes) > 59 || Number(seconds) > 59) throw problem(`has a time with more than 59 minutes or seconds, ${where}.`)
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
}

/** The only tags of SubRip; any other `<` is a less-than sign. */
const subripTag = /^<\/?(b|i|u|s|font)\b/i
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', lrm: '', rlm: '' }
/** WebVTT ruby text: the pronunciation of a word, shown above it. */
const rubyText = /<rt\b[^<>]*>[^<>]*<\/rt>/g
/** Matches what becomes a space: the line break `\N` and the space `\h` of Advanced SubStation
 *  Alpha, which many SubRip files contain, and the character NUL. */
const assSpace = /\\[Nh]|\0/g

/** Returns the words of a cue without tags, positions and line breaks. */
function wordsOf(text: string, isVtt: boolean): string {
  const read = isVtt ? text.replace(rubyText, '') : text
  // The patterns exclude their own opening character, so that a run of them takes linear time.
  const plain = read.replace(/<[^<>]*>/g, whole => (isVtt || subripTag.test(whole) ? '' : whole)).replace(/\{\\[^{}]*\}/g, '')
  const said = plain.replace(assSpace, ' ').replace(/&(#\d{1,6}|#x[\da-f]{1,5}|\w{2,4});/gi, characterOf)
  return said.replace(/\s+/g, ' ').trim()
}

/** Returns the character of `&name;` or `&#number;`; the text itself when there is none. */
function characterOf(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities[name] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : whole
}

function problem(says: string) {
  return invalidField('body', `The body ${says}`, 'subtitles')
}
