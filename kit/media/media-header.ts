/** Reads the headers of sound and video files with the library mediabunny and the gateway's own
 *  readers. Nothing is decoded. Only inspection processes and tests may call this code. */
import { type FileHandle, open } from 'node:fs/promises'
import type { FileFacts } from '../requests/capability.ts'
import { readOggFile, readSoundFile } from './sound-header.ts'

/** Number of bytes that reading a header may fetch beyond the size of the file. The whole file may
 *  be fetched once, because the length of some containers is found only by reading all of it. */
const spareBytes = 32 * 2 ** 20

/** Number of packets from which the frame rate of a video is measured. */
const measuredPackets = 60

/** Returns type, size in pixels, length and frame rate of a file, as far as its header states them;
 *  undefined for a file that is not a known sound or video, and for a header that takes more than
 *  the file's bytes plus 32 MiB. Known containers: MP4, QuickTime, WebM, Matroska, Ogg, MP3, WAV,
 *  AAC, FLAC, MPEG-TS, WMA, AMR; also MIDI. Throws the errors of the file system. */
export async function readMediaFile(file: string): Promise<Omit<FileFacts, 'bytes'> | undefined> {
  return (await readSoundFile(file)) ?? (await readTracks(file)) ?? readOggFile(file)
}

async function readTracks(file: string): Promise<Omit<FileFacts, 'bytes'> | undefined> {
  const { CustomSource, Input, MATROSKA, MP3, MP4, MPEG_TS, OGG, QTFF, WAVE, WEBM } = await import('mediabunny')
  // Playlist formats are left out, because they make the reader open further files.
  const formats = [MP4, QTFF, MATROSKA, WEBM, MP3, WAVE, OGG, MPEG_TS]
  await using handle = await open(file, 'r')
  const source = new CustomSource(boundedReads(handle, (await handle.stat()).size))
  using input = new Input({ formats, source })
  try {
    if (!(await input.canRead())) return undefined
    const format = await input.getFormat()
    const video = await input.getPrimaryVideoTrack()
    const audio = await input.getPrimaryAudioTrack()
    if (!video && !audio) return undefined
    const facts: Omit<FileFacts, 'bytes'> = {
      mediaType: mediaTypeOf(format.mimeType, video !== null),
      // The first timestamp is subtracted, because the clock of a transport stream does not begin
      // at 0.
      durationSeconds:
        (await input.getDurationFromMetadata()) ?? (await input.computeDuration()) - Math.max(0, await input.getFirstTimestamp()),
    }
    if (audio) facts.channels = audio.numberOfChannels
    if (!video) return facts
    const { averagePacketRate } = await video.computePacketStats(measuredPackets)
    return { ...facts, width: video.displayWidth, height: video.displayHeight, framesPerSecond: averagePacketRate }
  } catch (error) {
    // The file begins like a known format but is damaged later, so it counts as unknown.
    if (error instanceof Error && !('code' in error)) return undefined
    throw error
  }
}

/** Returns the media type in lower case, as in the tables of the families; without a picture it is
 *  a sound type. */
function mediaTypeOf(mimeType: string, hasVideo: boolean): string {
  const type = mimeType.toLowerCase()
  return hasVideo ? type : type.replace(/^(video|application)\//, 'audio/')
}

function boundedReads(handle: FileHandle, size: number) {
  let left = size + spareBytes
  return {
    getSize: () => size,
    read: async (start: number, end: number) => {
      left -= end - start
      if (left < 0) throw new RangeError('The header takes more bytes than the file has.')
      const bytes = new Uint8Array(end - start)
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
      return bytes.subarray(0, bytesRead)
    },
  }
}
