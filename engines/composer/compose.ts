/** Composes a score from a prompt and lyrics. The same request with the same seed always gives the
 *  same score. */

import { bassNotes } from './arrange/bass.ts'
import { drumNotes } from './arrange/drums.ts'
import { type Ensemble, ensembleOf } from './arrange/ensemble.ts'
import { harmonyOf } from './arrange/harmony.ts'
import { harmonised, type InputTune, placesOf, tuneIn } from './arrange/input-tune.ts'
import { layerNotes } from './arrange/layers.ts'
import { phraseSlots } from './arrange/rhythm.ts'
import { swung } from './arrange/steps.ts'
import { type TuneSlot, tuneOf } from './arrange/tune.ts'
import { barsFor, lineRhythm, type WordSyllable } from './arrange/words-rhythm.ts'
import { type Brief, type MeasuredFacts, readPrompt } from './brief/brief.ts'
import { type FormLine, type FormSection, instrumentalForm, sectionOf, sungForm } from './form/form.ts'
import type { LyricSection } from './form/lyrics.ts'
import { phrasesOf } from './form/phrases.ts'
import { type Random, randomOf } from './random.ts'
import type { Note, Score, Section, Track } from './score.ts'
import type { Style } from './styles/style.ts'

export interface ComposeRequest {
  prompt: string
  seed: string
  /** Length of the whole piece in seconds. When absent, the lyrics or a usual length decide. */
  seconds?: number
  lyrics?: readonly LyricSection[]
  /** Returns the syllables of a phrase; called with the phrases that `phrasesOf` returns. */
  syllablesOf?: (line: string) => readonly WordSyllable[]
  measured?: MeasuredFacts
  /** The tune from the request's recording or MIDI file. The lead instrument plays it, the lyrics
   *  are sung to it, or a recorded singer sings it. For a recorded backing, this tune is the
   *  harmony of the backing. */
  tune?: InputTune
  /** Length of a recorded backing in seconds. Set when the request provides a backing; the only
   *  instrument that plays over the backing is then the lead instrument. */
  backingSeconds?: number
}

interface Composition {
  score: Score
  brief: Brief
  /** Lines of the lyrics for which the requested length leaves no time. */
  leftOut: string[]
}

const usualSeconds = 90
/** Longest length of a song in seconds. It applies when the request names no length, so that the
 *  lyrics decide it. */
const mostSeconds = 600
/** Factor for the number of syllables per second that the style names: the synthesised voice must
 *  sing a little slower than people do to be understood. */
const unhurried = 0.9
/** Lowest and highest MIDI pitch of the voices. */
const voiceRegisters = { female: [52, 65], male: [45, 58] } as const

export function compose(ask: ComposeRequest): Composition {
  const random = randomOf(ask.seed)
  const { lyrics = [], measured } = ask
  const isSung = lyrics.some(({ lines }) => lines.length > 0)
  const brief = readPrompt({ prompt: ask.prompt, isSung, random: random.fork('brief'), ...(measured ? { measured } : {}) })
  const { style, key } = brief
  const harmony = harmonyOf({ style, key, random: random.fork('harmony') })
  const { form, leftOut, bpm, tail } = formOf(ask, brief, { isSung, verseBars: harmony.verseBars })
  const ensemble = ensembleOf(brief, random.fork('ensemble'))
  let start = 0
  const sections: Section[] = form.map((section, index) => {
    const chords = harmony.chordsOf(section, start, index === form.length - 1)
    const placed: Section = { ...section, energy: clamp(section.energy + (style.energy ?? 0)), start, chords, lines: [] }
    start += section.bars * style.beatsPerBar
    return placed
  })
  const places = ask.tune ? placesOf(sections, ask.tune, style.beatsPerBar) : []
  if (ask.tune) harmonise(sections, { tune: ask.tune, places, brief })
  const parts: Parts = {
    ask,
    places,
    sections,
    form,
    brief,
    ensemble,
    bpm,
    random: random.fork('players'),
    seed: ask.seed,
    syllablesOf: ask.syllablesOf ?? (() => []),
  }
  singLines(parts)
  const tracks = tracksOf(parts)
  const seconds = ask.backingSeconds ?? (ask.tune?.isHeard ? undefined : ask.seconds) ?? (start * 60) / bpm + tail
  const title = titleOf(ask, brief, random.fork('title'))
  const score = { title, style: style.title, key, bpm, beatsPerBar: style.beatsPerBar, sections, tracks, seconds, beats: start }
  return { score: loosened(score, style, random.fork('hands')), brief, leftOut }
}

