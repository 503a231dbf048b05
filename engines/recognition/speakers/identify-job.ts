import { readSamples } from '@generation-gateway/kit/audio/decode.ts'
import type { EngineCall } from '@generation-gateway/kit/process/child.ts'
import { openSpeakers } from './identify.ts'
import type { Sound, Stretch } from './speakers.ts'

/** A file of samples as `decodeSound` leaves it: signed 16-bit little-endian, mono, 16 kHz. */
export interface SoundFile {
  path: string
  seconds: number
}

/** The message to the child process: a `Recording` with file paths in place of sounds. */
export interface IdentifyJob {
  /** Path of the weights file in `speakersPack`. */
  weights: string
  threads: number
  sound: SoundFile
  voiced: Stretch[]
  words: Stretch[]
  most?: number
  known: (SoundFile & { name: string })[]
}

/** Returns the speaker name of each word. The voice encoder is loaded for this job and closed after
 *  it. */
export async function identifySpeakers(
  { weights, threads, sound, known, ...rest }: IdentifyJob,
  { giveWay }: Pick<EngineCall, 'giveWay'>,
): Promise<string[]> {
  const speakers = await openSpeakers(weights, threads, giveWay)
  try {
    return await speakers.identify({
      ...rest,
      sound: soundIn(sound),
      known: known.map(({ name, ...file }) => ({ name, sound: soundIn(file) })),
    })
  } finally {
    await speakers.close()
  }
}

function soundIn({ path, seconds }: SoundFile): Sound {
  return { seconds, read: (from, count) => readSamples(path, { from, count }) }
}
