/** Finds the levels of each track and of the whole mix. The loudness is measured in short excerpts
 *  of the piece, before the whole piece is rendered. */
import { createLoudnessMeter } from '@generation-gateway/kit/audio/loudness.ts'
import type { BasicSoundBank } from 'spessasynth_core'
import { brightnessOf } from '../listen/brightness.ts'
import type { Bus, Score, Section } from '../score.ts'
import type { Mix } from '../styles/style.ts'
import { createLimiter } from './limiter.ts'
import { createMixer } from './mixer.ts'
import { gainOf, type Stereo, sampleRate } from './rate.ts'
import { openStage } from './stage.ts'

/** Integrated loudness of a finished piece, in LUFS. */
export const targetLoudness = -14
/** Largest value that a sound may have at or between its samples, as a factor (-1.5 dB). It is
 *  below full scale, because a lossy encoder may raise peaks by half a decibel. */
export const ceiling = gainOf(-1.5)

export interface Levels {
  /** Decibels to add to each track. */
  tracks: readonly number[]
  voice: number
  /** Decibels to add to the voice in each section, besides `voice`. The voice sings louder in
   *  sections in which the instruments are louder. */
  ride: readonly number[]
  /** Decibels to add to the whole mix in each section. These decibels make sections without singing
   *  louder. */
  lift: readonly number[]
  /** Decibels by which the treble of the mix is raised. */
  tilt: number
  /** Gain factor of the mix before the limiter. */
  master: number
  /** Expected loudness of each section in LUFS, as a list with one value for each loudness block of
   *  its excerpt. */
  sections: readonly (readonly number[])[]
}

/** Loudness in LUFS that a track gets while it plays, by bus. For a track with a gain other than 0
 *  dB, that gain is added. */
const busLoudness: Record<Bus, number> = { drums: -19, bass: -20, music: -15.5, lead: -13.5 }
/** How much louder the singing voice is than the instruments, in LU. The instruments are measured
 *  after they have been lowered for the voice. With a smaller difference, words are not understood
 *  (docs/decisions/0026). */
const voiceLead = 12
/** Loudness of the voice in LUFS while no instrument plays. */
const voiceAlone = -13.5
const mostCorrection = 20

export interface LevelRequest {
  score: Score
  mix: Mix
  bank: BasicSoundBank
  /** Returns `count` mono samples of the voice, from sample `from` of the piece on. */
  voice?: (from: number, count: number) => Promise<Float32Array>
  given?: (from: number, count: number) => Stereo
  /** Mean frequency of the spectrum that the mix is to have, in Hz. */
  brightness?: number
  /** Called and awaited between two measurements, so that other work of the process can run. */
  giveWay?(): Promise<void>
}

interface Sample {
  from: number
  /** Number of samples at the beginning of the excerpt that are rendered but not measured. */
  warmUp: number
  tracks: Stereo[]
  voice: Float32Array | undefined
  given: Stereo | undefined
  /** Total length, in seconds, of the sections that the excerpt represents. */
  weight: number
  /** Sections that the excerpt represents. */
  sections: readonly Section[]
}

export async function findLevels(ask: LevelRequest): Promise<Levels> {
  const { score, mix, giveWay } = ask
  const samples = await samplesOf(ask)
  const tracks = score.tracks.map((track, index) => {
    const sounds = samples.flatMap(({ tracks: all, warmUp }) => {
      const sound = all[index]
      return sound ? [[sound.left.subarray(warmUp), sound.right.subarray(warmUp)]] : []
    })
    return corrected(busLoudness[track.bus] + track.gain - meanLoudness(sounds))
  })
  const mixed = ({ from, warmUp, tracks: all, voice: sung, given }: Sample, voiceLevel: number, tilt: number): Stereo => {
    const mixer = createMixer({ score, mix, levels: tracks, voiceLevel, tilt })
    const { left, right } = mixer({ tracks: all, voice: sung, given, from })
    return { left: left.subarray(warmUp), right: right.subarray(warmUp) }
  }
  const over = await eachOf(samples, giveWay, sample => voiceLevelOver(sample, () => mixed(sample, Number.NEGATIVE_INFINITY, 0)))
  const known = over.filter(level => level !== undefined)
  const voice = known.length > 0 ? known.reduce((sum, level) => sum + level, 0) / known.length : 0
  // The voice follows half of the difference in loudness between sections. So it is louder in a
  // chorus than in a verse, but the difference is smaller than that of the instruments.
  const voices = over.map(level => (level === undefined ? undefined : (voice + level) / 2))
  const ride = score.sections.map(section => (voices[samples.findIndex(({ sections }) => sections.includes(section))] ?? voice) - voice)
  const mixedWith = (tilt: number) =>
    eachOf(samples, giveWay, (sample, index) => ({ sound: mixed(sample, voices[index] ?? voice, tilt), weight: sample.weight }))
  const plain = await mixedWith(0)
  const tilt = ask.brightness === undefined ? 0 : tiltFor(ask.brightness, plain)
  const unlifted = tilt === 0 ? plain : await mixedWith(tilt)
  const lifts = liftsOf(unlifted.map(({ sound }, index) => ({ isSung: voices[index] !== undefined, loudness: loudnessOf(sound) })))
  const whole = unlifted.map(({ sound, weight }, index) => ({ sound: scaled(sound, gainOf(lifts[index] ?? 0)), weight }))
  const lift = score.sections.map(section => lifts[samples.findIndex(({ sections }) => sections.includes(section))] ?? 0)
  const master = await masterGain(whole, giveWay)
  const blocks = new Map(
    samples.flatMap(({ sections }, index) => {
      const sound = whole[index]?.sound
      const heard = sound ? blocksOfStereo(createLimiter(ceiling).process(sound, master)) : []
      return sections.map(section => [section, heard] as const)
    }),
  )
  return { tracks, voice, ride, lift, tilt, master, sections: score.sections.map(section => blocks.get(section) ?? []) }
}

