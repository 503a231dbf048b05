/** Creates a small valid video file, like those that upstreams send. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeVideo } from '@generation-gateway/kit/video/encode.ts'

export interface SmallVideo {
  width?: number
  height?: number
  seconds?: number
}

/** Returns the bytes of an MP4 file in one grey, with four frames a second. */
export async function smallVideo({ width = 64, height = 36, seconds = 4 }: SmallVideo = {}): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'small-video-'))
  try {
    const path = join(folder, 'video.mp4')
    const frame = new Uint8Array(width * height * 4).fill(128)
    const frames = async function* () {
      for (let i = 0; i < seconds * 4; i++) yield frame
    }
    await encodeVideo({ width, height, framesPerSecond: 4, frames: frames(), pixels: 'rgba', path, signal: new AbortController().signal })
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
