import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pcmBytes } from '@generation-gateway/kit/audio/pcm.ts'
import { compose } from './compose.ts'
import { backingAt, listenTo, vocalAt } from './input-material.ts'
import { sampleRate } from './render/rate.ts'
import { hertzOf, keyName } from './theory/key.ts'

const folder = await mkdtemp(join(tmpdir(), 'composer-given-'))
after(() => rm(folder, { recursive: true, force: true }))

/** Writes a recording: a silence, then chords of two beats each, with a click on each beat. */
async function recording(name: string, { chords, bpm, silence }: { chords: readonly (readonly number[])[]; bpm: number; silence: number }) {
  const beat = Math.round((60 / bpm) * sampleRate)
  const samples = new Float32Array(Math.round(silence * sampleRate) + chords.length * 2 * beat)
  chords.forEach((pitches, index) => {
    const from = Math.round(silence * sampleRate) + index * 2 * beat
    for (let at = 0; at < 2 * beat; at++) {
      const click = Math.exp(-(at % beat) / 300) * Math.sin(at * 0.8) * 0.4
      const tones = pitches.reduce((sum, pitch) => sum + Math.sin((2 * Math.PI * hertzOf(pitch) * at) / sampleRate), 0)
      samples[from + at] = click + 0.12 * tones * Math.min(1, (2 * beat - at) / 2000)
    }
  })
  const path = join(folder, `${name}.s16`)
  await writeFile(path, pcmBytes(samples))
  return { seconds: samples.length / sampleRate, paths: [path] }
}

const chords = [
  [55, 59, 62],
  [60, 64, 67],
  [50, 54, 57],
  [55, 59, 62],
  [52, 55, 59],
  [60, 64, 67],
  [50, 54, 57],
  [55, 59, 62],
]
const requested = { prompt: 'pop', seed: '1', isSung: false }

test('tempo, key and brightness come from a reference recording if the prompt does not name them', async () => {
  const sound = await recording('reference', { chords, bpm: 96, silence: 0.2 })
  const given = await listenTo([{ role: 'reference', ...sound }], requested)
  assert.ok(Math.abs((given.measured.bpm ?? 0) - 96) < 1, `${given.measured.bpm} bpm`)
  assert.equal(given.measured.key && keyName(given.measured.key), 'G major')
  assert.ok((given.brightness ?? 0) > 200)
  const own = compose({ prompt: 'pop in D minor, 140 bpm', seed: '1', measured: given.measured })
  assert.deepEqual([own.score.bpm, keyName(own.score.key)], [140, 'D minor'])
  assert.equal(keyName(compose({ prompt: 'pop', seed: '1', measured: given.measured }).score.key), 'G major')
})

test('a backing is delayed until its beat matches the piece, and the piece uses its chords', async () => {
  const sound = await recording('backing', { chords: [...chords, ...chords], bpm: 100, silence: 0.25 })
  const given = await listenTo([{ role: 'instrumental', ...sound }], requested)
  const { backing, tune, measured } = given
  assert.ok(backing && tune)
  const beat = 60 / (measured.bpm ?? 1)
  const offBeat = Math.abs((0.25 + backing.wait) / beat - Math.round((0.25 + backing.wait) / beat))
  assert.ok(offBeat < 0.08, `${offBeat} of a beat`)
  assert.equal(backingAt(backing, 1)(0, sampleRate).left.length, sampleRate)
  const { score } = compose({ prompt: 'pop', seed: '1', measured, tune, backingSeconds: sound.seconds })
  assert.equal(score.seconds, sound.seconds)
  assert.ok(
    score.tracks.every(({ name }) => name === 'lead'),
    'nobody plays over a backing but the tune',
  )
})

test('a recorded voice begins with the first section, and the chords match it', async () => {
  const notes = [67, 67, 71, 74, 72, 72, 76, 72, 74, 74, 78, 74, 67, 71, 67, 67].map(pitch => [pitch])
  const sound = await recording('vocal', { chords: notes, bpm: 120, silence: 0.5 })
  const given = await listenTo([{ role: 'vocal', ...sound }], requested)
  const { score } = compose({ prompt: 'pop', seed: '1', measured: given.measured, ...(given.tune ? { tune: given.tune } : {}) })
  assert.ok(!score.tracks.some(({ name }) => name === 'lead'))
  const start = ((score.sections[1]?.start ?? 0) * 60) / score.bpm
  assert.ok(given.vocal)
  const heard = vocalAt(given.vocal, start + given.vocal.wait)
  const power = async (from: number) => (await heard(Math.round(from * sampleRate), 4410)).reduce((sum, value) => sum + value * value, 0)
  assert.ok((await power(start - 0.2)) < 0.01 && (await power(start + 0.15)) > 10)
  const tones = score.sections[1]?.chords[0]?.chord.tones ?? []
  assert.ok(tones.includes(7), `${tones} has no G`)
})

/** Returns a MIDI file at 90 beats a minute. The tune is in channel 1 (one beat per note), with
 *  chords below it in channel 2 and drums in another channel. */
function midiOf(pitches: readonly number[]): Buffer {
  const bytes = [0, 0xff, 0x51, 3, 0x0a, 0x2c, 0x2b]
  for (const pitch of pitches) {
    bytes.push(0, 0x91, pitch, 100, 0, 0x92, 50, 90, 0, 0x92, 54, 90, 0, 0x99, 100, 80)
    bytes.push(0x83, 0x60, 0x81, pitch, 0, 0, 0x82, 50, 0, 0, 0x82, 54, 0, 0, 0x89, 100, 0)
  }
  const track = Buffer.from([...bytes, 0, 0xff, 0x2f, 0])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(track.length)
  return Buffer.concat([Buffer.from('MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk', 'latin1'), length, track])
}

test('the notes, the tempo and the key of a MIDI melody are those of the lead', async () => {
  const midi = join(folder, 'tune.mid')
  const pitches = [62, 66, 69, 74, 71, 69, 67, 66, 64, 67, 66, 64, 62, 64, 61, 62]
  await writeFile(midi, midiOf(pitches))
  const { tune, measured } = await listenTo([{ role: 'melody', midi }], requested)
  assert.deepEqual(
    tune?.notes,
    pitches.map((pitch, beat) => ({ beat, beats: 1, pitch })),
  )
  assert.equal(tune?.bars, 4)
  const { score } = compose({ prompt: 'pop', seed: '1', measured, ...(tune ? { tune } : {}) })
  assert.deepEqual([Math.round(score.bpm), keyName(score.key)], [90, 'D major'])
  const verse = score.sections.find(({ kind }) => kind === 'verse')
  const lead = score.tracks.find(({ name }) => name === 'lead')?.notes.filter(({ beat }) => beat >= (verse?.start ?? 0) - 0.1) ?? []
  const lift = (lead[0]?.pitch ?? 0) - 62
  assert.equal(lift % 12, 0)
  assert.deepEqual(
    lead.slice(0, 16).map(({ pitch }) => pitch - lift),
    pitches,
  )
})

test('a MIDI melody of two notes is refused', async () => {
  const midi = join(folder, 'short.mid')
  await writeFile(midi, midiOf([60, 62]))
  await assert.rejects(listenTo([{ role: 'melody', midi }], requested), { code: 'invalid_request', field: 'melody' })
})

test('a MIDI melody without notes is refused', async () => {
  const path = join(folder, 'silence.s16')
  await writeFile(path, Buffer.alloc(sampleRate * 4))
  await assert.rejects(listenTo([{ role: 'melody', seconds: 2, paths: [path] }], requested), { code: 'invalid_request', field: 'melody' })
})
