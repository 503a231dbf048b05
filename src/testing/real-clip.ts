/** Creates small video files that players can play. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeVideo } from '@generation-gateway/kit/video/encode.ts'

export interface ClipFacts {
  /** Width and height in pixels, both even. */
  width: number
  height: number
  framesPerSecond: number
  frames: number
}

/** Returns the bytes of a grey MP4 video. */
export async function realClip({ width, height, framesPerSecond, frames: count }: ClipFacts): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'clip-'))
  const frame = new Uint8Array(width * height * 1.5).fill(128)
  const frames = (async function* () {
    for (let n = 0; n < count; n++) yield frame
  })()
  try {
    const path = join(folder, 'clip.mp4')
    await encodeVideo({ width, height, framesPerSecond, frames, pixels: 'i420', path, signal: new AbortController().signal })
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