/** Calls a function for each value in turn, and returns the results. Awaits `giveWay` before each
 *  call. */
async function eachOf<Each, Made>(
  all: readonly Each[],
  giveWay: LevelRequest['giveWay'],
  make: (each: Each, index: number) => Made,
): Promise<Made[]> {
  const made: Made[] = []
  for (const [index, each] of all.entries()) {
    await giveWay?.()
    made.push(make(each, index))
  }
  return made
}

/** An excerpt counts as sung when at least this share of its loudness blocks has singing. The
 *  share is more than 0, because even an instrumental section can contain a little singing at
 *  its end: the first consonants of the verse that follows. */
const leastSung = 1 / 3

/** Returns the decibels that make the voice of an excerpt louder than the instruments by
 *  `voiceLead`. The voice and the instruments are measured only in the loudness blocks with
 *  singing. Undefined for an excerpt with little or no singing. */
function voiceLevelOver({ voice: sung, warmUp }: Sample, bandOf: () => Stereo): number | undefined {
  const voice = sung?.subarray(warmUp)
  if (!voice) return undefined
  const heard = blocksOfStereo({ left: voice, right: voice })
  const mean = (loudness: readonly number[]) => meanOf(loudness.filter(value => value > -70))
  const gate = mean(heard) - 10
  if (heard.filter(loudness => loudness > gate && loudness > -60).length < leastSung * heard.length) return undefined
  const isSung = (_: number, index: number) => (heard[index] ?? gate) > gate
  const band = mean(blocksOfStereo(bandOf()).filter(isSung))
  return corrected((Number.isFinite(band) ? band + voiceLead : voiceAlone) - mean(heard.filter(isSung)))
}

/** Openings, endings and solos are made louder until they are only this many LU softer than the
 *  sung sections, but by at most `mostLift` decibels. */
const unsungBelow = 4
const mostLift = 10

/** Returns the decibels by which each excerpt is made louder. */
function liftsOf(samples: readonly { isSung: boolean; loudness: number }[]): number[] {
  const sung = meanOf(samples.filter(({ isSung }) => isSung).map(({ loudness }) => loudness))
  return samples.map(({ isSung, loudness }) => {
    const missing = sung - unsungBelow - loudness
    return isSung || !Number.isFinite(missing) ? 0 : Math.max(0, Math.min(mostLift, missing))
  })
}

function loudnessOf({ left, right }: Stereo): number {
  const meter = createLoudnessMeter(sampleRate, 2)
  meter.add([left, right])
  return meter.integrated()
}

function scaled({ left, right }: Stereo, gain: number): Stereo {
  return gain === 1 ? { left, right } : { left: left.map(value => value * gain), right: right.map(value => value * gain) }
}

const mostTilt = 10

/** Returns by how many decibels the treble must be raised (or lowered, if negative) so that the
 *  mean frequency of the excerpts becomes `wanted` (Hz). The result is approximate. */
function tiltFor(wanted: number, samples: readonly { sound: Stereo; weight: number }[]): number {
  const total = samples.reduce((sum, { weight }) => sum + weight, 0)
  const own = samples.reduce((sum, { sound, weight }) => sum + (weight / total) * brightnessOf(sound.left, sampleRate), 0)
  return own > 0 && wanted > 0 ? Math.max(-mostTilt, Math.min(mostTilt, 9 * Math.log2(wanted / own))) : 0
}

