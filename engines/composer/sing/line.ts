/** Renders a line of a song as sound: speaks its words, then changes pitch and durations to those
 *  of the notes. */
import type { SungLine } from '../score.ts'
import { hertzOf } from '../theory/key.ts'
import { isVoiced, isVowel } from './phones.ts'
import { revoice, type Stretch } from './revoice.ts'
import { frameRate, type Speaker, type SpokenLine, type SpokenPhone, type SpokenWord } from './speaker.ts'

interface SungSound {
  /** Time at which the sound begins, in seconds of the piece. This time is before the first note,
   *  because consonants are sung before the beat. */
  from: number
  /** Samples, mono at `voiceRate`. */
  samples: Float32Array
}

export type Singer = 'female' | 'male'

/** Size of each singer's vocal tract, relative to that of the recorded speaker. */
const throats = { female: 1, male: 1.17 } as const
/** Largest share of a note's length that its consonants may take. */
const mostConsonants = 0.5
/** Seconds by which the sound of a line begins earlier than its first note. */
export const leadSeconds = 0.35
const tailSeconds = 0.25

/** Returns the words of a line as spoken sound, at about the tempo of the tune. The less a sound is
 *  stretched afterwards, the more human it sounds. */
export function speakLine({ syllables }: SungLine, { bpm, speaker }: { bpm: number; speaker: Speaker }): Promise<SpokenLine> {
  const { seconds } = spanOf(syllables, 60 / bpm)
  const slowness = Math.max(1, Math.min(slowest, seconds / syllables.length / usualSyllable))
  return speaker.speak(wordsOf(syllables), 1 / slowness)
}

interface SingingOptions {
  bpm: number
  singer: Singer
  /** The spoken line: the result of `speakLine` for the same words and times. */
  spoken: SpokenLine
}

/** Returns a line as sung sound. The line must have at least one syllable. */
export function singLine({ syllables }: SungLine, { bpm, singer, spoken: { frames, phones } }: SingingOptions): SungSound {
  const beat = 60 / bpm
  const { begin, seconds } = spanOf(syllables, beat)
  const from = begin - leadSeconds
  const notes = syllables.map(({ note }) => ({
    start: (note.beat * beat - from) * frameRate,
    end: ((note.beat + note.beats) * beat - from) * frameRate,
    pitch: note.pitch,
    force: note.velocity / 100,
  }))
  const groups = groupsOf(
    phones,
    syllables.map(each => each.phones.length),
  )
  const stretches = stretchesOf(groups, notes)
  const length = Math.ceil((leadSeconds + seconds + tailSeconds) * frameRate)
  return { from, samples: revoice({ source: frames, stretches, hertzAt: melody(notes), length, throat: throats[singer] }) }
}

/** Returns the time at which the first syllable begins, and the length of the time from there to
 *  the end of the last syllable, both in seconds. */
function spanOf(syllables: SungLine['syllables'], beat: number): { begin: number; seconds: number } {
  const first = syllables[0]
  const last = syllables.at(-1)
  if (!first || !last) throw new RangeError('a line without a syllable')
  const begin = first.note.beat * beat
  return { begin, seconds: (last.note.beat + last.note.beats) * beat - begin }
}

/** Usual duration of a spoken syllable in seconds, and the largest factor by which speech is slowed
 *  down. */
const usualSyllable = 0.22
const slowest = 1.6

function wordsOf(syllables: SungLine['syllables']): SpokenWord[] {
  const words: { phones: string[] }[] = []
  for (const { phones, isFirst } of syllables) {
    const word = words.at(-1)
    if (word && !isFirst) word.phones.push(...phones)
    else words.push({ phones: [...phones] })
  }
  return words
}

interface TimedNote {
  /** Start and end of the note, in frames of the sound of the line. */
  start: number
  end: number
  pitch: number
  force: number
}

interface Group {
  onset: SpokenPhone[]
  vowel: SpokenPhone | undefined
  coda: SpokenPhone[]
}

/** Returns the spoken phones of each syllable, divided into the consonants before the vowel, the
 *  vowel, and the consonants after it. */
function groupsOf(phones: readonly SpokenPhone[], counts: readonly number[]): Group[] {
  let at = 0
  return counts.map(count => {
    const own = phones.slice(at, at + count)
    at += count
    const nucleus = own.findIndex(({ name }) => isVowel(name))
    // A syllable without a vowel is lengthened at its last voiced sound.
    const held = nucleus >= 0 ? nucleus : own.findLastIndex(({ name }) => isVoiced(name))
    return { onset: own.slice(0, Math.max(0, held)), vowel: own[held], coda: held >= 0 ? own.slice(held + 1) : own }
  })
}

/** Returns which part of the spoken sound fills which time of the sung line. Each vowel begins
 *  with its note. The consonants between two vowels are sung at the end of the first vowel's
 *  note; when a rest follows it, those of the next syllable are sung right before their own
 *  note. */
