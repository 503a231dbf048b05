import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeSound, readSamples } from '@generation-gateway/kit/audio/decode.ts'
import { createLoudnessMeter } from '@generation-gateway/kit/audio/loudness.ts'
import type { OutputJudge } from '../demo.ts'
import { shown } from './judge.ts'

export interface SoundExpectation {
  /** Shortest and longest allowed length in seconds. */
  seconds: readonly [least: number, most: number]
  /** Spans of time in seconds, each of which must contain sound; for example those of the
   *  subtitles. */
  heard?: readonly (readonly [from: number, to: number])[]
}

const sampleRate = 16_000
/** Smallest allowed loudness in LUFS. Speech and music of the engines have between -26 and -14
 *  LUFS. */
const quietest = -45

/** Returns a check of a sound file, or of the sound of a clip: it can be decoded, its length is
 *  allowed, and neither the whole nor any of the spans is silent. */
export function sound(expected: SoundExpectation): OutputJudge {
  return async ({ file }, { output }) => judgeSound(join(output, file), expected)
}

export async function judgeSound(path: string, { seconds: [least, most], heard = [] }: SoundExpectation): Promise<string | undefined> {
  const scratch = await mkdtemp(join(tmpdir(), 'demo-judge-'))
  try {
    const decoded = await decodeSound(path, { scratch, sampleRate, channels: 'mixed', signal: AbortSignal.timeout(120_000) })
    const { seconds, channels } = decoded
    if (seconds < least || seconds > most) return `The sound lasts ${shown(seconds)} s; ${least} to ${most} s were expected.`
    for (const [from, to] of [[0, seconds] as const, ...heard]) {
      const loudness = await loudnessBetween(channels[0]?.path ?? '', from, to)
      if (!(loudness > quietest)) return `From ${shown(from)} to ${shown(to)} s nothing is heard (${shown(loudness)} LUFS).`
    }
    return undefined
  } catch (error) {
    return `The sound cannot be decoded: ${error instanceof Error ? error.message : error}`
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Returns the loudness between two times (seconds) in LUFS; -Infinity for digital silence. */
async function loudnessBetween(path: string, from: number, to: number): Promise<number> {
  const meter = createLoudnessMeter(sampleRate, 1)
  const end = Math.round(to * sampleRate)
  const most = 10 * sampleRate
  for (let at = Math.round(from * sampleRate); at < end; at += most)
    meter.add([await readSamples(path, { from: at, count: Math.min(most, end - at) })])
  return meter.integrated()
}
