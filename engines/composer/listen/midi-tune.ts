/** Finds the tune of a MIDI file. The tune is taken from the part that has the highest note most of
 *  the time, and reduced to one note at a time. */
import type { MidiKey, MidiTune } from '@generation-gateway/kit/media/midi-header.ts'
import type { InputTune } from '../arrange/input-tune.ts'
import type { Key } from '../theory/key.ts'
import { keyOf } from './key.ts'

interface MidiTuneFacts {
  notes: InputTune['notes']
  bpm: number
  key: Key
}

type Note = InputTune['notes'][number]

const drumChannel = 9
/** Notes whose starts differ by at most this many beats form one chord. */
const together = 1 / 16
/** Shortest note of a tune, in beats. */
const leastBeats = 1 / 16
/** Range of tempos, in beats per minute, in which people feel a beat. */
const countable = [45, 220] as const

/** Returns the tune; undefined when it has fewer than three notes. A tempo outside `countable` is
 *  halved or doubled until it is inside, for example from 400 to 200 beats per minute. The times of
 *  the notes, which are in beats, are multiplied by the same factor. */
export function tuneOfMidi({ keys, bpm: written }: MidiTune): MidiTuneFacts | undefined {
  const parts = [...partsOf(keys).values()].filter(notes => notes.length > 0)
  const notes = oneAtATime(topPart(parts))
  if (notes.length < 3) return undefined
  let bpm = written
  let scale = 1
  for (; bpm > countable[1]; bpm /= 2) scale /= 2
  for (; bpm < countable[0]; bpm *= 2) scale *= 2
  return {
    notes: notes.map(({ beat, beats, pitch }) => ({ beat: beat * scale, beats: beats * scale, pitch })),
    bpm,
    key: keyOfNotes(parts.flat(), notes.at(-1)),
  }
}

function partsOf(keys: readonly MidiKey[]): Map<number, Note[]> {
  const parts = new Map<number, Note[]>()
  const down = new Map<number, MidiKey>()
  for (const key of keys) {
    if (key.channel === drumChannel) continue
    const place = key.part * 128 + key.pitch
    const before = down.get(place)
    if (before && key.beat - before.beat >= leastBeats) {
      const notes = parts.get(key.part) ?? []
      parts.set(key.part, notes)
      notes.push({ beat: before.beat, beats: key.beat - before.beat, pitch: key.pitch })
    }
    if (key.isDown) down.set(place, key)
    else down.delete(place)
  }
  for (const notes of parts.values()) notes.sort((one, other) => one.beat - other.beat || other.pitch - one.pitch)
  return parts
}

/** Returns the part that has the highest note for most of the time. */
function topPart(parts: readonly (readonly Note[])[]): readonly Note[] {
  const end = parts.flat().reduce((most, { beat, beats }) => Math.max(most, beat + beats), 0)
  const slots = 1000
  const highest = new Float64Array(slots)
  const owner = new Int32Array(slots).fill(-1)
  parts.forEach((notes, index) => {
    for (const { beat, beats, pitch } of notes) {
      const to = ((beat + beats) * slots) / end
      for (let slot = Math.floor((beat * slots) / end); slot < to; slot++) {
        if (owner[slot] !== -1 && highest[slot]! >= pitch) continue
        highest[slot] = pitch
        owner[slot] = index
      }
    }
  })
  const times = parts.map(() => 0)
  for (const index of owner) if (index >= 0) times[index]! += 1
  const best = times.reduce((at, time, index) => (time > times[at]! ? index : at), 0)
  return parts[best] ?? []
}

/** Returns a melody in which only one note sounds at a time. From a chord, only the highest note is
 *  kept. When a note begins while another one sounds, a lower new note is left out, and a higher
 *  new note ends the note that sounds. */
function oneAtATime(notes: readonly Note[]): Note[] {
  const tune: Note[] = []
  for (const note of notes) {
    const before = tune.at(-1)
    const goesOn = before !== undefined && note.beat < before.beat + before.beats - together
    if (before && note.beat - before.beat < together) continue
    if (goesOn && note.pitch < before.pitch) continue
    if (before && note.beat < before.beat + before.beats) tune[tune.length - 1] = { ...before, beats: note.beat - before.beat }
    tune.push(note)
  }
  return tune
}

function keyOfNotes(notes: readonly Note[], last: Note | undefined): Key {
  const weights = new Array<number>(12).fill(0)
  for (const { beats, pitch } of notes) weights[pitch % 12]! += beats
  // A tune usually ends on the tonic of its key, so its last note counts more.
  if (last) weights[last.pitch % 12]! += 1
  return keyOf(weights)
}
