/** Reads the properties of a video file (codec, size, frame rate ...) with ffmpeg. Tests use them
 *  to check the project's own parser independently. */
import { execFile } from 'node:child_process'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { ffmpegPath } from '@generation-gateway/kit/audio/ffmpeg.ts'

interface ProbedVideo {
  codec: string
  profile: string
  pixels: string
  colours: string
  width: number
  height: number
  framesPerSecond: number
  seconds: number
  /** Number of frames that can be decoded. */
  frames: number
  /** Codec, sample rate in hertz and number of channels of the sound; absent for a file without
   *  sound. */
  sound?: string
  /** Types of the boxes of the MP4 file, in order. */
  boxes: string[]
}

export async function probe(path: string): Promise<ProbedVideo> {
  const run = promisify(execFile)
  const { stderr } = await run(await ffmpegPath(), ['-hide_banner', '-i', `file:${path}`, '-map', '0:v', '-f', 'null', '-'])
  const video = /Stream #0:\d.*?: Video: (\w+) \((\w+)\).*?, (\w+)\(([^)]*)\), (\d+)x(\d+).*?, ([\d.]+) fps/.exec(stderr)?.slice(1) ?? []
  // Some versions of ffmpeg also print the field order after the colours; it is removed.
  const [codec = '', profile = '', pixels = '', reported = '', width, height, framesPerSecond] = video
  const colours = reported.replace(/, progressive$/, '')
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d+):([\d.]+)/.exec(stderr) ?? []
  const frames = [...stderr.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1]
  const sound = /Stream #0:\d.*?: Audio: (\w+ \(\w+\)).*?, (\d+ Hz), (\w+)/.exec(stderr)?.slice(1).join(', ')
  return {
    codec,
    profile,
    pixels,
    colours,
    width: Number(width),
    height: Number(height),
    framesPerSecond: Number(framesPerSecond),
    seconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
    frames: Number(frames),
    ...(sound ? { sound } : {}),
    boxes: await boxesOf(path),
  }
}

async function boxesOf(path: string): Promise<string[]> {
  await using file = await open(path)
  const { size } = await file.stat()
  const boxes: string[] = []
  const head = Buffer.alloc(16)
  for (let at = 0; at < size; ) {
    await file.read(head, 0, 16, at)
    boxes.push(head.toString('latin1', 4, 8))
    const length = head.readUInt32BE(0)
    at += length === 1 ? Number(head.readBigUInt64BE(8)) : Math.max(8, length)
  }
  return boxes
}