function corrected(decibels: number): number {
  return Number.isFinite(decibels) ? Math.max(-mostCorrection, Math.min(mostCorrection, decibels)) : 0
}

/** Returns the gain factor with which the excerpts have the loudness `targetLoudness` after the
 *  limiter. */
async function masterGain(samples: readonly { sound: Stereo; weight: number }[], giveWay: LevelRequest['giveWay']): Promise<number> {
  const loudnessAt = async (process: (sound: Stereo) => Stereo) =>
    weighted(await eachOf(samples, giveWay, ({ sound, weight }) => ({ blocks: blocksOfStereo(process(sound)), weight })))
  let gain = gainOf(targetLoudness - (await loudnessAt(sound => sound)))
  if (!Number.isFinite(gain)) return 1
  for (let pass = 0; pass < 3; pass++) {
    const factor = gain
    const missing = targetLoudness - (await loudnessAt(sound => createLimiter(ceiling).process(sound, factor)))
    gain *= gainOf(Math.max(-6, Math.min(6, missing * 1.1)))
    if (Math.abs(missing) < 0.1) break
  }
  return gain
}

/** Returns the mean loudness of several sounds in LUFS, weighted by their lengths. Blocks that are
 *  more than 10 LU below the mean are not counted (the gate of BS.1770). */
export function weighted(parts: readonly { blocks: readonly number[]; weight: number }[]): number {
  const all = parts.flatMap(({ blocks, weight }) => blocks.map(loudness => ({ loudness, weight: weight / blocks.length })))
  const mean = (from: number) => {
    const heard = all.filter(({ loudness }) => loudness > from)
    const sum = heard.reduce((total, { weight }) => total + weight, 0)
    return 10 * Math.log10(heard.reduce((total, { loudness, weight }) => total + weight * 10 ** (loudness / 10), 0) / sum)
  }
  return mean(mean(-70) - 10)
}

function blocksOfStereo({ left, right }: Stereo): number[] {
  const meter = createLoudnessMeter(sampleRate, 2)
  meter.add([left, right])
  const blocks = meter.blocks()
  return blocks.length > 0 ? blocks : [meter.integrated()]
}

/** Returns the mean loudness, in LUFS, of those sounds that are not silent. */
function meanLoudness(sounds: readonly Float32Array[][]): number {
  const heard = sounds
    .map(channels => {
      const meter = createLoudnessMeter(sampleRate, channels.length)
      meter.add(channels)
      return meter.integrated()
    })
    .filter(loudness => loudness > -60)
  return meanOf(heard)
}

/** Returns the mean of loudness values (LUFS), computed on their powers; NaN for an empty list. */
function meanOf(loudness: readonly number[]): number {
  return 10 * Math.log10(loudness.reduce((sum, value) => sum + 10 ** (value / 10), 0) / loudness.length)
}

const mostSampleSeconds = 3.6
/** Seconds of music that are rendered before an excerpt. So instruments with a slow attack, and the
 *  reverberation, have their usual loudness at the beginning of the excerpt. */
const warmUpSeconds = 1.6

/** Returns one excerpt for each kind of section, or two when sections of this kind have energies
 *  both below and above 0.7; each is taken from the section with the most energy. The excerpt
 *  begins after the first two bars of a section, if the section is long enough. */
async function samplesOf(ask: LevelRequest): Promise<Sample[]> {
  const { score, voice, given } = ask
  const beat = 60 / score.bpm
  const kinds = Map.groupBy(score.sections, ({ kind, energy }) => `${kind}/${energy < 0.7}`)
  const samples: Sample[] = []
  for (const sections of kinds.values()) {
    const section = loudest(sections)
    const weight = sections.reduce((sum, { bars }) => sum + bars * score.beatsPerBar * beat, 0)
    const skipped = Math.min(2, Math.max(0, section.bars - 2))
    const start = Math.round((section.start + skipped * score.beatsPerBar) * beat * sampleRate)
    const warmUp = Math.min(start, Math.round(warmUpSeconds * sampleRate))
    const seconds = Math.min(mostSampleSeconds, (section.bars - skipped) * score.beatsPerBar * beat)
    const count = Math.round(seconds * sampleRate) + warmUp
    const from = start - warmUp
    await ask.giveWay?.()
    const stage = await openStage({ score, bank: ask.bank, from: from / sampleRate, until: (from + count) / sampleRate })
    samples.push({
      from,
      warmUp,
      tracks: [...stage.next(count)],
      voice: await voice?.(from, count),
      given: given?.(from, count),
      weight,
      sections,
    })
  }
  return samples
}

function loudest(sections: readonly Section[]): Section {
  const found = sections.toSorted((one, other) => other.energy - one.energy)[0]
  if (!found) throw new RangeError('a kind of section without sections')
  return found
}
