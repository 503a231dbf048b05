/** Purposes of uploads and the limits of each (docs/vendors/mureka.md#uploads; the interface names
 *  only the purposes). */
import { MiB } from '@generation-gateway/kit/units.ts'
import type { FileLimits } from '../../contract/file-rule.ts'

/** Accepted formats: MP3 and M4A, and the usual formats of recordings, which the gateway converts
 *  for a target that accepts fewer. */
const sound = ['audio/mpeg', 'audio/mp4', 'audio/quicktime', 'audio/wav', 'audio/flac', 'audio/ogg', 'audio/aac']
const midi = 'audio/midi'

/** Limits of every upload. One MB is 2^20 bytes, and a file of exactly the limit is accepted
 *  (docs/interface.md#all-families). */
export const uploadLimits: FileLimits = { mediaTypes: [...sound, midi], maxBytes: 10 * MiB }

const recording = { ...uploadLimits, mediaTypes: sound }
/** Limits of a recording from which a piece is created. It must last at least a second, because
 *  nothing useful can be derived from a few milliseconds of sound. */
const heard = { ...recording, duration: { least: 1 } }

export const purposes = {
  reference: { limits: heard, says: 'a recording whose style is taken, of at least 1 s; at least the first 30 s count' },
  vocal: { limits: { ...recording, duration: { least: 15, most: 30 } }, says: 'a voice that sings, from 15 to 30 s' },
  melody: { limits: { ...uploadLimits, duration: { least: 5, most: 60 } }, says: 'a tune, recorded or as MIDI, from 5 to 60 s' },
  instrumental: { limits: heard, says: 'a recording without a voice, of at least 1 s; at least the first 30 s count' },
  voice: { limits: { ...recording, duration: { least: 5, most: 15 } }, says: 'a voice that speaks, from 5 to 15 s' },
  audio: { limits: recording, says: 'any recording' },
} as const satisfies Record<string, { limits: FileLimits; says: string }>
export type Purpose = keyof typeof purposes
// The cast is safe: these are the keys of the table, but Object.keys is typed as string.
export const purposeNames = Object.keys(purposes) as Purpose[]

/** Purposes whose uploads a song or an instrumental can use, each in the field `<purpose>_id`. */
export const inputPurposes = ['reference', 'vocal', 'melody', 'instrumental'] as const satisfies Purpose[]
