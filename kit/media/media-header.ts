/** What the header of any media file tells: pictures by our own readers, sound and video by mediabunny. Nothing is decoded. */
import type { FileFacts } from '../requests/capability.ts'
import { readImageFile } from './image-header.ts'
import { readSoundFile } from './sound-header.ts'

/** Packets of a video that its frame rate is measured by. */
const measuredPackets = 60

/** Type, size in pixels, length and frame rate of a file, as far as it has them; undefined for what is no picture, sound or video that is known.
 *  Known containers of sound and video: MP4, QuickTime, WebM, Matroska, Ogg, MP3, MPEG-PS, WAV, AAC, FLAC, MPEG-TS, WMA, AMR; also MIDI. Throws what the file system throws. */
export async function readMediaFile(file: string): Promise<Omit<FileFacts, 'bytes'> | undefined> {
  const picture = await readImageFile(file)
  if (picture) return { mediaType: picture.mediaType, width: picture.width, height: picture.height }
  return (await readTracks(file)) ?? readSoundFile(file)
}

async function readTracks(file: string): Promise<Omit<FileFacts, 'bytes'> | undefined> {
  // Only for whoever sends sound or video: it takes a tenth of a second to load.
  const { ADTS, FilePathSource, FLAC, Input, MATROSKA, MP3, MP4, MPEG_TS, OGG, QTFF, WAVE, WEBM } = await import('mediabunny')
  // Not its playlists: they would have further files read.
  const formats = [MP4, QTFF, MATROSKA, WEBM, MP3, WAVE, OGG, ADTS, FLAC, MPEG_TS]
  using input = new Input({ formats, source: new FilePathSource(file) })
  try {
    if (!(await input.canRead())) return undefined
    const format = await input.getFormat()
    const video = await input.getPrimaryVideoTrack()
    const audio = await input.getPrimaryAudioTrack()
    if (!video && !audio) return undefined
    const facts: Omit<FileFacts, 'bytes'> = {
      mediaType: video ? format.mimeType : format.mimeType.replace(/^(video|application)\//, 'audio/'),
      durationSeconds: (await input.getDurationFromMetadata()) ?? (await input.computeDuration()),
    }
    if (audio) facts.channels = audio.numberOfChannels
    if (!video) return facts
    const { averagePacketRate } = await video.computePacketStats(measuredPackets)
    return { ...facts, width: video.displayWidth, height: video.displayHeight, framesPerSecond: averagePacketRate }
  } catch (error) {
    // Its first bytes are of a known format, and what follows is not.
    if (error instanceof Error && !('code' in error)) return undefined
    throw error
  }
}
