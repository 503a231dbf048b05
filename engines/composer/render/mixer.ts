/** Mixes the tracks and the voice to two channels. Sets levels, lowers the instruments for the
 *  voice, and adds saturation, reverb, echo and the effects of the style. */
import { fastSin, fastTanh } from '@generation-gateway/kit/audio/fast-math.ts'
import { randomOf } from '../random.ts'
import type { Score } from '../score.ts'
import type { Mix } from '../styles/style.ts'
import { createCarving, createPresence, createSend } from './ducking.ts'
import { gainOf, type Stereo, sampleRate, stereo } from './rate.ts'
import { createEcho, createRoom } from './room.ts'

interface MixRequest {
  score: Score
  mix: Mix
  /** Decibels added to each track, in the score's order. */
  levels: readonly number[]
  /** Decibels added to the voice. */
  voiceLevel: number
  /** Decibels by which the treble is raised. */
  tilt?: number
}

interface MixPart {
  tracks: readonly Stereo[]
  /** Mono samples of the voice, as many as each track has. */
  voice?: Float32Array | undefined
  /** Sound that is added without changes: a recorded backing. */
  given?: Stereo | undefined
  /** Number of samples of the piece before this part. */
  from: number
}

/** Share of each bus that is sent to the reverb. The value is multiplied by the share that the
 *  style names (`reverb`). */
const sends = { drums: 0.45, bass: 0.06, music: 1, lead: 1.1, voice: 0.4 } as const
/** How much softer each bus gets while the voice sings. `carved` is the share that is removed from
 *  the frequency band of the words, `lowered` the share that is removed from all frequencies. */
const carved = { drums: 0.5, music: 0.78, lead: 0.8 } as const
const lowered = { drums: 0.16, bass: 0.15, music: 0.4, lead: 0.45 } as const

export function createMixer({ score, mix, levels, voiceLevel, tilt = 0 }: MixRequest): (part: MixPart) => Stereo {
  const room = createRoom(mix.room)
  const beat = 60 / score.bpm
  const echo = mix.echo ? createEcho(mix.echo.beats * beat, 0.42) : undefined
  const ducked = mix.pump ? ducker(score, mix.pump) : undefined
  const colour = colouring(mix, tilt)
  const gains = levels.map(gainOf)
  const voiceGain = gainOf(voiceLevel)
  const double = doubler()
  const presenceOf = createPresence()
  const toRoom = createSend()
  const carve = { drums: createCarving(carved.drums), music: createCarving(carved.music), lead: createCarving(carved.lead) }
  return ({ tracks, voice, given, from }) => {
    const count = tracks[0]?.left.length ?? voice?.length ?? given?.left.length ?? 0
    const buses = { drums: stereo(count), bass: stereo(count), music: stereo(count), lead: stereo(count) }
    score.tracks.forEach((track, index) => {
      const sound = tracks[index]
      if (sound && isHeard(sound)) addTo(buses[track.bus], sound, gains[index] ?? 1)
    })
    if (mix.drive) drive(buses.music, mix.drive)
    const sent = new Float32Array(count)
    const out = stereo(count)
    const duck = ducked?.(from, count)
    const presence = voice && presenceOf(voice)
    const echoed = new Float32Array(count)
    for (const name of ['bass', 'music', 'lead', 'drums'] as const) {
      const bus = buses[name]
      if (presence && name !== 'bass') carve[name](bus, presence)
      if (presence) lower(bus, presence, lowered[name])
      if (duck && name !== 'drums') scale(bus, duck)
      if (name === 'lead') send(echoed, bus, 1)
      addWithSend(bus, { out, sent, amount: mix.reverb * sends[name] })
    }
    if (voice) double(voice, out, voiceGain)
    if (voice && presence) {
      const late = toRoom(voice, presence)
      addVoice(voice, { gain: voiceGain, out, late, sent, echoed, reverb: mix.reverb * sends.voice })
    }
    echo?.(echoed, out, mix.echo?.amount ?? 0)
    room.add(sent, out)
    colour(out, from)
    if (given) addTo(out, given, 1)
    return out
  }
}

