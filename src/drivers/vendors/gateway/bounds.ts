/** Limits, in bytes, on the answers of another gateway about a run. The limits depend on the kind
 *  of the capability, the part of its name before the dot (`image` in `image.generate`). */
import { GiB, MiB } from '@generation-gateway/kit/units.ts'

interface RunBounds {
  /** Largest JSON answer about a run, including the run's result. */
  answer: number
  /** Largest file of a run. */
  file: number
  /** Largest size of all events of a stream together; the bytes of sound count after base64
   *  decoding. */
  stream: number
}

const usual: RunBounds = { answer: MiB, file: 512 * MiB, stream: 8 * MiB }
const families: Readonly<Record<string, Partial<RunBounds>>> = {
  image: { file: 128 * MiB },
  music: { file: 256 * MiB, stream: 256 * MiB },
  speech: { file: GiB, stream: 2 * GiB },
  audio: { stream: 64 * MiB },
  slides: { answer: 16 * MiB },
}
/** Largest thumbnail of a video. */
const maxThumbnailBytes = 16 * MiB

export function boundsOf(capability: string): RunBounds {
  const [family = ''] = capability.split('.')
  return { ...usual, ...families[family] }
}

/** Returns the size in bytes of the largest file of this media type that a run of this capability
 *  may deliver. */
export function maxFileBytes(capability: string, mediaType: string): number {
  const isThumbnail = capability.startsWith('video.') && mediaType.startsWith('image/')
  return isThumbnail ? maxThumbnailBytes : boundsOf(capability).file
}
