/** Creates files whose size or length is at a limit. */
import { wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import sharp from 'sharp'

/** Returns a picture of one colour, as base64. */
export async function picture(width: number, height: number, format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' = 'png'): Promise<string> {
  const drawn = sharp({ create: { width, height, channels: 3, background: '#7ec8e3' } })
  return (await drawn.toFormat(format).toBuffer()).toString('base64')
}

export const dataUrl = (base64: string, format = 'png') => `data:image/${format};base64,${base64}`

/** Returns the picture with bytes added at its end until it has `bytes` in all. Decoders ignore
 *  what follows the end of a picture. */
export const padded = (base64: string, bytes: number): string => {
  const own = Buffer.from(base64, 'base64')
  return Buffer.concat([own, Buffer.alloc(bytes - own.length)]).toString('base64')
}

/** Returns a WAV recording of silence, with 8,000 samples a second. */
export function silence(seconds: number, channels = 1): Buffer {
  const dataBytes = Math.round(seconds * 8_000) * channels
  return Buffer.concat([wavHeader({ sampleRate: 8_000, channels, bits: 8, dataBytes }), Buffer.alloc(dataBytes, 0x80)])
}
