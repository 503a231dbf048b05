import { GatewayError } from '../errors.ts'

export interface VideoFacts {
  /** Width in pixels as shown, after rotation. */
  width: number
  height: number
  seconds: number
  framesPerSecond: number
  frames: number
  hasSound: boolean
}

/** Returns the facts about an MP4 or MOV file that its index states; nothing is decoded. Throws
 *  `invalid_input_file` for any other file, and the errors of the file system. */
export async function probeVideo(path: string): Promise<VideoFacts> {
  const { FilePathSource, Input, MP4, QTFF } = await import('mediabunny')
  using input = new Input({ formats: [MP4, QTFF], source: new FilePathSource(path) })
  try {
    const video = await input.getPrimaryVideoTrack()
    if (!video) throw new GatewayError('invalid_input_file', 'The file has no video track.')
    const { packetCount, averagePacketRate } = await video.computePacketStats()
    return {
      width: video.displayWidth,
      height: video.displayHeight,
      seconds: await video.computeDuration(),
      framesPerSecond: averagePacketRate,
      frames: packetCount,
      hasSound: (await input.getPrimaryAudioTrack()) !== null,
    }
  } catch (error) {
    if (error instanceof GatewayError || (error instanceof Error && 'code' in error)) throw error
    throw new GatewayError('invalid_input_file', 'The file is no MP4 or MOV video that can be read.', { cause: error })
  }
}
