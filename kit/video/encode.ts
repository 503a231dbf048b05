/** Encodes raw frames into an H.264 MP4 file, with or without sound, while the frames arrive from
 *  an iterable or a named pipe. */

import { rm, writeFile } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { runFfmpeg, startFfmpeg } from '../audio/ffmpeg.ts'
import type { EnginePriority } from '../driver.ts'
import { GatewayError } from '../errors.ts'
import { mostStandstillMs } from '../process/standstill.ts'
import { GiB } from '../units.ts'

/** Pixel format: `rgba` is full-range sRGB; `i420` is three planes (Y, U, V) of BT.709 in limited
 *  range. */
type FramePixels = 'rgba' | 'i420'

interface EncodeVideoOptions {
  /** Width in pixels: an even number, 2 to 8192. */
  width: number
  height: number
  /** Frame rate: more than 0, at most 120. */
  framesPerSecond: number
  /** The frames: one buffer per frame; or a named pipe into which another process writes the frames
   *  one after the other. */
  frames: AsyncIterable<Uint8Array> | { path: string }
  pixels: FramePixels
  /** The sound: either samples (interleaved stereo at 48 kHz, -1 to 1), or a file of such samples
   *  as 32-bit floats. The file must be complete when the frames end. A sound longer than the video
   *  is cut; after a shorter one the rest of the video is silent. */
  sound?: Float32Array | { path: string } | undefined
  /** Path of the MP4 file to write. */
  path: string
  signal: AbortSignal
  /** Scheduling priority of the encoder's process; `low` when absent. */
  priority?: EnginePriority | undefined
  /** Receives the number of frames encoded so far, several times a second. */
  onFrame?(frames: number): void
}

interface EncodedVideo {
  path: string
  frames: number
  seconds: number
}

/** Sample rate of a video's sound, Hz. */
export const videoSampleRate = 48_000
const largestSide = 8192
/** Constant rate factor (CRF) of the encoder, chosen so that flat skies show no visible blocks.
 *  With the preset `superfast`, a frame of drawn art at 1280x720 takes 12 to 14 ms on one core. The
 *  preset `veryfast` at factor 19 takes twice that time. Its files have the same size, and their
 *  PSNR is 0.5 to 1 dB higher. */
const quality = 21
/** Largest number of B-frames in a row. For B-frames the encoder keeps uncompressed frames in
 *  memory. With three, the preset's default, encoding 1920x1080 takes 131 MB instead of 67 MB and
 *  25 % more time. The files are then 7 % smaller at the same PSNR of 45.2 dB. */
const framesAhead = 0
/** Largest file in bytes. The worst case, three minutes of noise at 3840x2160, takes 1.6 GB at this
 *  quality. */
const mostVideoBytes = 2 * GiB

/** ffmpeg arguments for an MP4 file with its index at the beginning. The arguments switch off dates
 *  and version texts, so that the bytes of the file depend only on its contents. */
export const plainFile = '-map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -movflags +faststart -f mp4'.split(' ')

/** Encodes the frames as H.264 High in yuv420p with BT.709 tags, the sound as AAC, and writes the
 *  index at the beginning of the file. The file contains exactly the given frames. Throws
 *  `invalid_request` for sizes and rates out of range and for a frame of the wrong size; the errors
 *  of `frames`; the signal's reason; `FfmpegError`. */
export async function encodeVideo(options: EncodeVideoOptions): Promise<EncodedVideo> {
  const { framesPerSecond, sound, path, signal, priority } = options
  checkShape(options)
  if (!sound) {
    const frames = await encodePictures(options)
    return { path, frames, seconds: frames / framesPerSecond }
  }
  const isOwn = sound instanceof Float32Array
  const soundPath = isOwn ? `${path}.f32` : sound.path
  const pictures = `${path}.pictures.mp4`
  try {
    if (isOwn) await writeFile(soundPath, Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength), { mode: 0o600 })
    const frames = await encodePictures({ ...options, path: pictures })
    const seconds = frames / framesPerSecond
    await addSound({ pictures, sound: soundPath, seconds, path, signal, priority })
    return { path, frames, seconds }
  } finally {
    await rm(pictures, { force: true })
    if (isOwn) await rm(soundPath, { force: true })
  }
}

interface AddedSound extends Pick<EncodeVideoOptions, 'path' | 'signal' | 'priority'> {
  /** Path of the MP4 file with the video track, which is copied without re-encoding. */
  pictures: string
  /** Path of a file of interleaved stereo at 48 kHz, 32-bit floats, -1 to 1. */
  sound: string
  /** Length of the video track in seconds. */
  seconds: number
}

/** Writes an MP4 file with the video track and a sound of exactly its length: a longer sound is
 *  cut, a shorter one ends in silence. ffmpeg's own option `-shortest` (version 9) is not used,
 *  because it lets the sound run on by tenths of a second when frames arrive slowly. Throws the
 *  signal's reason, and `FfmpegError`. */
