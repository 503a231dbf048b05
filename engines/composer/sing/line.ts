/** Renders a line with its notes as sound. */
import type { SungLine } from '../score.ts'
import { hertzOf } from '../theory/key.ts'
import { isVoiced, isVowel } from './phones.ts'
import { revoice, type Stretch } from './revoice.ts'
import { frameRate, type Speaker, type SpokenLine, type SpokenPhone, type SpokenWord } from './speaker.ts'

interface SungSound {
  /** Second of the piece at which the sound begins, before the first note: consonants come before
   *  the beat. */
  from: number
  /** Samples, mono at `voiceRate`. */
  samples: Float32Array
}

export type Singer = 'female' | 'male'

/** Sizes of the singers' throats, relative to the speaker's. */
const throats = { female: 1, male: 1.17 } as const
/** Largest share of a note's length for its consonants. */
const mostConsonants = 0.5
/** Seconds by which the sound of a line begins before its first note. */
export const leadSeconds = 0.35
const tailSeconds = 0.25

/** Speaks the words of a line at about the tempo of the tune, because sound that is stretched less
 *  seems more human. */
export function speakLine({ syllables }: SungLine, { bpm, speaker }: { bpm: number; speaker: Speaker }): Promise<SpokenLine> {
  const { seconds } = spanOf(syllables, 60 / bpm)
  const slowness = Math.max(1, Math.min(slowest, seconds / syllables.length / usualSyllable))
  return speaker.speak(wordsOf(syllables), 1 / slowness)
}

interface SingingOptions {
  bpm: number
  singer: Singer
  /** The result of `speakLine` for a line with the same words and times. */
  spoken: SpokenLine
}

/** Sings a line with at least one syllable. */
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

/** Returns the beginning and the length of the syllables, in seconds. */
function spanOf(syllables: SungLine['syllables'], beat: number): { begin: number; seconds: number } {
  const first = syllables[0]
  const last = syllables.at(-1)
  if (!first || !last) throw new RangeError('a line without a syllable')
  const begin = first.note.beat * beat
  return { begin, seconds: (last.note.beat + last.note.beats) * beat - begin }
}

/** Usual seconds of a spoken syllable, and the largest factor by which the speech is slowed
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
  /** Start and end in frames of the line's sound. */
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

/** Returns the spoken phones of each syllable. */
function groupsOf(phones: readonly SpokenPhone[], counts: readonly number[]): Group[] {
  let at = 0
  return counts.map(count => {
    const own = phones.slice(at, at + count)
    at += count
    const nucleus = own.findIndex(({ name }) => isVowel(name))
    // A syllable without a vowel is held on its last voiced sound.
    const held = nucleus >= 0 ? nucleus : own.findLastIndex(({ name }) => isVoiced(name))
    return { onset: own.slice(0, Math.max(0, held)), vowel: own[held], coda: held >= 0 ? own.slice(held + 1) : own }
  })
}

/** Returns the time stretches of a line: each vowel begins on its note; the consonants between two
 *  vowels take their time from the end of the first vowel. */
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
    // A rest follows: the final consonants keep their own pace, and the next syllable's first
    // consonants come right before their note.
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

/** Places consonants one after another at their own pace, ending at frame `to`; they are shortened
 *  to fit into `room` frames. */
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

/** Returns the length of a consonant in frames, at most as long as singers make it, however slow
 *  the speech is. */
function consonantLength({ name, start, end }: SpokenPhone): number {
  const most = ['s', 'sh', 'f', 'th', 'z'].includes(name) ? 0.14 : ['m', 'n', 'ng', 'l', 'r', 'w', 'y', 'v'].includes(name) ? 0.09 : 0.11
  return Math.min(end - start, most * frameRate)
}

const transitionSeconds = 0.07

/** Stretches a vowel to its note. Its ends keep their own pace, because listeners recognise words
 *  by them; its middle is lengthened. */
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

/** Returns the pitch at every frame: slides into the notes, and vibrato on long ones. */
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
    // The first note of a phrase begins 0.7 semitones low.
    const start = isJoined ? before.pitch : note.pitch - 0.7
    const pitch = start + (note.pitch - start) * smooth
    const depth = Math.max(0, Math.min(1, (since - vibrato.after) / vibrato.rise)) * (vibrato.cents / 100)
    return hertzOf(pitch + depth * Math.sin(2 * Math.PI * vibrato.hertz * since))
  }
}
