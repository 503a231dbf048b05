/** Renders pieces for tests, and measures their sound. */
import { createLoudnessMeter } from '@generation-gateway/kit/audio/loudness.ts'
import { packFilesIn } from '@generation-gateway/kit/pack-files.ts'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { type ComposeRequest, compose } from '../compose.ts'
import { monoOf } from '../listen/recording.ts'
import { composerPacks, soundfontFile, soundfontPack } from '../packs.ts'
import { type Stereo, sampleRate } from '../render/rate.ts'
import { joined, type RenderRequest, render } from '../render/render.ts'
import { openBank } from '../render/stage.ts'
import type { Score } from '../score.ts'
import type { Style } from '../styles/style.ts'

/** Test options that skip a test when the sound packs are not installed. */
export const needsSounds = composerPacks.map(needPack).find(({ skip }) => skip !== undefined) ?? {}

export interface RenderedPiece {
  score: Score
  style: Style
  sound: Stereo
  mono: Float32Array
}

export async function play(
  ask: Partial<ComposeRequest>,
  beside: Partial<Pick<RenderRequest, 'voice' | 'given' | 'brightness'>> = {},
): Promise<RenderedPiece> {
  const path = packFilesIn(packsDirectory(process.env), composerPacks).file(soundfontPack, soundfontFile)
  if (path === undefined) throw new Error('the sound bank is not there')
  const { score, brief } = compose({ prompt: '', seed: '7', ...ask })
  const { mix, ending } = brief.style
  const sound = await joined(render({ score, mix, ending, bank: await openBank(path), ...beside }))
  return { score, style: brief.style, sound, mono: monoOf(sound) }
}

/** Returns the integrated loudness in LUFS. */
export function loudness({ left, right }: Stereo): number {
  const meter = createLoudnessMeter(sampleRate, 2)
  meter.add([left, right])
  return meter.integrated()
}

/** Returns the true peak in decibels. The peak is the largest value at the samples and at three
 *  interpolated points between neighbouring samples. */
export function truePeak({ left, right }: Stereo): number {
  let most = 0
  for (const sound of [left, right]) {
    for (let index = 8; index < sound.length - 8; index++) {
      if (Math.abs(sound[index]!) < 0.6) continue
      for (const part of [0, 0.25, 0.5, 0.75]) most = Math.max(most, Math.abs(between(sound, index, part)))
    }
  }
  return 20 * Math.log10(most)
}

function between(sound: Float32Array, index: number, part: number): number {
  if (part === 0) return sound[index]!
  let sum = 0
  for (let tap = -7; tap <= 8; tap++) {
    const x = tap - part
    sum += sound[index + tap]! * (Math.sin(Math.PI * x) / (Math.PI * x)) * Math.cos((Math.PI * x) / 17) ** 2
  }
  return sum
}

/** Returns the number of drum-like onsets per second. An onset counts as drum-like when its
 *  strength is a peak above `struck`. */
export function onsetRate(onsets: Float64Array, hop: number): number {
  let count = 0
  onsets.forEach((value, index) => {
    if (value > struck && value >= (onsets[index - 1] ?? 0) && value > (onsets[index + 1] ?? 0)) count += 1
  })
  return count / ((onsets.length * hop) / sampleRate)
}

/** Least onset strength of a drum-like sound: the rise of its spectrum, added over all frequency
 *  bands. */
const struck = 14
