/** Tests which subtitle files are accepted: those that players accept too. `t2.test.ts` tests
 *  the requests that contain such files. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cuesOf, type SubtitleKind } from './subtitles.ts'

const said = (body: string, kind: SubtitleKind = 'srt') => cuesOf(body, kind).cues.map(({ text }) => text)
const times = (body: string, kind: SubtitleKind = 'srt') => cuesOf(body, kind).cues.map(({ startMs, endMs }) => [startMs, endMs])

const first = '1\n00:00:01,000 --> 00:00:02,500\nHello there.'
const second = '2\n00:00:04,000 --> 00:00:06,000\nThe ship is late.'
const both = ['Hello there.', 'The ship is late.']

test('blank lines may be missing, doubled, inside a text, or after a number', () => {
  const bodies = [
    `${first}\n\n${second}`,
    `${first}\n${second}\n`,
    `${first}\n\n\n\n${second}\n\n\n`,
    `\n\n${first}\n\n${second}`,
    `${first.replace('1\n', '1\n\n')}\n\n${second.replace('2\n', '2\n\n')}`,
    `${first.replace('1\n', '1\n\n')}\n${second.replace('2\n', '2\n\n')}`,
    `${first.replace('\nHello', '\n\nHello')}\n\n${second}`,
    `${first}\n \t\n${second}`,
  ]
  for (const body of bodies) for (const ends of ['\n', '\r\n', '\r']) assert.deepEqual(said(body.replaceAll('\n', ends)), both, body)
  assert.deepEqual(said(`${first}\n\nAnd welcome.\n\nOn board.\n\n${second}`), ['Hello there. And welcome. On board.', both[1]])
})

test('a number is spoken when it is text, and skipped when it is the number of a cue', () => {
  const cue = (lines: string) => lines.replaceAll('T1', '00:00:01,000 --> 00:00:02,000').replaceAll('T2', '00:00:04,000 --> 00:00:06,000')
  const cases: [body: string, said: string[]][] = [
    ['1\nT1\n\n2\n\n2\nT2\nLate.', ['2', 'Late.']],
    ['1\nT1\n2\n\n2\nT2\nLate.', ['2', 'Late.']],
    ['1\nT1\n1984\n2\nT2\nLate.', ['1984', 'Late.']],
    ['T1\n5\n\nT2\nLate.', ['5', 'Late.']],
    ['T1\nWe are\n5\n\nT2\n6', ['We are 5', '6']],
    ['T1\nHello.\n\n2\nT2\nLate.', ['Hello.', 'Late.']],
    ['1\nT1\nHello.\n\nT2\nLate.\n', ['Hello.', 'Late.']],
    ['1\nT1\nHello.\n\n2\n', ['Hello.']],
    ['1\nT1\nHello.\n\n2\n\n3\nT2\nLate.', ['Hello.', 'Late.']],
    ['7\nT1\nHello.\n\n7\nT2\nLate.', ['Hello.', 'Late.']],
    ['1\nT1\n2\nT2\nLate.', ['Late.']],
    ['1\nT1\nIn the year\n\n1984\n\n2\nT2\nLate.', ['In the year 1984', 'Late.']],
    ['\ufeff1\nT1\nHello.\n\n\ufeff1\nT2\nLate.', ['Hello.', 'Late.']],
  ]
  for (const [body, texts] of cases) assert.deepEqual(said(cue(body)), texts, body)
})

test('an empty cue of any length is silent; a cue with words must have a length above zero', () => {
  assert.deepEqual(said(`1\n00:00:00,000 --> 00:00:00,000\n\n${second}`), [both[1]])
  assert.deepEqual(said(`1\n00:00:00,000 --> 00:00:00,000\n<i> </i>\n\n${second}`), [both[1]])
  assert.throws(() => said('1\n00:00:01,000 --> 00:00:01,000\nx'), /does not end after its start, in line 2/)
  assert.throws(() => said(`${second}\n\n1\n00:00:03,000 --> 00:00:02,000\n`), /does not end after its start, in line 6/)
})

test('times in every usual form are read', () => {
  const forms: [line: string, times: number[]][] = [
    ['00:00:01 --> 00:00:02', [1_000, 2_000]],
    ['00:01 --> 00:02', [1_000, 2_000]],
    ['0:00:01.5-->0:00:02.25', [1_500, 2_250]],
    ['1:2:3,004 --> 1:2:4', [3_723_004, 3_724_000]],
    ['00:00:01, 500 --> 00:00:02, 250', [1_500, 2_250]],
    ['00:00:01.500000 --> 00:00:02.250000', [1_500, 2_250]],
    [' 00:00:01,000  -->  00:00:02,000  X1:100 X2:200 Y1:100 Y2:200', [1_000, 2_000]],
    ['00:00:01.000 --> 00:00:02.000 line:0 position:20%', [1_000, 2_000]],
  ]
  for (const [line, at] of forms)
    for (const kind of ['srt', 'vtt'] as const) assert.deepEqual(times(`WEBVTT\n\n${line}\nHello.`, kind), [at], line)
  assert.deepEqual(times(`${second}\n\n${first}\n\n3\n00:00:02 --> 00:00:05\nOver both.`), [
    [1_000, 2_500],
    [2_000, 5_000],
    [4_000, 6_000],
  ])
})

test('text before the first cue is not spoken, and the caller is told so', () => {
  assert.deepEqual(cuesOf(`Subtitles by somebody\n\n${first}`, 'srt'), {
    cues: [{ startMs: 1_000, endMs: 2_500, text: both[0] }],
    unread: 'Subtitles by somebody',
  })
  assert.deepEqual(said(`Subtitles by somebody\n${first}\n\n${second}`), both)
  assert.equal(cuesOf(first, 'srt').unread, undefined)
  assert.equal(cuesOf(`WEBVTT - a film\nKind: captions\n\nNOTE x\n\n${first}`, 'vtt').unread, undefined)
})

test('WebVTT: a line with a space belongs to the text, and a cue may follow without a blank line', () => {
  const [a, b] = ['00:01.000 --> 00:02.000', '00:03.000 --> 00:04.000']
  const cases: [body: string, said: string[]][] = [
    [`WEBVTT\n${a}\nOne.\n\n${b}\nTwo.`, ['One.', 'Two.']],
    [`WEBVTT\n1\n${a}\nOne.\n2\n${b}\nTwo.`, ['One.', 'Two.']],
    [`WEBVTT\n\n${a}\nOne,\n \ntwo.\n\n${b}\nThree.`, ['One, two.', 'Three.']],
    [`WEBVTT\n \n1\n${a}\nOne.\n \n2\n${b}\nTwo.`, ['One.', 'Two.']],
    [`WEBVTT\n \n${a}\nOne.\n\t\n${b}\nTwo.`, ['One.', 'Two.']],
    [`WEBVTT\n\nintro\n${a}\nOne.\n${b}\nTwo.`, ['One.', 'Two.']],
    [`WEBVTT\n\n${a}\nOne.\n\nintro\n${b}\nTwo.`, ['One.', 'Two.']],
    [`WEBVTT\n\nNOTE\nnot\n \nthis\n\n${a}\nOne.\n \nNOTE nor this\n \n${b}\nTwo.`, ['One.', 'Two.']],
    [
      `WEBVTT\nKind: captions\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:a\n\n${a}\nOne.`,
      ['One.'],
    ],
    [`WEBVTT\n\n${a}\n- One.\n- Two.`, ['- One. - Two.']],
  ]
  for (const [body, texts] of cases)
    for (const ends of ['\n', '\r\n', '\r']) assert.deepEqual(said(body.replaceAll('\n', ends), 'vtt'), texts, body)
  assert.deepEqual(said(`WEBVTT\n\nNOTE nothing\n\n${a}\nOne &amp; two.`), ['One & two.'], 'SubRip by its type, WebVTT by its first line')
})

test('markup and entities are not spoken as written', () => {
  const cases: [words: string, kind: SubtitleKind, said: string][] = [
    ['{\\an8}Top\\Nof the\\hworld', 'srt', 'Top of the world'],
    ['Tom &amp; Jerry&#39;s &lt;3 &quot;home&quot;&#x21;', 'srt', `Tom & Jerry's <3 "home"!`],
    ['Tom &amp;amp; Jerry &unknown; &#99999999; &#xd800; AT&T', 'srt', 'Tom &amp; Jerry &unknown; &#99999999; &#xd800; AT&T'],
    ['A\0B', 'srt', 'A B'],
    ['<ruby>漢<rt>かん</rt></ruby>字', 'vtt', '漢字'],
    ['It&#39;s &lt;b&gt;', 'vtt', "It's <b>"],
  ]
  for (const [words, kind, text] of cases)
    assert.deepEqual(said(`${kind === 'vtt' ? 'WEBVTT\n\n' : ''}00:00:01.000 --> 00:00:02.000\n${words}`, kind), [text])
})

test('times are read with the arrow characters that word processors write', () => {
  for (const arrow of ['->', '--->', '—>', '–>', '→', '=>', '==>', '-- >', '- ->', '- - >', '--&gt;'])
    for (const blank of ['', ' ']) {
      const time = `00:00:04,000${blank}${arrow}${blank}00:00:06,000`
      assert.deepEqual(said(`${first}\n\n2\n${time}\nWe are late.`), ['Hello there.', 'We are late.'], time)
      assert.deepEqual(said(`WEBVTT\n\n${time.replaceAll(',', '.')}\nWe are late.`, 'vtt'), ['We are late.'], time)
    }
})

test('a damaged file is refused with the line number', () => {
  const cases: [body: string, kind: SubtitleKind, says: RegExp][] = [
    [`${first}\n\n2\n00:00:04,000 - 00:00:06,000\nx`, 'srt', /no time where a cue begins, in line 6/],
    [`${first}\n\n2\n00:00:04,000 00:00:06,000\nx`, 'srt', /no time where a cue begins, in line 6/],
    [`${first}\n\n2\n00:00:04,000 --> \nx`, 'srt', /another form .* in line 6/],
    [`${first}\n\n2\n --> 00:00:04,000\nx`, 'srt', /another form .* in line 6/],
    [`${first}\n\n2\n00:00:04,000 --> 00:00:0x,000\nx`, 'srt', /another form .* in line 6/],
    [`${first}\n\n2\n00:00:61,000 --> 00:01:02,000\nx`, 'srt', /more than 59 minutes or seconds, in line 6/],
    ['Hello.\n\nAnd welcome.', 'srt', /no time where a cue begins, in line 1/],
    ['WEBVTT\n\nHello.', 'vtt', /no time where a cue begins, in line 3/],
    ['WEBVTT\n\n00:01.000 --> 00:02.000\nOne --> two', 'vtt', /another form .* in line 4/],
    ['WEBVTT', 'vtt', /no cue with words/],
  ]
  for (const [body, kind, says] of cases) assert.throws(() => said(body, kind), says, body)
  assert.deepEqual(said(`${first} A --> B at 12:30 -> 13:00.`), ['Hello there. A --> B at 12:30 -> 13:00.'])
})

test('a file may have 50,000 lines', () => {
  const lines = (count: number) => `${first}${'\r\n'.repeat(count - 3)}`
  assert.deepEqual(said(lines(50_000)), [both[0]])
  assert.throws(() => said(lines(50_001)), /The body has more than 50000 lines\./)
})

test('the time to read a file is proportional to its length', () => {
  const cpu = process.cpuUsage()
  for (const row of [
    '1\n',
    '&#',
    '<rt>',
    '\\N',
    '\n',
    ' \n',
    '<',
    '-->',
    '00:',
    '00:00:01,000 --> ',
    '00:00:01,000 - ',
    '1\n\n',
    'NOTE\n',
    '\ufeff',
    '0 ',
  ])
    for (const kind of ['srt', 'vtt'] as const) {
      const body = `WEBVTT\n\n00:01.000 --> 00:02.000\n${row.repeat(1_000_000 / row.length)}`
      try {
        cuesOf(body, kind)
      } catch {}
    }
  const { user } = process.cpuUsage(cpu)
  assert.ok(user < 8_000_000, `${user} us`)
})
