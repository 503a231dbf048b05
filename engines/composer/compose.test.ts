import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WordSyllable } from './arrange/words-rhythm.ts'
import { readPrompt } from './brief/brief.ts'
import { namedInstruments } from './brief/instruments.ts'
import { compose } from './compose.ts'
import { parseLyrics } from './form/lyrics.ts'
import { randomOf } from './random.ts'
import type { Score } from './score.ts'
import { styles } from './styles/index.ts'
import { keyName, scaleOf } from './theory/key.ts'

const written = (prompt: string, seed = '1', seconds = 60): Score => compose({ prompt, seed, seconds }).score
const briefOf = (prompt: string, seed = 'a') => readPrompt({ prompt, isSung: false, random: randomOf(seed) })

test('a name that contains the name of another instrument means only that instrument', () => {
  const named = (prompt: string) => briefOf(prompt).named.map(({ instrument, role }) => [instrument, role])
  assert.deepEqual(named('a song for bass guitar'), [[33, 'bass']])
  assert.deepEqual(named('two bass guitars and an acoustic guitar'), [
    [33, 'bass'],
    [25, 'chords'],
  ])
  assert.deepEqual(named('warm synth pads'), [[89, 'pad']])
  for (const [at, { words }] of namedInstruments.entries())
    for (const word of words) assert.equal(briefOf(word).named.length, namedInstruments[at]?.role === 'drums' ? 0 : 1, word)
})

test('every style can be written in both modes, for many seeds and lengths, and keeps its length', () => {
  for (const style of styles) {
    for (const [index, seconds] of [12, 47, 200].entries()) {
      const score = written(`${style.id} in D ${index % 2 === 0 ? 'minor' : 'major'}`, `${index}`, seconds)
      assert.equal(score.style, style.title)
      const end = (score.beats * 60) / score.bpm
      assert.ok(end <= seconds && end > seconds * 0.7, `${style.id}: ${end} of ${seconds} s`)
      for (const { name, notes } of score.tracks) {
        assert.ok(
          notes.every(note => note.pitch >= 20 && note.pitch <= 110 && note.velocity > 0 && note.velocity < 128),
          `${style.id} ${name}`,
        )
        assert.ok(
          notes.every(note => note.beat >= 0 && note.beat <= score.beats),
          `${style.id} ${name} lasts too long`,
        )
      }
    }
  }
})

test('the same seed gives the same score, another seed another one', () => {
  assert.deepEqual(written('jazz'), written('jazz'))
  assert.notDeepEqual(written('jazz').tracks, written('jazz', '2').tracks)
})

test('style, key, tempo, voice and instruments are read from an English or a Chinese prompt', () => {
  const { style, key, bpm, voice, named } = briefOf('slow bossa nova in F# minor, 118 bpm, male voice, with strings and flute')
  assert.deepEqual([style.id, keyName(key), bpm, voice], ['bossa', 'F# minor', 118, 'male'])
  assert.deepEqual(
    named.map(({ words }) => words[0]),
    ['strings', 'flute'],
  )
  const chinese = briefOf('欢快的爵士乐，D小调，女声，钢琴')
  assert.deepEqual([chinese.style.id, keyName(chinese.key), chinese.voice], ['jazz', 'D minor', 'female'])
  assert.equal(chinese.named[0]?.words[0], 'piano')
})

test('words that only look like a key, a tempo or a style are ignored', () => {
  const { key } = briefOf('a song in a major city about a minor thing')
  assert.equal(key.tonic, briefOf('nothing').key.tonic)
  assert.equal(briefOf('folk rock').style.id, 'rock')
  assert.equal(briefOf('something for yoga').style.id, 'ambient')
})

test('a prompt can ask for a single player, or for no drums', () => {
  const solo = written('solo piano, romantic')
  assert.deepEqual([...new Set(solo.tracks.map(({ instrument }) => instrument))], [0])
  assert.ok(!written('rock without drums').tracks.some(({ isDrums }) => isDrums))
})

test('the melody keeps its key, has more steps than leaps, and has chord tones on strong beats', () => {
  const score = written('pop in C major')
  const tune = score.tracks.find(({ name }) => name === 'lead')?.notes ?? []
  const scale = scaleOf(score.key)
  assert.ok(tune.filter(({ pitch }) => scale.includes(pitch % 12)).length > tune.length * 0.9)
  const leaps = tune.slice(1).filter((note, index) => Math.abs(note.pitch - (tune[index]?.pitch ?? 0)) > 5)
  assert.ok(leaps.length < tune.length * 0.2, `${leaps.length} leaps of ${tune.length}`)
  const chords = score.sections.flatMap(section => section.chords)
  const heavy = tune.filter(({ beat, beats }) => Math.abs((beat % 4) - 0) < 0.05 && beats > 0.4)
  const onChord = heavy.filter(({ beat, pitch }) => chords.findLast(chord => chord.beat <= beat + 0.05)?.chord.tones.includes(pitch % 12))
  assert.ok(onChord.length >= heavy.length * 0.7, `${onChord.length} of ${heavy.length}`)
})

test('stressed syllables have heavier beats than unstressed ones, and each section has its lines', () => {
  const stresses = [0, 2, 0, 2, 0, 0, 2] as const
  const line: WordSyllable[] = stresses.map(stress => ({ phones: ['aa'], stress, isFirst: true }))
  const lyrics = parseLyrics('[Verse 1]\none\ntwo\nthree\nfour\n[Chorus]\nfive\nsix\n[Verse 2]\none\ntwo\n[Chorus]')
  const { score } = compose({ prompt: 'folk', seed: '3', lyrics, syllablesOf: () => line })
  const sung = score.sections.filter(({ lines }) => lines.length > 0)
  assert.deepEqual(
    sung.map(({ kind, lines }) => [kind, lines.length]),
    [
      ['verse', 4],
      ['chorus', 2],
      ['verse', 2],
      ['chorus', 2],
    ],
  )
  const weights = { stressed: [] as number[], unstressed: [] as number[] }
  for (const { syllables } of sung.flatMap(({ lines }) => lines)) {
    syllables.forEach(({ note }, index) => {
      const onBeat = Math.abs(note.beat - Math.round(note.beat)) < 0.01 ? 1 : 0
      weights[stresses[index] === 2 ? 'stressed' : 'unstressed'].push(onBeat)
    })
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  assert.ok(mean(weights.stressed) > mean(weights.unstressed) + 0.3, `${mean(weights.stressed)} and ${mean(weights.unstressed)}`)
})

test('lyrics that do not fit in the requested length are reported', () => {
  const line: WordSyllable[] = Array.from({ length: 8 }, () => ({ phones: ['aa'], stress: 1, isFirst: true }))
  const lyrics = parseLyrics(Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n'))
  const { score, leftOut } = compose({ prompt: 'pop', seed: '3', seconds: 30, lyrics, syllablesOf: () => line })
  assert.equal(score.seconds, 30)
  assert.equal(leftOut.length + score.sections.flatMap(({ lines }) => lines).length, 30)
  assert.ok(leftOut.length > 10)
})

test('a title has no invisible characters, and is never empty', () => {
  const titled = (words: string, prompt = 'pop') => compose({ prompt, seed: '3', lyrics: parseLyrics(words) }).score.title
  assert.equal(titled('la\u0000\u001b[31m la\u007f \ud83d!'), 'La 31m la')
  assert.equal(titled('\u202eabc\u202c 👩‍👩‍👧'), 'Abc 👩‍👩‍👧')
  assert.equal(titled('...', 'slow rain, piano'), 'Slow rain')
  assert.match(titled('...', '!!'), /^Pop No\. \d+$/)
})
