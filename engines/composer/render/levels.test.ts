import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compose } from '../compose.ts'
import { parseLyrics } from '../form/lyrics.ts'
import { pronounceLines } from '../sing/pronounce.ts'
import { createVocal } from '../sing/vocal.ts'
import { loudness, needsSounds, play } from '../testing/sound.ts'
import { needsVoice, theSpeaker } from '../testing/voice.ts'
import { sampleRate } from './rate.ts'

const words = '[Verse]\nMorning light is on the river\nEvery window turns to gold\n[Chorus]\nCarry me home tonight\nUnder the silver moon'

test('the beginning and the end of a song are not much softer than the singing', needsVoice.skip ? needsVoice : needsSounds, async () => {
  const lyrics = parseLyrics(words)
  const syllablesOf = await pronounceLines(lyrics.flatMap(({ lines }) => lines))
  const ask = { prompt: 'rock, male voice', seed: '3', lyrics, syllablesOf }
  const { score, brief } = compose(ask)
  await using speaker = await theSpeaker()
  const { sound } = await play(ask, { voice: createVocal(score, { singer: brief.voice, speaker }) })
  const beat = (60 * sampleRate) / score.bpm
  const levels = new Map(
    score.sections.map(({ kind, start, bars }) => {
      const [from, to] = [Math.round(start * beat), Math.round((start + bars * score.beatsPerBar) * beat)]
      return [kind, loudness({ left: sound.left.subarray(from, to), right: sound.right.subarray(from, to) })]
    }),
  )
  const [intro = -70, verse = 0, outro = -70] = [levels.get('intro'), levels.get('verse'), levels.get('outro')]
  assert.ok(verse - intro < 6 && verse - outro < 7, JSON.stringify([...levels]))
  assert.ok(Math.abs(loudness(sound) + 14) < 1, `${loudness(sound)} LUFS`)
})