interface VoiceSends {
  gain: number
  out: Stereo
  /** The part of the voice that is sent to the reverb; see `createSend`. */
  late: Float32Array
  sent: Float32Array
  echoed: Float32Array
  reverb: number
}

function addVoice(voice: Float32Array, { gain, out, late, sent, echoed, reverb }: VoiceSends): void {
  for (let index = 0; index < voice.length; index++) {
    const value = voice[index]! * gain
    out.left[index]! += value
    out.right[index]! += value
    const held = late[index]! * gain
    sent[index]! += held * reverb
    echoed[index]! += held * 0.3
  }
}

/** Lowers the amplitude of a sound, in place, while the voice sings: by the share `part` when
 *  `presence` is 1. */
function lower({ left, right }: Stereo, presence: Float32Array, part: number): void {
  for (let index = 0; index < presence.length; index++) {
    const gain = 1 - part * presence[index]!
    left[index]! *= gain
    right[index]! *= gain
  }
}

/** Returns a function that adds the voice twice more, on the left and on the right. The copies are
 *  slightly late, and their delay varies, so the voice sounds wider, as if it had been recorded
 *  twice. */
function doubler(): (voice: Float32Array, out: Stereo, gain: number) => void {
  const kept = new Float32Array(4096)
  let at = 0
  const late = (place: number) => {
    const whole = Math.floor(place)
    const here = kept[(whole + 4096) & 4095]!
    return here + (place - whole) * (kept[(whole + 4097) & 4095]! - here)
  }
  const wave = (hertz: number) => fastSin((2 * Math.PI * hertz * at) / sampleRate)
  return (voice, out, gain) => {
    const side = gain * 0.13
    for (let index = 0; index < voice.length; index++) {
      kept[at & 4095] = voice[index]!
      out.left[index]! += side * late(at - (17 + 1.6 * wave(0.31)) * (sampleRate / 1000))
      out.right[index]! += side * late(at - (24 + 1.6 * wave(0.43)) * (sampleRate / 1000))
      at += 1
    }
  }
}

/** True when any sample differs from 0. At any time, about half of the tracks are silent and can be
 *  skipped. */
function isHeard({ left, right }: Stereo): boolean {
  for (let index = 0; index < left.length; index++) if (left[index] !== 0 || right[index] !== 0) return true
  return false
}

function addTo(out: Stereo, sound: Stereo, gain: number): void {
  addOne(out.left, sound.left, gain)
  addOne(out.right, sound.right, gain)
}

function addOne(out: Float32Array, sound: Float32Array, gain: number): void {
  for (let index = 0; index < sound.length; index++) out[index]! += sound[index]! * gain
}

/** Adds a sound to the output `out`, and the share `amount` of the sound, as mono, to the input of
 *  the reverb (`sent`). */
function addWithSend({ left, right }: Stereo, { out, sent, amount }: { out: Stereo; sent: Float32Array; amount: number }): void {
  const { left: outLeft, right: outRight } = out
  const half = amount / 2
  for (let index = 0; index < sent.length; index++) {
    const l = left[index]!
    const r = right[index]!
    outLeft[index]! += l
    outRight[index]! += r
    sent[index]! += (l + r) * half
  }
}

function send(sent: Float32Array, { left, right }: Stereo, amount: number): void {
  const half = amount / 2
  for (let index = 0; index < sent.length; index++) sent[index]! += (left[index]! + right[index]!) * half
}

function scale({ left, right }: Stereo, gains: Float32Array): void {
  for (let index = 0; index < gains.length; index++) {
    left[index]! *= gains[index]!
    right[index]! *= gains[index]!
  }
}

/** Applies soft saturation to a sound, in place. Loud sounds are compressed; soft ones hardly
 *  change. */
function drive({ left, right }: Stereo, amount: number): void {
  const push = 1 + 3 * amount
  const back = 1 / (push * (1 - 0.2 * amount))
  for (let index = 0; index < left.length; index++) {
    left[index] = fastTanh(left[index]! * push) * back
    right[index] = fastTanh(right[index]! * push) * back
  }
}

