/** Reads the sound formats in `output_format` (family T3). */
import { mediaTypeOf } from '@generation-gateway/kit/audio/encode.ts'
import type { SoundFormat } from '@generation-gateway/kit/requests/speech.ts'

/** Formats of the interface (docs/interface/sound.md#t3). */
const documented = [
  ...['mp3_22050_32', 'mp3_44100_32', 'mp3_44100_64', 'mp3_44100_96', 'mp3_44100_128', 'mp3_44100_192'],
  ...['pcm_16000', 'pcm_22050', 'pcm_24000', 'pcm_44100'],
  'ulaw_8000',
] as const

/** Formats that the service has added since (docs/vendors/elevenlabs.md#formats). */
const further = [
  'mp3_24000_48',
  ...['opus_48000_32', 'opus_48000_64', 'opus_48000_96', 'opus_48000_128', 'opus_48000_192'],
  ...['pcm_8000', 'pcm_32000', 'pcm_48000'],
  ...['wav_8000', 'wav_16000', 'wav_22050', 'wav_24000', 'wav_32000', 'wav_44100', 'wav_48000'],
  'alaw_8000',
] as const

export const outputFormats = [...documented, ...further]
export type OutputFormat = (typeof outputFormats)[number]

const containers = ['mp3', 'opus', 'pcm', 'wav', 'ulaw', 'alaw'] as const satisfies SoundFormat['container'][]

export const soundTypes: readonly string[] = containers.map(container => mediaTypeOf({ container }))

/** Returns the format that a word names: `mp3_44100_128` is MP3 at 44.1 kHz and 128 kbit/s. */
export function formatOf(word: OutputFormat): SoundFormat {
  const [name, sampleRate, kilobits] = word.split('_')
  const container = containers.find(each => each === name)
  if (!container) throw new TypeError(`there is no container ${name}`)
  return { container, sampleRate: Number(sampleRate), ...(kilobits === undefined ? {} : { bitRate: Number(kilobits) * 1000 }) }
}
