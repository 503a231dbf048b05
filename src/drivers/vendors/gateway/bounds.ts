/** Bounds of what another gateway answers to a run, by the family of its capability
 *  (`image.generate`). Bytes. */
import { GiB, MiB } from '@generation-gateway/kit/units.ts'

interface RunBounds {
  /** A run in JSON, with its result. */
  answer: number
  /** A file of a run. */
  file: number
  /** The events of a stream together; sound counts as its own bytes. */
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
/** The picture that stands for a video. */
const maxThumbnailBytes = 16 * MiB

export function boundsOf(capability: string): RunBounds {
  const [family = ''] = capability.split('.')
  return { ...usual, ...families[family] }
}

/** `mediaType` is that of the file. */
export function maxFileBytes(capability: string, mediaType: string): number {
  const isThumbnail = capability.startsWith('video.') && mediaType.startsWith('image/')
  return isThumbnail ? maxThumbnailBytes : boundsOf(capability).file
}