/** Replaces the chords of each section in which the tune of the request sounds by chords that fit
 *  it. */
function harmonise(
  sections: readonly Section[],
  { tune, places, brief }: { tune: InputTune; places: readonly (number | undefined)[]; brief: Brief },
): void {
  const { beatsPerBar, colour } = brief.style
  sections.forEach((section, index) => {
    const place = places[index]
    if (place === undefined) return
    const notes = tuneIn(tune, section, { place, beatsPerBar, register: [48, 72] })
    if (notes.length > 0) section.chords = harmonised(notes, section, { key: brief.key, colour, beatsPerBar })
  })
}

interface PlannedForm {
  form: FormSection[]
  leftOut: string[]
  bpm: number
  /** Seconds at the end in which the last sound fades away. */
  tail: number
}

function formOf(
  ask: ComposeRequest,
  { style, bpm, force }: Brief,
  { isSung, verseBars }: { isSung: boolean; verseBars: number },
): PlannedForm {
  const barSeconds = (style.beatsPerBar * 60) / bpm
  const unit = verseBars === 12 ? 12 : ([4, 8, 16].find(bars => bars * barSeconds > 12) ?? 16)
  if (ask.tune?.isHeard && ask.backingSeconds === undefined) {
    return { form: formAround(ask.tune.bars, { force, barSeconds }), leftOut: [], bpm, tail: 3 }
  }
  const requested = ask.backingSeconds ?? ask.seconds
  const tail = requested === undefined ? 3 : Math.min(3, requested * 0.12)
  const wanted = requested ?? (isSung ? undefined : usualSeconds)
  const isFixed = /\d\s*-?\s*bpm/i.test(ask.prompt) || ask.measured?.bpm !== undefined
  const nearest = Math.max(1, Math.round(((wanted ?? 0) - tail) / barSeconds))
  // The tempo is changed slightly, so that a whole number of bars fills the requested time.
  const filled = (nearest * style.beatsPerBar * 60) / ((wanted ?? 0) - tail)
  const canFill = requested !== undefined && !isFixed && Math.abs(filled / bpm - 1) < (nearest < 7 ? 0.16 : 0.04)
  const tempo = canFill ? filled : bpm
  const bars = wanted === undefined ? undefined : canFill ? nearest : Math.max(1, Math.floor((wanted - tail / 2) / barSeconds))
  const { lyrics = [], syllablesOf = () => [] } = ask
  if (!isSung) {
    return { form: instrumentalForm({ bars: bars ?? 32, unit, force }), leftOut: [], bpm: tempo, tail }
  }
  const pace = { bpm, beatsPerBar: style.beatsPerBar, syllablesPerSecond: style.syllablesPerSecond * unhurried }
  const sections = lyrics.map(section => ({
    ...section,
    lines: section.lines.flatMap(line =>
      phrasesOf(line).map((text, index): FormLine => {
        return { text, bars: barsFor(syllablesOf(text).length, pace), ...(index > 0 ? { goesOn: true } : {}) }
      }),
    ),
  }))
  const mostBars = Math.floor((mostSeconds - tail) / barSeconds)
  const { sections: form, leftOut } = sungForm({ sections, ...(bars === undefined ? {} : { bars }), mostBars, unit, force })
  return { form, leftOut, bpm: tempo, tail }
}

/** Returns the sections of the accompaniment for a recorded singer: verses and choruses of eight
 *  bars, with an opening and an ending. */
function formAround(bars: number, { force, barSeconds }: { force: number; barSeconds: number }): FormSection[] {
  const kinds = ['verse', 'chorus'] as const
  const count = Math.max(1, Math.round(bars / 8))
  const middle = Array.from({ length: count }, (_, index) =>
    sectionOf(kinds[index % 2] ?? 'verse', { bars: index === count - 1 ? bars - 8 * (count - 1) : 8, force }),
  )
  const edge = barSeconds > 2.5 ? 1 : 2
  return [sectionOf('intro', { bars: edge, force }), ...middle, sectionOf('outro', { bars: edge, force })]
}