export async function addSound({ pictures, sound, seconds, path, signal, priority }: AddedSound): Promise<void> {
  const samples = Math.round(seconds * videoSampleRate)
  const sounds = [...words(`-f f32le -ar ${videoSampleRate} -ac 2 -i`), `file:${sound}`]
  const audio = words(`-map 0:v -c:v copy -map 1:a -af apad=whole_len=${samples},atrim=end_sample=${samples} -c:a aac -b:a 128k`)
  await runFfmpeg(['-y', '-i', `file:${pictures}`, ...sounds, ...audio, ...plainFile, `file:${path}`], {
    ...{ signal, priority, memoryBytes: 3 * GiB, fileBytes: mostVideoBytes },
  })
}

/** Encodes the pictures and returns the number of frames. */
async function encodePictures(options: EncodeVideoOptions): Promise<number> {
  const { width, height, frames, signal, priority, onFrame = () => {} } = options
  const child = await startFfmpeg(encodeArguments(options), {
    signal,
    timeMs: mostStandstillMs,
    cpuSeconds: 7_200,
    priority,
    memoryBytes: width * height > 2_100_000 ? 6 * GiB : 3 * GiB,
    fileBytes: mostVideoBytes,
  })
  let encoded = 0
  const reported = (async () => {
    for await (const count of countsIn(child.stdout.setEncoding('utf8'))) {
      encoded = count
      onFrame(count)
    }
  })()
  let problem: { error: unknown } | undefined
  const fed = 'path' in frames ? endInput(child.stdin) : feed(frames, { ...options, stdin: child.stdin, ended: child.ended })
  const isFed = fed.catch(error => {
    problem = { error }
    child.kill()
  })
  try {
    await Promise.all([child.ended, reported, isFed])
  } catch (error) {
    throw problem ? problem.error : error
  } finally {
    child.kill()
  }
  return encoded
}

/** Returns the bytes of one frame. */
function frameBytes({ width, height, pixels }: Pick<EncodeVideoOptions, 'width' | 'height' | 'pixels'>): number {
  return pixels === 'rgba' ? width * height * 4 : (width * height * 3) / 2
}

function checkShape({ width, height, framesPerSecond }: EncodeVideoOptions): void {
  for (const [field, value] of [
    ['width', width],
    ['height', height],
  ] as const) {
    if (!Number.isInteger(value) || value < 2 || value > largestSide || value % 2 !== 0)
      throw new GatewayError('invalid_request', `${field}: is ${value}; a video has an even number of pixels, 2 to ${largestSide}.`, {
        field,
      })
  }
  if (!(framesPerSecond > 0 && framesPerSecond <= 120))
    throw new GatewayError('invalid_request', `framesPerSecond: is ${framesPerSecond}; more than 0 and at most 120 are encoded.`, {
      field: 'framesPerSecond',
    })
}

/** ffmpeg filter that tags frames as BT.709 in limited range without changing pixels. The filter is
 *  needed because, since ffmpeg 7, the encoder takes the tags from the frames and ignores its own
 *  colour options. */
export const televisionTags = 'setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709'

/** Returns the ffmpeg arguments for encoding the frames without sound. */
export function encodeArguments({
  width,
  height,
  framesPerSecond,
  frames,
  pixels,
  path,
}: Pick<EncodeVideoOptions, 'width' | 'height' | 'framesPerSecond' | 'frames' | 'pixels' | 'path'>): string[] {
  const shape = `-f rawvideo -pix_fmt ${pixels === 'rgba' ? 'rgba' : 'yuv420p'} -s ${width}x${height} -framerate ${framesPerSecond}`
  const pictures = [...words(shape), '-i', 'path' in frames ? `file:${frames.path}` : 'pipe:0']
  const toTelevision = 'scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int'
  const filters = [...(pixels === 'rgba' ? [toTelevision] : []), televisionTags].join(',')
  const video = [
    ...['-vf', filters],
    ...words(`-c:v libx264 -profile:v high -pix_fmt yuv420p -preset superfast -bf ${framesAhead} -crf ${quality} -threads 1`),
  ]
  return ['-y', ...pictures, '-map', '0:v', ...video, '-an', ...words('-progress pipe:1'), ...plainFile, `file:${path}`]
}

function words(text: string): string[] {
  return text.split(' ')
}

async function endInput(stdin: Writable): Promise<void> {
  stdin.end()
}

type Feed = EncodeVideoOptions & { stdin: Writable; ended: Promise<void> }

async function feed(frames: AsyncIterable<Uint8Array>, { stdin, ended, signal, ...shape }: Feed): Promise<void> {
  const bytes = frameBytes(shape)
  for await (const frame of frames) {
    signal.throwIfAborted()
    if (frame.byteLength !== bytes)
      throw new GatewayError(
        'invalid_request',
        `A frame has ${frame.byteLength} bytes; ${shape.width}x${shape.height} of ${shape.pixels} has ${bytes}.`,
      )
    if (!stdin.write(frame)) await Promise.race([new Promise(resolve => stdin.once('drain', resolve)), ended])
  }
  stdin.end()
}

/** Yields the numbers of encoded frames that ffmpeg's progress output reports. */
async function* countsIn(text: AsyncIterable<string>): AsyncGenerator<number> {
  let rest = ''
  for await (const part of text) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const count = /^frame=\s*(\d+)/.exec(line)?.[1]
      if (count !== undefined) yield Number(count)
    }
  }
}
