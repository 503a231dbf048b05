import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TranscriptSegment } from '@generation-gateway/kit/requests/transcript.ts'
import { srt, vtt } from './subtitles.ts'

interface Cue {
  start: number
  end: number
  lines: string[]
}

function cuesOf(segments: readonly TranscriptSegment[]): Cue[] {
  const blocks = srt(segments)
    .split('\n\n')
    .filter(block => block !== '')
  return blocks.map((block, index) => {
    const [number, times = '', ...lines] = block.trimEnd().split('\n')
    assert.equal(number, String(index + 1))
    const [start = 0, end = 0] = times.split(' --> ').map(secondsOf)
    return { start, end, lines }
  })
}

function secondsOf(stamp: string): number {
  const [, hours, minutes, seconds] = /^(\d\d):(\d\d):(\d\d,\d{3})$/.exec(stamp) ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds?.replace(',', '.'))
}

const text =
  'The harbour was quiet when the last ferry came in, and nobody on the pier had expected her to be aboard. She carried a small case, a wet umbrella and a letter that she had read so often that its folds were torn; the captain, who knew her, said nothing.'

/** Returns a segment whose text takes `seconds`, with a time for each word when `isTimed`. */
function segment(said: string, seconds: number, { from = 0, isTimed = false } = {}): TranscriptSegment {
  const parts = said.split(' ')
  const words = parts.map((word, index) => ({
    text: word,
    startSeconds: from + (index * seconds) / parts.length,
    endSeconds: from + ((index + 1) * seconds) / parts.length,
  }))
  return { text: said, startSeconds: from, endSeconds: from + seconds, ...(isTimed ? { words } : {}) }
}

test('long text is cut into lines of 42 columns, two for each subtitle, at the ends of clauses', () => {
  const cues = cuesOf([segment(text, 20)])
  assert.equal(cues.map(({ lines }) => lines.join(' ')).join(' '), text)
  assert.ok(
    cues.every(({ lines }) => lines.length <= 2 && lines.every(line => line.length <= 42)),
    JSON.stringify(cues),
  )
  assert.deepEqual(cues[0]?.lines, ['The harbour was quiet when', 'the last ferry came in,'])
  assert.equal(
    cues.some(({ lines }) => lines.at(-1)?.endsWith('aboard.')),
    true,
  )
  for (const [index, { start, end }] of cues.entries()) {
    assert.ok(end - start >= 1 && end - start <= 7, `${start} ${end}`)
    assert.ok(start >= (cues[index - 1]?.end ?? 0), 'they do not overlap')
  }
  assert.equal(cues[0]?.start, 0)
  assert.equal(cues.at(-1)?.end, 20)
})

test('with word times, a subtitle begins with its first word and ends at a pause', () => {
  const late = { ...segment('Wait.', 0.4, { from: 9, isTimed: true }) }
  const spoken = segment('One two three four five', 2.5, { isTimed: true })
  const joined: TranscriptSegment = {
    text: `${spoken.text} ${late.text}`,
    startSeconds: 0,
    endSeconds: 9.4,
    words: [...(spoken.words ?? []), ...(late.words ?? [])],
  }
  assert.deepEqual(cuesOf([joined]), [
    { start: 0, end: 2.5, lines: ['One two three four five'] },
    // This short word is shown for at least a second.
    { start: 9, end: 10, lines: ['Wait.'] },
  ])
})

test('slow speech has no subtitle of more than seven seconds', () => {
  const cues = cuesOf([segment('one two three four five six seven eight nine ten', 30, { isTimed: true })])
  assert.ok(cues.length >= 5)
  assert.ok(cues.every(({ start, end }) => end - start <= 7))
})

test('a script without spaces is broken between characters, with punctuation at the end of a line', () => {
  const chinese = '港口很安静，最后一班渡轮靠岸时，码头上没有人想到她会在船上。她提着一个小箱子，一把湿伞，还有一封读了很多遍的信。'
  const cues = cuesOf([segment(chinese, 12)])
  assert.equal(cues.map(({ lines }) => lines.join('')).join(''), chinese)
  const lines = cues.flatMap(cue => cue.lines)
  assert.ok(
    lines.every(line => [...line].length <= 21),
    JSON.stringify(lines),
  )
  assert.ok(
    lines.every(line => !/^[，。]/.test(line)),
    JSON.stringify(lines),
  )
})

test('VTT escapes markup in the text, and an empty transcript has no subtitles', () => {
  assert.equal(vtt([segment('a < b --> c & d', 3)]), 'WEBVTT\n\n00:00:00.000 --> 00:00:03.000\na &lt; b --&gt; c &amp; d\n')
  assert.match(vtt([segment('late', 2, { from: 3_723.5 })]), /01:02:03\.500 --> 01:02:05\.500/)
  assert.deepEqual([srt([]), vtt([])], ['', 'WEBVTT\n'])
})

test('a word longer than a line stands alone', () => {
  const long = 'x'.repeat(60)
  assert.deepEqual(
    cuesOf([segment(`a ${long} b`, 3)]).flatMap(({ lines }) => lines),
    ['a', long, 'b'],
  )
})
