/** Fields for recordings, shared by the families of speech recognition
 *  (docs/interface/sound.md#r1-and-r2, #r3, #r4, #r5). */
import { wavHeader } from '@generation-gateway/kit/audio/pcm.ts'
import { MiB } from '@generation-gateway/kit/units.ts'
import Type, { type TSchemaOptions } from 'typebox'
import type { FileRule } from '../../contract/file-rule.ts'
import { linkLimits } from './common-fields.ts'

/** Largest recording: 25 MB (docs/interface/sound.md#r1-and-r2). One MB is 2^20 bytes, and a file
 *  of exactly the limit is accepted (docs/interface.md#all-families). */
export const mostSoundBytes = 25 * MiB

/** Media types of flac, mp3, mp4, mpeg, mpga, m4a, ogg, wav and webm files, which R1 accepts.
 *  Video types are included, because a recording may also be a video. */
const usualTypes = [
  ...['audio/wav', 'audio/mpeg', 'audio/mp4', 'video/mp4', 'audio/quicktime', 'video/quicktime', 'video/mpeg', 'video/mp2t', 'audio/mp2t'],
  ...['audio/flac', 'audio/ogg', 'video/ogg', 'application/ogg', 'audio/webm', 'video/webm', 'audio/x-matroska', 'video/x-matroska'],
]
/** The types above, and AAC, AMR and WMA, which R3 accepts. R3's other formats need no type of
 *  their own: A-law and mu-law are in WAV files, Opus and Speex in Ogg files. */
const allTypes = [...usualTypes, 'audio/aac', 'audio/amr', 'audio/x-ms-wma', 'video/x-ms-asf', 'video/x-ms-wmv']

export const soundTypes = { usual: usualTypes, all: allTypes } as const

/** Returns a field that holds a recording. */
export const soundField = (description: string, limits: Partial<FileRule> = {}) =>
  Type.String({ minLength: 1, file: { role: 'audio', mediaTypes: allTypes, maxBytes: mostSoundBytes, ...limits }, description })

/** Returns a field for the URL of a recording. */
export const soundUrl = (keywords: TSchemaOptions) =>
  Type.String({ ...linkLimits, file: { role: 'audio', mediaTypes: allTypes, maxBytes: mostSoundBytes }, ...keywords })

/** A short silence for examples: 80 samples at 8 kHz, 8 bit each. */
export const exampleSound = `data:audio/wav;base64,${silence(80).toString('base64')}`

function silence(samples: number): Buffer {
  return Buffer.concat([wavHeader({ sampleRate: 8_000, channels: 1, bits: 8, dataBytes: samples }), Buffer.alloc(samples, 0x80)])
}
