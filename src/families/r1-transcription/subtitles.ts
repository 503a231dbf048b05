/** Creates subtitles from a transcript: at most two lines of 42 columns, shown for at most 7 s, and
 *  for at least 1 s where the next subtitle leaves time. */
import type { TranscriptSegment } from '@generation-gateway/kit/requests/transcript.ts'

/** Times in seconds. */
interface Cue {
  start: number
  end: number
  lines: string[]
}

/** Longest line in columns. This and the following values are usual with broadcasters: a viewer
 *  sees about 42 columns at a glance, and reads 15 to 20 of them a second. */
const lineColumns = 42
const mostSeconds = 7
const leastSeconds = 1
/** Length of a pause that ends a subtitle, in seconds. */
const pauseSeconds = 1.5

export function srt(segments: readonly TranscriptSegment[]): string {
  const stamp = (seconds: number) => timeOf(seconds, ',')
  return cuesOf(segments)
    .map(({ start, end, lines }, index) => `${index + 1}\n${stamp(start)} --> ${stamp(end)}\n${lines.join('\n')}\n`)
    .join('\n')
}

export function vtt(segments: readonly TranscriptSegment[]): string {
  const stamp = (seconds: number) => timeOf(seconds, '.')
  const cues = cuesOf(segments).map(({ start, end, lines }) => `${stamp(start)} --> ${stamp(end)}\n${lines.map(escaped).join('\n')}\n`)
  return ['WEBVTT\n', ...cues].join('\n')
}

function cuesOf(segments: readonly TranscriptSegment[]): Cue[] {
  const cues = segments.flatMap(segment => groupsOf(piecesOf(segment)).map(cueOf))
  return cues.map(({ start, end, lines }, index) => {
    const next = cues[index + 1]?.start ?? Number.POSITIVE_INFINITY
    return { start, end: Math.min(Math.max(end, start + leastSeconds), Math.max(next, start)), lines }
  })
}

/** A word, or one character of a script without spaces. */
interface Piece {
  text: string
  /** The space between this piece and the one before it on a line, or nothing. */
  gap: '' | ' '
  start: number
  end: number
}

/** Matches scripts written without spaces, in which a line may break between any two characters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Matches one character of a script without spaces, with the marks and punctuation after it that
 *  must stay on its line; or a run of characters of other scripts. */
const sign =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}][\p{M}\p{P}]*|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu

/** Returns the segment's text in pieces, each with its start and end. These are derived from the
 *  times of the segment's words, or estimated from the lengths of the pieces when the words have no
 *  times. */
function piecesOf(segment: TranscriptSegment): Piece[] {
  const texts = (segment.text.match(/\S+/g) ?? []).flatMap(word =>
    (unspaced.test(word) ? (word.match(sign) ?? []) : [word]).map((text, index) => ({
      text,
      gap: index === 0 ? (' ' as const) : ('' as const),
    })),
  )
  const length = texts.reduce((sum, { text }) => sum + text.length, 0)
  const timeAt = clockOf(segment, length)
  let at = 0
  return texts.map(({ text, gap }) => {
    const start = timeAt(at, 'start')
    at += text.length
    return { text, gap, start, end: timeAt(at, 'end') }
  })
}

/** Returns a function that estimates the time of a character from the number of characters
 *  before it, not counting spaces. */
function clockOf(segment: TranscriptSegment, length: number): (at: number, edge: 'start' | 'end') => number {
  const { startSeconds, endSeconds, text, words = [] } = segment
  const spans = (words.length > 0 ? words : [{ text, startSeconds, endSeconds }]).map(word => ({
    length: word.text.replace(/\s/g, '').length,
    start: word.startSeconds,
    end: word.endSeconds,
  }))
  const reported = spans.reduce((sum, span) => sum + span.length, 0)
  return (at, edge) => {
    // The words can differ from the text in spelling and therefore in length, so the position in
    // the text is scaled to the length of the words.
    let left = length === 0 ? 0 : (at / length) * reported
    for (const span of spans) {
      if (left < span.length || (edge === 'end' && left === span.length)) return span.start + ((span.end - span.start) * left) / span.length
      left -= span.length
    }
    return endSeconds
  }
}

const endsSentence = /[.!?…。！？][\p{Pe}\p{Pf}"']*$/u
const endsClause = /[,;:–—，、；：]$/u

/** Returns the pieces in groups, one for each subtitle. */
function groupsOf(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = []
  let group: Piece[] = []
  for (const piece of pieces) {
    const last = group.at(-1)
    if (last && (piece.start - last.end > pauseSeconds || (endsSentence.test(last.text) && widthOf(group) > lineColumns / 2))) {
      groups.push(group)
      group = []
    }
    if (group.length > 0 && !fits([...group, piece])) {
      const cut = bestCut(group)
      groups.push(group.slice(0, cut))
      group = group.slice(cut)
    }
    group.push(piece)
  }
  return group.length > 0 ? [...groups, group] : groups
}

function fits(group: readonly Piece[]): boolean {
  return (group.at(-1)?.end ?? 0) - (group[0]?.start ?? 0) <= mostSeconds && linesOf(group).every(line => widthOf(line) <= lineColumns)
}

/** Returns how many pieces of a full group form the next subtitle: those up to the end of the
 *  last sentence that ends in the second half of the group. If no sentence ends there, the last
 *  clause counts instead; if no clause does either, all pieces are taken. */
function bestCut(group: readonly Piece[]): number {
  for (const ends of [endsSentence, endsClause]) {
    for (let count = group.length; count > group.length / 2; count--) if (ends.test(group[count - 1]?.text ?? '')) return count
  }
  return group.length
}

function cueOf(group: readonly Piece[]): Cue {
  return { start: group[0]?.start ?? 0, end: group.at(-1)?.end ?? 0, lines: linesOf(group).map(textOf) }
}

/** Returns one line where the text fits, else two lines of similar length, preferably broken after
 *  a clause. */
function linesOf(group: readonly Piece[]): Piece[][] {
  if (widthOf(group) <= lineColumns || group.length < 2) return [[...group]]
  let best: { at: number; cost: number } | undefined
  for (let at = 1; at < group.length; at++) {
    const [first, second] = [widthOf(group.slice(0, at)), widthOf(group.slice(at))]
    const before = group[at - 1]?.text ?? ''
    const isClause = endsClause.test(before) || endsSentence.test(before)
    const cost = Math.max(0, Math.max(first, second) - lineColumns) * 100 + Math.abs(first - second) - (isClause ? 12 : 0)
    if (!best || cost < best.cost) best = { at, cost }
  }
  const at = best?.at ?? 1
  return [group.slice(0, at), group.slice(at)]
}

function textOf(group: readonly Piece[]): string {
  return group.map(({ text, gap }, index) => (index === 0 ? text : gap + text)).join('')
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff00-\uff60\u3000-\u303f]/u

/** Returns the width of a line in columns. */
function widthOf(group: readonly Piece[]): number {
  return [...textOf(group)].reduce((sum, each) => sum + (wide.test(each) ? 2 : 1), 0)
}

/** Escapes the characters that begin markup in WebVTT. */
function escaped(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function timeOf(seconds: number, point: string): string {
  const ms = Math.max(0, Math.round(seconds * 1000))
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}${point}${String(ms % 1000).padStart(3, '0')}`
}