function stretchesOf(groups: readonly Group[], notes: readonly TimedNote[]): Stretch[] {
  const stretches: Stretch[] = []
  let free = 0
  groups.forEach((group, index) => {
    const note = notes[index]
    const next = notes[index + 1]
    if (!note) return
    const before = index === 0 ? group.onset : []
    if (before.length > 0) stretches.push(...laid(before, { to: note.start, room: note.start, ending: 1 }))
    const after = [...group.coda, ...(groups[index + 1]?.onset ?? [])]
    const isJoined = next !== undefined && next.start - note.end < 0.12 * frameRate
    const end = isJoined ? next.start : note.end
    const room = (end - note.start) * mostConsonants
    if (isJoined || next === undefined) {
      const consonants = laid(isJoined ? after : group.coda, {
        to: isJoined ? end : end + 0.04 * frameRate,
        room,
        ending: isJoined ? 1 : 0.6,
      })
      stretches.push(
        ...held(group.vowel, {
          from: Math.max(free, note.start),
          to: consonants[0]?.from ?? end,
          note,
          isEnd: next === undefined && group.coda.length === 0,
        }),
        ...consonants,
      )
      free = consonants.at(-1)?.to ?? end
      return
    }
    // Here, a rest follows the note. The consonants at the end of this syllable keep their spoken
    // length, and those of the next syllable are sung right before its note.
    const closing = laid(group.coda, { to: end, room, ending: 0.6 })
    stretches.push(
      ...held(group.vowel, { from: Math.max(free, note.start), to: closing[0]?.from ?? end, note, isEnd: group.coda.length === 0 }),
      ...closing,
    )
    const opening = laid(groups[index + 1]?.onset ?? [], { to: next.start, room: next.start - end, ending: 1 })
    stretches.push(...opening)
    free = next.start
  })
  return stretches
}

/** Places consonants one after another, so that the last one ends at frame `to`. The consonants
 *  keep their spoken length, but are shortened if they need more than `room` frames. */
function laid(phones: readonly SpokenPhone[], { to, room, ending }: { to: number; room: number; ending: number }): Stretch[] {
  const natural = phones.reduce((sum, phone) => sum + consonantLength(phone), 0)
  const pace = Math.min(1, Math.max(0, room) / Math.max(1, natural))
  let from = to - natural * pace
  return phones.map((phone, index) => {
    const length = consonantLength(phone) * pace
    const isLast = index === phones.length - 1
    const stretch: Stretch = {
      ...{ from, to: from + length, sourceFrom: phone.start, sourceTo: phone.end, isHeld: false },
      gains: [1, isLast ? ending : 1],
    }
    from += length
    return stretch
  })
}

/** Returns the length of a consonant in frames. The length is limited to what singers use,
 *  because consonants of slow speech are too long for singing. */
function consonantLength({ name, start, end }: SpokenPhone): number {
  const most = ['s', 'sh', 'f', 'th', 'z'].includes(name) ? 0.14 : ['m', 'n', 'ng', 'l', 'r', 'w', 'y', 'v'].includes(name) ? 0.09 : 0.11
  return Math.min(end - start, most * frameRate)
}

const transitionSeconds = 0.07

/** Returns a vowel stretched to the length of its note. Its beginning and end keep their spoken
 *  length, because listeners recognise words by them; only the middle is stretched. */
function held(
  phone: SpokenPhone | undefined,
  { from, to, note, isEnd }: { from: number; to: number; note: TimedNote; isEnd: boolean },
): Stretch[] {
  if (!phone || to - from < 0.1) return []
  const edge = Math.min(transitionSeconds * frameRate, (phone.end - phone.start) / 3, (to - from) / 3)
  const marks = [
    { target: from, source: phone.start },
    { target: from + edge, source: phone.start + edge },
    { target: to - edge, source: phone.end - edge },
    { target: to, source: phone.end },
  ]
  const force = 0.75 + 0.3 * note.force
  return marks.slice(1).map((mark, index) => {
    const before = marks[index] ?? mark
    const isLast = index === 2
    const gains =
      index === 0
        ? ([0.9 * force, force] as const)
        : isLast
          ? ([force * 0.95, isEnd ? 0 : force * 0.85] as const)
          : ([force, force * 0.95] as const)
    return { from: before.target, to: mark.target, sourceFrom: before.source, sourceTo: mark.source, isHeld: true, gains }
  })
}

const glideSeconds = 0.07
const vibrato = { hertz: 5.3, cents: 32, after: 0.28, rise: 0.35 }

/** Returns a function that gives the pitch in hertz at each frame. The pitch slides from note to
 *  note, and long notes have vibrato. */
function melody(notes: readonly TimedNote[]): (at: number) => number {
  let index = 0
  return at => {
    while (index + 1 < notes.length && at >= (notes[index + 1]?.start ?? 0) - 0.5 * glideSeconds * frameRate) index += 1
    while (index > 0 && at < (notes[index]?.start ?? 0) - 0.5 * glideSeconds * frameRate) index -= 1
    const note = notes[index]
    if (!note) return 220
    const since = (at - note.start) / frameRate
    const before = notes[index - 1]
    const isJoined = before !== undefined && note.start - before.end < 0.12 * frameRate
    const slide = Math.max(0, Math.min(1, since / glideSeconds + 0.5))
    const smooth = slide * slide * (3 - 2 * slide)
    // The first note of a phrase starts 0.7 semitones below its pitch and slides up to it.
    const start = isJoined ? before.pitch : note.pitch - 0.7
    const pitch = start + (note.pitch - start) * smooth
    const depth = Math.max(0, Math.min(1, (since - vibrato.after) / vibrato.rise)) * (vibrato.cents / 100)
    return hertzOf(pitch + depth * Math.sin(2 * Math.PI * vibrato.hertz * since))
  }
}
