/** Analyses the recordings of a request, and returns what the piece uses of each. */
import { readFile } from 'node:fs/promises'
import { createLoudnessMeter } from '@generation-gateway/kit/audio/loudness.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { midiTune } from '@generation-gateway/kit/media/midi-header.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import type { InputTune } from './arrange/input-tune.ts'
import { type Brief, type MeasuredFacts, readPrompt } from './brief/brief.ts'
import { chromaOf } from './listen/key.ts'
import { tuneOfMidi } from './listen/midi-tune.ts'
import type { DetectedNote } from './listen/pitch.ts'
import { measureMusic, measureTune, monoOf, readRecording } from './listen/recording.ts'
import type { InputMidi, InputSound } from './messages.ts'
import { randomOf } from './random.ts'
import { gainOf, type Stereo, sampleRate } from './render/rate.ts'

export interface InputMaterial {
  measured: MeasuredFacts
  tune?: InputTune
  /** Mean frequency of the spectrum in Hz. The treble of the piece is changed so that the piece
   *  gets the same value. */
  brightness?: number
  /** A recorded voice as mono samples. `wait` is the delay in seconds after which its beats
   *  coincide with those of the piece. */
  vocal?: { sound: Float32Array; wait: number }
  backing?: { sound: Stereo; wait: number }
}

/** Least clarity of the beat in a recording (0 to 1). Below it, the measured tempo is not used,
 *  except that of a backing. */
const leastClarity = 0.12

/** Analyses the input files. Throws `invalid_request`, with the role of the file as the field,
 *  when a melody or a recorded voice contains no tune. */
export async function listenTo(
  inputs: readonly (InputSound | InputMidi)[],
  { prompt, seed, isSung, giveWay }: { prompt: string; seed: string; isSung: boolean; giveWay?(): Promise<void> },
): Promise<InputMaterial> {
  const given: InputMaterial = { measured: {} }
  for (const input of inputs) {
    if ('midi' in input || (input.role !== 'reference' && input.role !== 'instrumental')) continue
    await giveWay?.()
    const sound = await readRecording(input.paths)
    if (input.role === 'reference') refer(given, sound)
    else back(given, sound)
  }
  const brief = (measured: MeasuredFacts) => readPrompt({ prompt, isSung, random: randomOf(seed).fork('brief'), measured })
  for (const input of inputs) {
    await giveWay?.()
    if ('midi' in input) followMidi(given, await readFile(input.midi), brief)
    else if (input.role === 'melody' || input.role === 'vocal')
      follow(given, monoOf(await readRecording(input.paths)), { role: input.role, brief })
  }
  return given
}

function refer(given: InputMaterial, sound: Stereo): void {
  const { beat, key, brightness } = measureMusic(monoOf(sound))
  given.measured = { key, ...(beat && beat.clarity >= leastClarity ? { bpm: beat.bpm } : {}), ...given.measured }
  given.brightness = brightness
}

function back(given: InputMaterial, sound: Stereo): void {
  const { beat, key } = measureMusic(monoOf(sound))
  given.measured = { ...given.measured, key, ...(beat ? { bpm: beat.bpm } : {}) }
  const length = beat ? 60 / beat.bpm : 0
  const wait = beat ? Math.ceil(beat.firstBeat / length - 0.02) * length - beat.firstBeat : 0
  given.backing = { sound, wait: Math.max(0, wait) }
  const bpm = beat?.bpm ?? usualBpm
  given.measured.bpm = bpm
  given.tune = {
    notes: harmonyNotes(monoOf(sound), { bpm, wait: given.backing.wait }),
    bars: Number.POSITIVE_INFINITY,
    isHeard: true,
    isWhole: true,
  }
}

/** Tempo in beats per minute that is assumed for a backing in which no beat was found. */
const usualBpm = 90

/** Returns the harmony of each bar of a backing as notes: one note for each of the twelve pitch
 *  classes. The stronger a pitch class sounds in the bar, the longer is its note. `harmonised` then
 *  finds chords for these notes. */
function harmonyNotes(sound: Float32Array, { bpm, wait }: { bpm: number; wait: number }): InputTune['notes'] {
  const bar = (4 * 60 * sampleRate) / bpm
  const count = Math.ceil((sound.length + wait * sampleRate) / bar)
  return Array.from({ length: count }, (_, index) => {
    const from = Math.max(0, Math.round(index * bar - wait * sampleRate))
    const chroma = chromaOf(sound.subarray(from, Math.round(from + bar)), sampleRate)
    return chroma.map((share, tone) => ({ beat: index * 4 + 0.3, beats: share * 8, pitch: 60 + tone }))
  }).flat()
}

interface BriefSource {
  role: 'melody' | 'vocal'
  brief(measured: MeasuredFacts): Brief
}