interface Parts {
  ask: ComposeRequest
  /** For each section, the beat of the request's tune at which the section begins; undefined where
   *  the tune is silent. */
  places: readonly (number | undefined)[]
  sections: Section[]
  form: readonly FormSection[]
  brief: Brief
  ensemble: Ensemble
  bpm: number
  random: Random
  seed: string
  syllablesOf(line: string): readonly WordSyllable[]
}

function tracksOf(parts: Parts): Track[] {
  const { sections, brief, ensemble, bpm, random } = parts
  const { beatsPerBar } = brief.style
  const { drums, bass, layers, lead: leader } = ensemble
  const common = { sections, beatsPerBar }
  const lead: Track = {
    ...{ name: 'lead', bus: 'lead', instrument: leader.instrument, isDrums: false, gain: leader.gain, pan: 0.08 },
    notes: leadNotes(parts),
  }
  const tracks: Track[] = []
  if (parts.ask.backingSeconds !== undefined) return lead.notes.length > 0 ? [lead] : []
  if (drums)
    tracks.push({
      ...{ name: 'drums', bus: 'drums', instrument: drums.instrument, isDrums: true, gain: drums.gain, pan: 0 },
      notes: drumNotes({ drums, ...common, random: random.fork('drums') }),
    })
  if (bass)
    tracks.push({
      ...{ name: 'bass', bus: 'bass', instrument: bass.instrument, isDrums: false, gain: bass.gain, pan: 0 },
      notes: bassNotes({ bass, ...common, key: brief.key, random: random.fork('bass') }),
    })
  for (const layer of layers)
    tracks.push({
      ...{ name: layer.name, bus: 'music', instrument: layer.instrument, isDrums: false, gain: layer.gain, pan: layer.pan },
      notes: layerNotes({ layer, ...common, bpm, random: random.fork(layer.name) }),
    })
  tracks.push(lead)
  return tracks.filter(({ notes }) => notes.length > 0)
}

/** Returns the notes of the lead instrument. In a song, it plays only in sections without singing.
 *  In an instrumental piece, it rests in breaks, and usually in the opening and the ending if other
 *  instruments play there. */
function leadNotes({ ask, places, sections, form, brief, ensemble: { lead, layers }, random, seed }: Parts): Note[] {
  const isSung = form.some(({ lines }) => lines.length > 0)
  const hands = random.fork('lead')
  const { tune } = ask
  return sections.flatMap((section, index) => {
    const place = places[index]
    // A recorded singer sings the tune, so no instrument plays it, not even in the opening and the
    // ending.
    if (tune?.isHeard && !tune.isWhole) return []
    if (tune && !tune.isHeard && place !== undefined && form[index]?.lines.length === 0) {
      const { beatsPerBar } = brief.style
      const velocity = Math.round(80 + 20 * section.energy)
      return tuneIn(tune, section, { place, beatsPerBar, register: lead.register }).map(note => ({ ...note, velocity }))
    }
    const isPlayed = isSung
      ? form[index]?.lines.length === 0 && (section.kind !== 'intro' || hands.chance(0.5))
      : section.kind !== 'break' &&
        (section.kind !== 'intro' || layers.length === 0 || section.bars >= 8) &&
        (section.kind !== 'outro' || layers.length === 0)
    if (!isPlayed) return []
    const slots = phraseSlots({ section, lead, beatsPerBar: brief.style.beatsPerBar, seed: `${seed}/tune` })
    const pitches = tuneOf({
      slots,
      chords: section.chords,
      key: brief.key,
      register: lead.register,
      height: section.energy,
      widest: 9,
      seed: `${seed}/tune`,
    })
    return slots.map(({ beat, beats, weight }, at): Note => {
      const velocity = Math.round(74 + 20 * section.energy + 10 * weight + 5 * hands.wobble())
      return { beat, beats, pitch: pitches[at] ?? 60, velocity: Math.min(122, velocity) }
    })
  })
}

/** Writes the sung notes of each section: a rhythm and pitches for the syllables of its lines. In
 *  sections of the same kind, lines with equally many syllables get similar tunes. */