/** Returns a function that computes a gain (0 to 1) for each sample. The gain drops at each stroke
 *  of the kick drum and returns to 1 within a beat. */
function ducker(score: Score, depth: number): (from: number, count: number) => Float32Array {
  const perBeat = (60 * sampleRate) / score.bpm
  const kicks = score.tracks
    .filter(({ isDrums }) => isDrums)
    .flatMap(({ notes }) => notes.filter(({ pitch }) => pitch === 36).map(({ beat }) => Math.round(beat * perBeat)))
  const back = perBeat * 0.55
  let next = 0
  let last = Number.NEGATIVE_INFINITY
  return (from, count) => {
    const gains = new Float32Array(count)
    for (let index = 0; index < count; index++) {
      const at = from + index
      while (next < kicks.length && kicks[next]! <= at) {
        last = kicks[next]!
        next += 1
      }
      const past = (at - last) / back
      const dip = past < 1 ? (1 - past) ** 1.5 * Math.min(1, (at - last) / 90) : 0
      gains[index] = 1 - depth * dip
    }
    return gains
  }
}

/** Returns a function that makes a mix sound like an old tape or record, in place, for styles that
 *  ask for it: less treble, and crackle. It also applies `tilt`. */
function colouring({ cut, crackle }: Mix, tilt: number): (out: Stereo, from: number) => void {
  const filters = cut === undefined ? undefined : ([twoPoleCut(cut), twoPoleCut(cut)] as const)
  const dust = crackle ? dustOf(crackle) : undefined
  const shelves = tilt === 0 ? undefined : ([shelf(tilt), shelf(tilt)] as const)
  return ({ left, right }, from) => {
    if (shelves) {
      shelves[0](left)
      shelves[1](right)
    }
    if (filters) {
      filters[0](left)
      filters[1](right)
    }
    dust?.(left, right, from)
  }
}

/** Returns a filter that raises or lowers all frequencies above 1.2 kHz, in place, by this many
 *  decibels. */
function shelf(decibels: number): (sound: Float32Array) => void {
  const share = 1 - Math.exp((-2 * Math.PI * 1200) / sampleRate)
  const gain = gainOf(decibels)
  let low = 0
  return sound => {
    for (let index = 0; index < sound.length; index++) {
      low += share * (sound[index]! - low)
      sound[index] = low + gain * (sound[index]! - low)
    }
  }
}

function twoPoleCut(hertz: number): (sound: Float32Array) => void {
  const share = 1 - Math.exp((-2 * Math.PI * hertz) / sampleRate)
  let first = 0
  let second = 0
  return sound => {
    for (let index = 0; index < sound.length; index++) {
      first += share * (sound[index]! - first)
      second += share * (first - second)
      sound[index] = second
    }
  }
}

/** Returns a function that adds hiss and a few clicks per second. The noise depends only on the
 *  time in the piece, so it is the same however the piece is split into parts. */
function dustOf(amount: number): (left: Float32Array, right: Float32Array, from: number) => void {
  const cell = 2205
  const clickLength = 24
  const hiss = Float32Array.from({ length: 16_384 }, noiseOf('hiss'))
  return (left, right, from) => {
    for (let index = 0; index < left.length; index++) {
      const at = from + index
      const noise = hiss[at & 16_383]! * 0.0022 * amount
      left[index]! += noise
      right[index]! += hiss[(at + 7919) & 16_383]! * 0.0022 * amount
    }
    // A click that begins at the end of a cell reaches into the next cell.
    for (let number = Math.max(0, Math.floor((from - clickLength) / cell)); number * cell < from + left.length; number++) {
      const chance = randomOf(`dust/${number}`)
      const place = number * cell + chance.index(cell) - from
      const level = chance.chance(0.35) ? 0.06 * amount * chance.next() : 0
      for (let step = 0; step < clickLength; step++) {
        const index = place + step
        if (index < 0 || index >= left.length) continue
        const click = level * Math.cos(step * 1.1) * Math.exp(-step / 5)
        left[index]! += click
        right[index]! += click * 0.7
      }
    }
  }
}

function noiseOf(name: string): () => number {
  const random = randomOf(name)
  return () => random.wobble()
}
