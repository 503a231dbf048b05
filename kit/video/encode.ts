/** Raw frames into an H.264 MP4 file, with sound or without: the pictures come from an iterable or out of a named pipe, as they are made. */

import { rm, writeFile } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { runFfmpeg, startFfmpeg } from '../audio/ffmpeg.ts'
import type { EnginePriority } from '../driver.ts'
import { GatewayError } from '../errors.ts'
import { mostStandstillMs } from '../process/standstill.ts'
import { GiB } from '../units.ts'

/** Bytes of a pixel: `rgba` is full range sRGB, `i420` three planes of BT.709 in the range of television. */
type FramePixels = 'rgba' | 'i420'

interface EncodeVideoOptions {
  /** Pixels: even numbers of 2 to 8192. */
  width: number
  height: number
  /** More than 0, at most 120. */
  framesPerSecond: number
  /** One buffer a frame; or a named pipe into which another process writes them, one after the other. */
  frames: AsyncIterable<Uint8Array> | { path: string }
  pixels: FramePixels
  /** Interleaved stereo of 48 kHz, -1 to 1, or a file of such 32-bit floats that is there before the first frame; what is longer than the pictures is left out, what is shorter ends in silence. */
  sound?: Float32Array | { path: string } | undefined
  /** The MP4 file that is written. */
  path: string
  signal: AbortSignal
  /** Of the encoder's process; `low` when absent. */
  priority?: EnginePriority | undefined
  /** Told the number of frames that have been encoded, several times a second. */
  onFrame?(frames: number): void
}

interface EncodedVideo {
  path: string
  frames: number
  seconds: number
}

/** Hertz of the sound of a video. */
export const videoSampleRate = 48_000
const largestSide = 8192
/** No visible blocks in flat skies. With the preset `superfast` a frame of drawn art at 1280x720 takes 12 to 14 ms of one core, with `veryfast` at 19 twice that for the same size and 0.5 to 1 dB more. */
const quality = 21
/** Frames that look ahead (three by the preset) would wait whole in memory: of 1920x1080 they take 131 MB with it, 67 without, and a quarter more time, for 7 % smaller files at the same 45.2 dB. */
const framesAhead = 0
/** Three minutes of 3840x2160 noise have 1.6 GB at this quality. */
const mostVideoBytes = 2 * GiB

/** Arguments for an MP4 file whose index is in front, and whose bytes depend on its content alone. */
export const plainFile = '-map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -movflags +faststart -f mp4'.split(' ')

/** Encodes H.264 High in yuv420p with BT.709 tags, AAC where there is sound, and the index in front. Every frame that came is in the file, and no other.
 *  Throws `invalid_request` for sizes and rates out of range and for a frame of another size; what the frames throw; the signal's reason; `FfmpegError`. */
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
  /** The MP4 file with the pictures, which are taken as they are. */
  pictures: string
  /** A file of interleaved stereo of 48 kHz, 32-bit floats, -1 to 1. */
  sound: string
  /** Of the pictures. */
  seconds: number
}

/** Writes an MP4 file of the pictures and a sound of exactly their length: a longer one is cut, a shorter one ends in silence. ffmpeg's own `-shortest` lets the sound run on by tenths of a second where pictures come slowly (version 9).
 *  Throws the signal's reason, and `FfmpegError`. */
export async function addSound({ pictures, sound, seconds, path, signal, priority }: AddedSound): Promise<void> {
  const samples = Math.round(seconds * videoSampleRate)
  const sounds = [...words(`-f f32le -ar ${videoSampleRate} -ac 2 -i`), `file:${sound}`]
  const audio = words(`-map 0:v -c:v copy -map 1:a -af apad=whole_len=${samples},atrim=end_sample=${samples} -c:a aac -b:a 128k`)
  await runFfmpeg(['-y', '-i', `file:${pictures}`, ...sounds, ...audio, ...plainFile, `file:${path}`], {
    ...{ signal, priority, memoryBytes: 3 * GiB, fileBytes: mostVideoBytes },
  })
}

/** The number of frames that came. */
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
  const told = (async () => {
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
    await Promise.all([child.ended, told, isFed])
  } catch (error) {
    throw problem ? problem.error : error
  } finally {
    child.kill()
  }
  return encoded
}

/** Bytes of one frame. */
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

/** Filter that says what the colours of frames are, and changes none: from version 7 on the encoder believes its frames and not its options. */
export const televisionTags = 'setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709'

/** Arguments of ffmpeg for the pictures alone. */
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

/** The numbers of frames in what ffmpeg says of its progress. */
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
