/** Reads a file with ffmpeg: a second opinion beside the index that we read. */
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
  /** Frames that can be decoded. */
  frames: number
  /** Codec, hertz and channels of the sound; absent where there is none. */
  sound?: string
  /** Kinds of the boxes of the file in their order. */
  boxes: string[]
}

export async function probe(path: string): Promise<ProbedVideo> {
  const run = promisify(execFile)
  const { stderr } = await run(await ffmpegPath(), ['-hide_banner', '-i', `file:${path}`, '-map', '0:v', '-f', 'null', '-'])
  const video = /Stream #0:\d.*?: Video: (\w+) \((\w+)\).*?, (\w+)\(([^)]*)\), (\d+)x(\d+).*?, ([\d.]+) fps/.exec(stderr)?.slice(1) ?? []
  // Some versions tell the order of the fields as well.
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
