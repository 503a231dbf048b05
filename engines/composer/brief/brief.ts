/** The brief of a piece: everything that the prompt asks for, with the seed's choices where it says
 *  nothing. */
import { normalForm } from '@generation-gateway/kit/normal-form.ts'
import type { Random } from '../random.ts'
import { styleNamed, styles } from '../styles/index.ts'
import type { Style } from '../styles/style.ts'
import { isMinor, type Key, type Mode, tonicNamed } from '../theory/key.ts'
import { type NamedInstrument, namedInstruments } from './instruments.ts'
import * as words from './words.ts'

export interface Brief {
  /** The style of the piece, with the instruments and the metre that the prompt asks for. */
  style: Style
  key: Key
  bpm: number
  voice: 'female' | 'male'
  /** Number from -0.15 to 0.12 that is added to the energy of every section (0.05 to 1: how loud
   *  and full it is). It is positive for words such as "powerful", negative for "soft". */
  force: number
  /** Instruments that the prompt names. */
  named: readonly NamedInstrument[]
  isSolo: boolean
  hasDrums: boolean
}

/** Tempo and key measured in a recording. Each is used only if the prompt does not name it. */
export interface MeasuredFacts {
  bpm?: number
  key?: Key
}

interface BriefRequest {
  prompt: string
  isSung: boolean
  random: Random
  measured?: MeasuredFacts
}

const leastBpm = 30
const mostBpm = 260

export function readPrompt({ prompt, isSung, random, measured = {} }: BriefRequest): Brief {
  const text = normalForm(prompt.toLowerCase(), 'NFKC')
  const { style, second } = stylesIn(text, isSung, random.fork('style'))
  const named = instrumentsIn(text)
  const mood = moodOf(text)
  const key = keyIn(prompt) ?? measured.key ?? chosenKey(modeIn(text), style, mood, random.fork('key'))
  const beatsPerBar = words.hasAny(['3/4', 'waltz time', 'three-four'], text) ? 3 : style.beatsPerBar
  return {
    style: {
      ...style,
      beatsPerBar,
      ...(second ? { lead: { ...style.lead, instruments: second.lead.instruments }, colour: second.colour } : {}),
    },
    key,
    bpm: bpmIn(text) ?? measured.bpm ?? chosenTempo(text, style, random.fork('tempo')),
    voice: voiceIn(text, random.fork('voice')),
    force: (words.hasAny(words.strongWords, text) ? 0.12 : 0) - (words.hasAny(words.softWords, text) ? 0.15 : 0),
    named: named.filter(({ role }) => role !== 'drums'),
    isSolo: named.some(({ role }) => role !== 'drums') && words.hasAny(words.soloWords, text),
    hasDrums: !words.hasAny(words.noDrumsWords, text),
  }
}

/** Returns the style that the prompt names last (`rock` in `folk rock`). If the prompt names a
 *  second style, that one is returned as `second`; the piece then takes some details from it. If
 *  the prompt names one of a few unmistakable styles, such as chiptune or waltz, this style is
 *  returned as `style`, even if it is not the last one. If the prompt names no style, other
 *  words in the prompt decide, or else the seed. */
