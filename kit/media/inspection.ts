/** What the inspection of foreign files does for the gateway and its drivers; `open-inspection.ts` makes one. */
import type { FileFacts } from '../requests/capability.ts'
import type { PictureSize } from '../requests/image.ts'
import type { VideoFacts } from '../video/probe.ts'
import type { Asker } from './asker.ts'
import type { ConvertedPicture, DrawnMask, FittedFrame, ReshapedMask } from './pixel-work.ts'

export type MediaFacts = Omit<FileFacts, 'bytes'>

/** Every method throws `UnsafeFile` for a file whose reading passed its limits, `inspection_busy` when nobody had time for it, the signal's reason, and what the file system throws. */
export interface Inspection {
  /** Type, size in pixels as shown, length and frame rate of a file, as far as it has them; undefined for what is no picture, sound or video that is known.
   *  2 s of CPU time, 256 MiB and 15 s of wall time; where ffmpeg is asked because that gave nothing, another 8 s and the wait for its turn. A picture's header is read by our own bounded readers, without a process. */
  readMedia(path: string, asker?: Asker): Promise<MediaFacts | undefined>
  /** What an MP4 or MOV file holds. Throws `invalid_input_file` for another file. */
  probeVideo(path: string, asker?: Asker): Promise<VideoFacts>
  /** Writes the picture in another format. Undefined: it cannot be decoded. */
  convertPicture(work: ConvertedPicture): Promise<PictureSize | undefined>
  /** Writes the picture in another size as PNG. False: it cannot be decoded. */
  fitFrame(work: FittedFrame): Promise<boolean>
  /** A mask in the form that a service reads, as PNG. Undefined: it cannot be decoded. */
  reshapeMask(work: ReshapedMask): Promise<Buffer | undefined>
  /** Polygons as a mask, as PNG: white on black. */
  drawMask(work: DrawnMask): Promise<Buffer>
  /** Starts a process for headers ahead of the first file. */
  warm(): void
  close(): Promise<void>
}