function follow(given: InputMaterial, mono: Float32Array, { role, brief }: BriefSource): void {
  const { notes, key } = measureTune(mono)
  if (notes.length < 3)
    throw new GatewayError('invalid_request', about(role, 'no tune can be heard in it: it needs one voice or instrument.'), { field: role })
  const { beat } = measureMusic(mono)
  const heard = beat && beat.clarity >= leastClarity ? { bpm: beat.bpm } : {}
  given.measured = { key, ...heard, ...(given.backing ? given.measured : {}) }
  const { bpm, style } = brief(given.measured)
  // When no clear tempo was measured in the recording, the melody is fitted to the tempo of the
  // brief.
  given.measured.bpm = bpm
  const length = 60 / bpm
  const first = notes[0]?.start ?? 0
  const origin = beat && heard.bpm === bpm ? beat.firstBeat + Math.floor((first - beat.firstBeat) / length + 0.05) * length : first
  const isHeard = role === 'vocal'
  given.tune = { ...tuneOnGrid(notes, { origin, length, beatsPerBar: style.beatsPerBar, grid: isHeard ? 0 : 0.25 }), isHeard }
  if (isHeard) given.vocal = { sound: mono, wait: -origin }
}

/** Adds the tune of a MIDI file. The beats are those of the file; its first bar line is chosen so
 *  that bars have the length of the style's metre. */
function followMidi(given: InputMaterial, bytes: Buffer, brief: BriefSource['brief']): void {
  const midi = midiTune(bytes)
  const tune = midi && tuneOfMidi(midi)
  if (!tune)
    throw new GatewayError('invalid_request', about('melody', 'has fewer than three notes: there is no tune in it.'), { field: 'melody' })
  given.measured = { key: tune.key, bpm: tune.bpm, ...(given.backing ? given.measured : {}) }
  const { bpm, style } = brief(given.measured)
  given.measured.bpm = bpm
  const { beatsPerBar } = style
  const before = Math.floor((tune.notes[0]?.beat ?? 0) / beatsPerBar) * beatsPerBar
  const notes = tune.notes.map(note => ({ ...note, beat: note.beat - before }))
  given.tune = { notes, bars: barsOf(notes, beatsPerBar), isHeard: false }
}

function barsOf(notes: InputTune['notes'], beatsPerBar: number): number {
  const last = notes.at(-1)
  return Math.max(1, Math.ceil(((last?.beat ?? 0) + (last?.beats ?? 0)) / beatsPerBar - 0.05))
}

/** Returns the notes of a recording in beats, moved to the nearest multiple of `grid` beats; with
 *  0, they are not moved. */
function tuneOnGrid(
  notes: readonly DetectedNote[],
  { origin, length, beatsPerBar, grid }: { origin: number; length: number; beatsPerBar: number; grid: number },
): Pick<InputTune, 'notes' | 'bars'> {
  const snap = (beat: number) => (grid === 0 ? beat : Math.round(beat / grid) * grid)
  const placed = notes.map(({ start, end, pitch }) => {
    const beat = Math.max(0, snap((start - origin) / length))
    return { beat, beats: Math.max(grid || 0.1, snap((end - origin) / length) - beat), pitch }
  })
  return { notes: placed, bars: barsOf(placed, beatsPerBar) }
}

/** Returns a function that reads mono samples of a recorded voice, which begins `shift` seconds
 *  after the beginning of the piece. */
export function vocalAt(
  { sound }: NonNullable<InputMaterial['vocal']>,
  shift: number,
): (from: number, count: number) => Promise<Float32Array> {
  const offset = Math.round(shift * sampleRate)
  return async (from, count) => Float32Array.from({ length: count }, (_, index) => sound[from + index - offset] ?? 0)
}

/** Returns the gain factor that gives a recorded backing the loudness of `backingLoudness`. */
export function backingGain({ sound }: NonNullable<InputMaterial['backing']>): number {
  const meter = createLoudnessMeter(sampleRate, 2)
  meter.add([sound.left, sound.right])
  const loudness = meter.integrated()
  return Number.isFinite(loudness) ? gainOf(backingLoudness - loudness) : 1
}

/** Loudness, in LUFS, of a backing without its singer. */
const backingLoudness = -16

export function backingAt({ sound, wait }: NonNullable<InputMaterial['backing']>, gain: number): (from: number, count: number) => Stereo {
  const offset = Math.round(wait * sampleRate)
  const part = (channel: Float32Array, from: number, count: number) =>
    Float32Array.from({ length: count }, (_, index) => (channel[from + index - offset] ?? 0) * gain)
  return (from, count) => ({ left: part(sound.left, from, count), right: part(sound.right, from, count) })
}