function singLines({ ask, places, sections, form, brief, bpm, seed, syllablesOf }: Parts): void {
  const { style, key, voice } = brief
  sections.forEach((section, index) => {
    const slots: TuneSlot[] = []
    const words: { line: FormLine; syllables: readonly WordSyllable[]; from: number }[] = []
    let start = section.start
    const lines = form[index]?.lines ?? []
    lines.forEach((line, number) => {
      const { text, bars } = line
      const syllables = syllablesOf(text)
      const name = `${section.kind}/${['a', 'b', 'a', 'c'][number % 4]}`
      const rhythm = lineRhythm({
        syllables,
        bars,
        beatsPerBar: style.beatsPerBar,
        bpm,
        syncopation: style.lead.syncopation,
        seed: `${seed}/${name}/${syllables.length}`,
      })
      words.push({ line, syllables, from: slots.length })
      rhythm.forEach(({ beat, beats, weight }, at) => {
        const isLast = number === lines.length - 1 && at === rhythm.length - 1
        slots.push({ beat: start + beat, beats, weight, phrase: name, index: at, count: rhythm.length, isLast })
      })
      start += bars * style.beatsPerBar
    })
    if (slots.length === 0) return
    const register = voiceRegisters[voice]
    const place = places[index]
    const given =
      ask.tune && !ask.tune.isHeard && place !== undefined
        ? tuneIn(ask.tune, section, { place, beatsPerBar: style.beatsPerBar, register })
        : []
    // If the request provides a melody, each syllable is sung at the pitch that the melody has when
    // the syllable begins.
    const pitches =
      given.length > 0
        ? slots.map(({ beat }) => (given.findLast(note => note.beat <= beat + 0.13) ?? given[0])?.pitch ?? register[0])
        : tuneOf({ slots, chords: section.chords, key, register, height: section.energy, widest: 7, seed: `${seed}/song` })
    section.lines = words.map(({ line: { text, goesOn }, syllables, from }) => ({
      text,
      ...(goesOn ? { goesOn } : {}),
      syllables: syllables.map(({ phones, isFirst }, at) => {
        const slot = slots[from + at]
        const note = {
          beat: slot?.beat ?? 0,
          beats: slot?.beats ?? 1,
          pitch: pitches[from + at] ?? 60,
          velocity: Math.round(80 + 25 * (slot?.weight ?? 0)),
        }
        return { phones, isFirst, note }
      }),
    }))
  })
}

/** Returns the score with swing, and with small random deviations in time and loudness, as human
 *  players have them. */
function loosened(score: Score, style: Style, random: Random): Score {
  const late = (style.looseness * score.bpm) / 60
  const moved = (note: Note, spread: number): Note => {
    const start = swung(note.beat, style.swing)
    const end = swung(note.beat + note.beats, style.swing)
    return { ...note, beat: Math.max(0, start + spread * random.wobble()), beats: Math.max(0.03, end - start) }
  }
  const tracks = score.tracks.map(track => ({
    ...track,
    notes: track.notes
      .map(note => moved(note, late * (track.isDrums ? 0.5 : 1)))
      .sort((one, other) => one.beat - other.beat || one.pitch - other.pitch),
  }))
  const sections = score.sections.map(section => ({
    ...section,
    lines: section.lines.map(line => ({ ...line, syllables: line.syllables.map(each => ({ ...each, note: moved(each.note, 0) })) })),
  }))
  return { ...score, tracks, sections }
}

function titleOf({ lyrics = [], prompt }: ComposeRequest, { style }: Brief, random: Random): string {
  const chorus = lyrics.find(({ kind, lines }) => kind === 'chorus' && lines.length > 0) ?? lyrics.find(({ lines }) => lines.length > 0)
  const said = prompt.split(/[.,;，。；\n]/)[0] ?? ''
  return shortened(chorus?.lines[0] ?? '') || shortened(said) || `${style.title} No. ${1 + random.index(99)}`
}

/** Characters that a reader cannot see or that change how other text is displayed: control
 *  characters, marks of the writing direction, and unpaired surrogates. */
const unseen = /[\p{Cc}\p{Cs}\p{Cn}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu

/** Returns the title, shortened. Empty when the text has no visible characters. */
function shortened(text: string): string {
  const plain = text
    .replace(unseen, ' ')
    .replace(/[()[\]"“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const words = plain.split(' ')
  const short = words.length > 6 ? words.slice(0, 6).join(' ') : plain
  const fitted = [...short]
    .slice(0, 40)
    .join('')
    .trimEnd()
    .replace(/[,.;:!?，。！？-]{1,40}$/u, '')
    .trimEnd()
  return fitted.charAt(0).toUpperCase() + fitted.slice(1)
}

function clamp(value: number): number {
  return Math.max(0.05, Math.min(1, value))
}
