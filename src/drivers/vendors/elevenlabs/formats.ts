/** Chooses the vendor's output format for a request (docs/vendors/elevenlabs.md#formats). */
import type { SoundFormat } from '@generation-gateway/kit/requests/speech.ts'

const mp3 = new Map([
  [22_050, [32]],
  [24_000, [48]],
  [44_100, [32, 64, 96, 128, 192]],
])
const opusRates = [32, 64, 96, 128, 192]
const pcmRates = [8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]

export interface Plan {
  /** The vendor's name of the format. */
  name: string
  /** Sample rate, in Hz, of the raw samples that the vendor sends and the gateway encodes; absent
   *  when the vendor's own format is used. */
  encodeFrom?: number
}

/** Returns the vendor's format for a requested one. When the vendor does not have that format, it
 *  sends PCM and the gateway encodes it. The PCM has the lowest sample rate that is not below the
 *  requested rate, or else the vendor's highest rate. */
export function formatPlan({ container, sampleRate, bitRate }: SoundFormat): Plan {
  const kilobits = bitRate === undefined ? undefined : Math.round(bitRate / 1000)
  if (container === 'mp3') {
    const rate = sampleRate ?? 44_100
    const known = mp3.get(rate)
    const wanted = kilobits ?? (rate === 44_100 ? 128 : known?.[0])
    if (wanted !== undefined && known?.includes(wanted)) return { name: `mp3_${rate}_${wanted}` }
  }
  if (container === 'opus' && (sampleRate ?? 48_000) === 48_000 && opusRates.includes(kilobits ?? 64))
    return { name: `opus_48000_${kilobits ?? 64}` }
  if (container === 'pcm' && pcmRates.includes(sampleRate ?? 24_000)) return { name: `pcm_${sampleRate ?? 24_000}` }
  if ((container === 'ulaw' || container === 'alaw') && sampleRate === 8_000) return { name: `${container}_8000` }
  const from = pcmRates.find(rate => rate >= (sampleRate ?? 24_000)) ?? 48_000
  return { name: `pcm_${from}`, encodeFrom: from }
}
