/** The fairness case of speech recognition: a clip of 4 seconds, while recordings of many
 *  minutes are transcribed. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeSound, readSamples } from '@generation-gateway/kit/audio/decode.ts'
import engine from '../../engines/recognition/driver.ts'
import { ask, reading, sampleRate, writeSound } from '../../engines/recognition/testing/ask.ts'
import type { FairnessCase, Run } from './case.ts'

/** Number of times that the spoken text is repeated, which gives 12 minutes in all. */
const times = 25
const silentMinutes = 60

export async function recognitionCases(folder: string): Promise<FairnessCase[]> {
  const decoding = { scratch: folder, sampleRate, channels: 'mixed', signal: new AbortController().signal } as const
  const { channels, seconds } = await decodeSound(reading, decoding)
  const samples = await readSamples(channels[0]?.path ?? '', { from: 0, count: Math.floor(seconds * sampleRate) })
  const whole = new Float32Array(samples.length * times)
  for (let at = 0; at < times; at++) whole.set(samples, at * samples.length)
  const clip = await writeSound(join(folder, 'clip.wav'), samples.subarray(0, 4 * sampleRate))
  const spoken = await writeSound(join(folder, 'spoken.wav'), whole)
  const silent = await writeSound(join(folder, 'silent.wav'), new Float32Array(silentMinutes * 60 * sampleRate))
  const short = transcribing(clip)
  return [
    {
      name: 'recognition: 4 s beside 4 recordings of 12 minutes',
      engine,
      long: Array.from({ length: 4 }, () => transcribing(spoken)),
      short,
    },
    { name: 'recognition: 4 s beside 4 hours of silence', engine, long: Array.from({ length: 4 }, () => transcribing(silent)), short },
  ]
}

function transcribing(path: string): Run {
  return async (opened, options) =>
    opened.run('audio.transcribe', ask(), {
      ...options,
      inputs: [{ role: 'audio', path, mediaType: 'audio/wav', bytes: (await stat(path)).size }],
    })
}
