/** T2: bodies of WebVTT and SubRip, made cues. Forgiving where files differ, and strict where a time or a text would be lost: an error names the line. */
import { invalidField } from '@generation-gateway/kit/errors.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'

export type Cue = NonNullable<SpeechRequest['cues']>[number]
export type SubtitleKind = 'vtt' | 'srt'

interface Block {
  /** Of its first line, from 1. */
  line: number
  lines: string[]
}

const timeText = String.raw`(-?)(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`
// Settings may stand behind the end.
const timing = new RegExp(String.raw`^\s*${timeText}[ \t]*-->[ \t]*${timeText}(?:\s|$)`)

/** The cues that have words, by their start. Throws `invalid_request` with the line at fault. */
export function cuesOf(text: string, kind: SubtitleKind): Cue[] {
  const blocks = blocksOf(text)
  if (kind === 'vtt') dropHeader(blocks)
  const cues = blocks.flatMap(block => (kind === 'vtt' && isNoCue(block) ? [] : (cueOf(block, kind) ?? [])))
  if (cues.length === 0) throw problem('has no cue with words; at least one.')
  return cues.sort((a, b) => a.startMs - b.startMs)
}

/** Lines between blank ones. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') open = undefined
    else if (open) open.lines.push(line)
    else {
      open = { line: index + 1, lines: [line] }
      blocks.push(open)
    }
  }
  return blocks
}

/** A cue may follow the signature without a blank line. */
function dropHeader(blocks: Block[]): void {
  const [header] = blocks
  if (header?.line !== 1 || !/^WEBVTT(?:[ \t]|$)/.test(header.lines[0] ?? '')) throw problem('is no WebVTT: it has to begin with WEBVTT.')
  blocks.shift()
}

function isNoCue({ lines: [first = ''] }: Block): boolean {
  return /^(NOTE(?:\s|$)|(STYLE|REGION)\s*$)/.test(first)
}

/** Undefined when nothing of it is to be said. */
function cueOf({ line, lines }: Block, kind: SubtitleKind): Cue | undefined {
  const at = lines.findIndex(each => each.includes('-->'))
  // A number or a name may stand before it.
  if (at < 0 || at > 1) throw problem(`has no time where a cue begins, in line ${line}.`)
  const where = `in line ${line + at}`
  const found = timing.exec(lines[at] ?? '')
  if (!found) throw problem(`has a time of another form than 00:01:02.345 --> 00:01:04.500, ${where}.`)
  const [startMs, endMs] = [msOf(found.slice(1, 6), where), msOf(found.slice(6, 11), where)]
  if (endMs <= startMs) throw problem(`has a cue that does not end after its start, ${where}.`)
  const text = wordsOf(lines.slice(at + 1).join(' '), kind)
  return text === '' ? undefined : { startMs, endMs, text }
}

function msOf([sign, hours = '0', minutes = '0', seconds = '0', fraction = '0']: (string | undefined)[], where: string): number {
  if (sign === '-') throw problem(`has a time before the start, ${where}.`)
  if (Number(minutes) > 59 || Number(seconds) > 59) throw problem(`has a time with more than 59 minutes or seconds, ${where}.`)
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))
}

/** SubRip knows these only; a sign of less than is one. */
const subripTag = /^<\/?(b|i|u|s|font)\b/i
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' }

/** Without tags, positions and line breaks. */
function wordsOf(text: string, kind: SubtitleKind): string {
  // No sign of its own kind inside: so that a row of them costs no more than its length.
  const plain = text.replace(/<[^<>]*>/g, whole => (kind === 'vtt' || subripTag.test(whole) ? '' : whole)).replace(/\{\\[^{}]*\}/g, '')
  const said = kind === 'vtt' ? plain.replace(/&(\w{2,4});/g, (whole, name: string) => entities[name] ?? whole) : plain
  return said.replace(/\s+/g, ' ').trim()
}

function problem(says: string) {
  return invalidField('body', `The body ${says}`, 'subtitles')
}
