/** Declares how the gateway and its drivers have untrusted files inspected; `open-inspection.ts`
 *  implements it. */
import type { FileFacts } from '../requests/capability.ts'
import type { PictureSize } from '../requests/image.ts'
import type { VideoFacts } from '../video/probe.ts'
import type { InspectionCaller } from './inspection-caller.ts'
import type { ConvertedPicture, DrawnMask, FittedFrame, ReshapedMask } from './pixel-work.ts'

export type MediaFacts = Omit<FileFacts, 'bytes'>

/** Inspects untrusted files. Every method throws `UnsafeFileError` for a file that takes more than
 *  the limits to read. Every method throws `inspection_busy` when no process was free in time, when
 *  none could be started, or when the process was ended from outside. It also throws the signal's
 *  reason and the errors of the file system. */
export interface Inspection {
  /** Returns what the header of a file states: type, size in pixels as shown, length and frame
   *  rate; undefined for a file that is not a known picture, sound or video. Picture headers are
   *  read in the gateway's own process, by readers whose number of steps is bounded. Other headers
   *  are read in another process, limited to 2 s of CPU time, 256 MiB of memory and 15 s of wall
   *  time. When that process does not recognize the file or finds no length, ffmpeg reads the file
   *  for up to 8 s; at most two such ffmpeg programs run at the same time. */
  readMedia(path: string, asker?: InspectionCaller): Promise<MediaFacts | undefined>
  /** Returns size, length and frame rate of an MP4 or MOV file, and whether it has sound. Throws
   *  `invalid_input_file` for any other file. */
  probeVideo(path: string, asker?: InspectionCaller): Promise<VideoFacts>
  /** Writes the picture in another format and returns its size; undefined when it cannot be
   *  decoded. */
  convertPicture(work: ConvertedPicture): Promise<PictureSize | undefined>
  /** Writes the picture in another size as PNG; returns false when it cannot be decoded. */
  fitFrame(work: FittedFrame): Promise<boolean>
  /** Returns a mask as PNG in the form that the service requires; undefined when it cannot be
   *  decoded. */
  reshapeMask(work: ReshapedMask): Promise<Buffer | undefined>
  /** Returns polygons as a mask in PNG: white on black. */
  drawMask(work: DrawnMask): Promise<Buffer>
  /** Starts a process for headers before the first file arrives. */
  warm(): void
  close(): Promise<void>
}
