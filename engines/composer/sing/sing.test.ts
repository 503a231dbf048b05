import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compose } from '../compose.ts'
import { parseLyrics } from '../form/lyrics.ts'
import { pitchOf } from '../listen/pitch.ts'
import { sampleRate } from '../render/rate.ts'
import { needsVoice, theSpeaker } from '../testing/voice.ts'
import { singLine, speakLine } from './line.ts'
import { pronounceLines } from './pronounce.ts'
import { resample } from './resample.ts'
import { voiceRate } from './revoice.ts'
import { splitSyllables } from './syllables.ts'
import { createVocal, lineTimes } from './vocal.ts'

const words = '[Verse]\nMorning light is on the river\nEvery window turns to gold\n[Chorus]\nCarry me home tonight'

test('syllables begin with as many consonants as English allows, and have the stress of their words', async () => {
  assert.deepEqual(splitSyllables('ih k s t r iy m l iy'.split(' ')), [
    ['ih', 'k'],
    ['s', 't', 'r', 'iy', 'm'],
    ['l', 'iy'],
  ])
  const syllablesOf = await pronounceLines(['beautiful tomorrow', 'the river again'])
  assert.deepEqual(
    syllablesOf('beautiful tomorrow').map(({ stress }) => stress > 1),
    [true, false, false, false, true, false],
  )
  assert.deepEqual(
    syllablesOf('the river again').map(({ stress }) => stress > 1),
    [false, true, false, false, true],
  )
})

test('a word in a script that the voice cannot read is refused with the word', async () => {
  await assert.rejects(pronounceLines(['спой мне']), { code: 'invalid_request', field: 'lyrics', message: /спой/ })
})

test('in Chinese, Korean and kana each character is one syllable, in phones that the voice has', async () => {
  const lines = ['月亮代表我的心', '사랑해요', 'さくら きょう', '我爱 New York']
  const syllablesOf = await pronounceLines(lines)
  const said = lines.map(line => syllablesOf(line).map(({ phones }) => phones.join(' ').replace(/\d/g, '')))
  assert.deepEqual(said[0], ['y eh', 'l y aa ng', 'd ay', 'b y aw', 'w ao', 'd ah', 'sh iy n'])
  assert.deepEqual(said[1], ['s aa', 'r aa ng', 'hh eh', 'y ow'])
  assert.deepEqual(said[2], ['s aa', 'k uw', 'r aa', 'k y ow', 'uw'])
  assert.deepEqual(said[3]?.slice(0, 2), ['w ao', 'ay'])
  await assert.rejects(pronounceLines(['桜が咲く']), { field: 'lyrics' })
})

test('lengthened and hummed words, and letters with accents or of full width, are sung like the plain words', async () => {
  const lines = [
    'Nooo',
    'no',
    'oooh',
    'ooh',
    'sooooon',
    'soon',
    'hmmm',
    'constructor',
    'Ｈｅｌｌｏ',
    'hello',
    'Łódź',
    'lodz',
    'ファイト',
    'ねぇ',
    'ヴァ',
  ]
  const syllablesOf = await pronounceLines(lines)
  const said = lines.map(line => syllablesOf(line).map(({ phones }) => phones.join(' ').replace(/\d/g, '')))
  for (const index of [0, 2, 4, 8, 10]) assert.deepEqual(said[index], said[index + 1])
  assert.deepEqual([said[6], said[7]?.length], [['hh ah m'], 3])
  assert.deepEqual(said.slice(12), [['f aa', 'iy', 't ow'], ['n eh'], ['v aa']])
})

for (const voice of ['female', 'male'] as const) {
  test(`a ${voice} voice sings the notes of the melody`, needsVoice, async () => {
    await using speaker = await theSpeaker()
    const lyrics = parseLyrics(words)
    const syllablesOf = await pronounceLines(lyrics.flatMap(({ lines }) => lines))
    const { score } = compose({ prompt: `folk, ${voice} voice`, seed: '5', lyrics, syllablesOf })
    const cents: number[] = []
    let lost = 0
    for (const line of score.sections.flatMap(({ lines }) => lines)) {
      const { bpm } = score
      const { from, samples } = singLine(line, { bpm, singer: voice, spoken: await speakLine(line, { bpm, speaker }) })
      const track = pitchOf(samples, voiceRate)
      for (const { note } of line.syllables) {
        const beat = 60 / score.bpm
        const middle = Math.round(((note.beat + note.beats * 0.45) * beat - from) / track.hop)
        const hertz = track.hertz[middle] ?? 0
        if (hertz === 0) lost += 1
        else cents.push(Math.abs(1200 * Math.log2(hertz / 440) - 100 * (note.pitch - 69)))
      }
    }
    const median = cents.sort((one, other) => one - other)[cents.length >> 1] ?? Number.NaN
    assert.ok(median < 50, `${median} cents`)
    assert.ok(lost <= cents.length * 0.15, `${lost} notes of ${cents.length} have no pitch`)
  })
}

test('each line is audible in its time, and the times are reported in order', needsVoice, async () => {
  await using speaker = await theSpeaker()
  const lyrics = parseLyrics(words)
  const syllablesOf = await pronounceLines(lyrics.flatMap(({ lines }) => lines))
  const { score, brief } = compose({ prompt: 'pop', seed: '2', lyrics, syllablesOf })
  const vocal = createVocal(score, { singer: brief.voice, speaker })
  const times = lineTimes(score)
  assert.deepEqual(
    times.map(({ text }) => text),
    ['Morning light is on the river', 'Every window turns to gold', 'Carry me home tonight'],
  )
  const [first, last] = [times[0], times[2]]
  assert.ok(first && last && first.startSeconds < first.endSeconds && first.endSeconds <= last.startSeconds)
  const part = async (from: number, to: number) => power(await vocal(Math.round(from * sampleRate), Math.round((to - from) * sampleRate)))
  const sung = await part(first.startSeconds, first.endSeconds)
  assert.ok(sung > 1e-4, `${sung}`)
  assert.ok((await part(0.2, first.startSeconds - 0.6)) < sung / 1000)
})

test('a tone keeps its pitch and level when its sample rate is changed', () => {
  const tone = Float32Array.from({ length: 16_000 }, (_, index) => 0.5 * Math.sin((2 * Math.PI * 1000 * index) / 16_000))
  const out = resample(tone, 16_000, 44_100)
  assert.ok(Math.abs(power(out) - 0.125) < 0.003)
  const wrong = out.reduce(
    (most, value, index) =>
      index < 100 || index > 44_000 ? most : Math.max(most, Math.abs(value - 0.5 * Math.sin((2 * Math.PI * 1000 * index) / 44_100))),
    0,
  )
  assert.ok(wrong < 0.003, `${wrong}`)
})

function power(sound: Float32Array): number {
  return sound.reduce((sum, value) => sum + value * value, 0) / Math.max(1, sound.length)
}