function stylesIn(text: string, isSung: boolean, random: Random): { style: Style; second?: Style } {
  const places = styles
    .map(style => ({ style, at: Math.max(...style.words.map(word => lastPlaceOf(word, text))) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => other.at - one.at)
  const special = places.find(({ style }) => ['lo-fi', 'chiptune', 'metal', 'waltz', 'bossa', 'reggae'].includes(style.id))
  const first = special ?? places[0]
  if (first) {
    const second = places.find(({ style }) => style !== first.style)?.style
    return { style: first.style, ...(second ? { second } : {}) }
  }
  const hint = words.hintsOfStyles.find(([, hints]) => words.hasAny(hints, text))?.[0]
  if (hint !== undefined) return { style: styleNamed(hint) }
  if (words.hasAny(['violin', 'cello', 'harp', 'oboe', '小提琴', '大提琴'], text)) return { style: styleNamed('classical') }
  if (words.hasAny(['guzheng', 'erhu', 'koto', 'pipa', '古筝', '二胡', '琵琶'], text)) return { style: styleNamed('chinese') }
  return { style: styleNamed(isSung ? 'pop' : random.pick(['pop', 'cinematic', 'house', 'lo-fi', 'rock', 'soul'])) }
}

function lastPlaceOf(word: string, text: string): number {
  let at = -1
  for (let from = 0; ; ) {
    const next = words.placeOf(word, text.slice(from))
    if (next < 0) return at
    at = from + next
    from = at + word.length
  }
}

function instrumentsIn(text: string): NamedInstrument[] {
  let left = text
  const found: { at: number; instrument: NamedInstrument }[] = []
  for (const instrument of namedInstruments) {
    for (const word of instrument.words) {
      const at = words.placeOf(word, left)
      if (at < 0) continue
      // The name that was found is replaced by spaces, so that shorter names inside it (`piano` in
      // `electric piano`) are not found, too.
      left = left.slice(0, at) + ' '.repeat(word.length) + left.slice(at + word.length)
      if (!found.some(each => each.instrument === instrument)) found.push({ at, instrument })
    }
  }
  return found.sort((one, other) => one.at - other.at).map(({ instrument }) => instrument)
}

function moodOf(text: string): 'sad' | 'happy' | 'open' {
  const isSad = words.hasAny(words.sadWords, text)
  const isHappy = words.hasAny(words.happyWords, text)
  return isSad === isHappy ? 'open' : isSad ? 'sad' : 'happy'
}

function keyIn(prompt: string): Key | undefined {
  const note = String.raw`([A-Ga-g])\s?(#|♯|b|♭|[ \-]?sharp|[ \-]?flat)?`
  const modes = '(major|minor|maj|min|dorian|mixolydian|phrygian|lydian|大调|小调|长调|短调)'
  const whole = new RegExp(String.raw`(?<![\p{L}])${note}\s*-?${modes}(?![\p{L}--[\p{Script=Han}]])`, 'iv').exec(prompt)
  const plain = whole ?? /\b(?:in|key of|key:)\s+([A-G])(#|♯|b|♭)?(?![\p{L}])()/u.exec(prompt)
  const tonic = plain ? tonicNamed(`${plain[1]}${(plain[2] ?? '').replace(/[- ]/g, '').toLowerCase()}`) : undefined
  if (!plain || tonic === undefined) return undefined
  // "A" is often the English article and not the name of a key.
  if (!whole && plain[1] === 'A' && !/key/i.test(plain[0])) return undefined
  if (whole && plain[1] === 'a' && /^\s+\p{L}/u.test(prompt.slice(whole.index + whole[0].length))) return undefined
  return { tonic, mode: modeNamed(plain[3] ?? '') }
}

function modeNamed(word: string): Mode {
  const lower = word.toLowerCase()
  if (/^min|小调|短调/.test(lower)) return 'minor'
  const modes: readonly Mode[] = ['dorian', 'mixolydian', 'phrygian', 'lydian']
  return modes.find(mode => mode === lower) ?? 'major'
}

function modeIn(text: string): Mode | undefined {
  const modes: readonly Mode[] = ['dorian', 'mixolydian', 'phrygian', 'lydian', 'harmonic minor', 'pentatonic']
  return modes.find(mode => words.placeOf(mode, text) >= 0)
}

function chosenKey(mode: Mode | undefined, style: Style, mood: ReturnType<typeof moodOf>, random: Random): Key {
  const tonic = random.weighted([0, 2, 4, 5, 7, 9, 10, 3, 11].map((each, index) => [each, 9 - index] as const))
  if (mode) return { tonic, mode }
  // `Object.entries` returns the keys as strings. The keys of `style.modes` are modes.
  const modes = Object.entries(style.modes) as [Mode, number][]
  const wanted = modes.filter(([each]) => mood === 'open' || isMinor(each) === (mood === 'sad'))
  if (wanted.length > 0) return { tonic, mode: random.weighted(wanted) }
  return { tonic, mode: mood === 'sad' ? 'minor' : 'major' }
}

function bpmIn(text: string): number | undefined {
  const found = /(\d{2,3})\s*-?\s*(?:bpm|beats per minute|拍)/.exec(text) ?? /(?:bpm|tempo)\s*[:=]?\s*(?:of\s*)?(\d{2,3})/.exec(text)
  const bpm = Number(found?.[1])
  return bpm >= leastBpm && bpm <= mostBpm ? bpm : undefined
}

function chosenTempo(text: string, { tempo: [low, high] }: Style, random: Random): number {
  const slow = words.hasAny(words.slowWords, text)
  const fast = words.hasAny(words.fastWords, text)
  if (slow && !fast) return Math.round(low * random.between(0.82, 0.95))
  if (fast && !slow) return Math.round(high * random.between(1, 1.1))
  return Math.round(random.between(low, high))
}

function voiceIn(text: string, random: Random): Brief['voice'] {
  const isFemale = words.hasAny(words.femaleWords, text)
  if (isFemale !== words.hasAny(words.maleWords, text)) return isFemale ? 'female' : 'male'
  return random.chance(0.6) ? 'female' : 'male'
}
