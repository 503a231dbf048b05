/** Joins two videos to one file. The first video is converted to the size and the frame rate of the
 *  second. The sound of the second begins where the first video ends. */
import { open, rename, rm, stat } from 'node:fs/promises'
import { assertOwnEnd, FfmpegError, runFfmpeg } from '@generation-gateway/kit/audio/ffmpeg.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { InputFile, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { decodeVideoSound } from '@generation-gateway/kit/video/decode.ts'
import { addSound, plainFile, televisionTags, videoSampleRate } from '@generation-gateway/kit/video/encode.ts'
import { fitted } from '@generation-gateway/kit/video/fitted.ts'

export interface Shape {
  width: number
  height: number
  /** How the first video is fitted to the size of the second: with borders, or cropped. */
  fit: 'pad' | 'crop'
  framesPerSecond: number
}

/** The container formats that family V accepts. A file in one of these formats cannot make ffmpeg
 *  open another file, as a playlist could. */
const demuxers = 'mov,mpeg,mpegts,mpegvideo'
/** Length of the video's end that is decoded to find the last frame, in seconds. */
const tailSeconds = 2
const memoryBytes = 4 * 1024 ** 3
const bytesOfSample = 2 * 4
/** Largest number of bytes of a joined video. */
const mostBytes = 2 * 1024 ** 3
const mostPngExtra = 1024 ** 2

/** Returns the last frame of a video as PNG, in the size of the new video. Throws
 *  `invalid_input_file` for the field `earlier`, `engine_timeout` when ffmpeg takes too long, and
 *  the reason of the aborted signal. */
export async function lastFrameOf(
  path: string,
  { shape, to, signal }: { shape: Shape; to: string; signal: AbortSignal },
): Promise<Omit<InputFile, 'role'>> {
  const picture = ['-map', '0:v:0', '-an', '-vf', fittedTo(shape), '-update', '1', '-f', 'image2', `file:${to}`]
  const fileBytes = shape.width * shape.height * 4 + mostPngExtra
  const take = (from: string[]) => decoding(['-y', ...from, ...inputOf(path), ...picture], { signal, fileBytes })
  await take(['-sseof', String(-tailSeconds)])
  // In some containers ffmpeg finds no frame when it seeks from the end; then the whole video is
  // decoded.
  if (!(await isThere(to))) await take([])
  if (!(await isThere(to))) throw refused('contains no picture.')
  const { width, height } = shape
  return { path: to, mediaType: 'image/png', width, height, bytes: (await stat(to)).size }
}

interface JoinOptions {
  /** Path of the first video. */
  earlier: string
  later: OutputFile
  shape: Shape
  probeVideo: Inspection['probeVideo']
  /** Largest length of both videos together. */
  mostSeconds: number
  account: string | undefined
  signal: AbortSignal
}

/** Writes the joined video beside the second one's file. Throws the errors of `lastFrameOf`. */
export async function joinVideos({ earlier, later, shape, mostSeconds, probeVideo, account, signal }: JoinOptions): Promise<OutputFile> {
  const pictures = `${later.path}.pictures.mp4`
  const path = later.path.replace(/\.mp4$/, '-joined.mp4')
  const rate = `fps=${shape.framesPerSecond},setsar=1,format=yuv420p`
  const graph = `[0:v:0]${fittedTo(shape)},${rate}[a];[1:v:0]${rate}[b];[a][b]concat=n=2:v=1:a=0,${televisionTags}[v]`
  const codec = '-c:v libx264 -profile:v high -preset veryfast -crf 19 -threads 2'
  // The header of a file may claim any length, so ffmpeg stops one second after the longest allowed
  // length.
  const inputs = ['-t', String(mostSeconds + 1), ...inputOf(earlier), ...inputOf(later.path)]
  const output = ['-map', '[v]', ...codec.split(' '), ...plainFile, `file:${pictures}`]
  await decoding(['-y', ...inputs, '-filter_complex', graph, ...output], { signal, fileBytes: mostBytes })
  try {
    const [all, own] = [await probeVideo(pictures, { account, signal }), await probeVideo(later.path, { account, signal })]
    const startsAt = (all.frames - own.frames) / shape.framesPerSecond
    // Rounding may add one frame, which is allowed.
    if (all.frames > mostSeconds * shape.framesPerSecond + 1)
      throw refused(`and what follows it last longer than ${mostSeconds} seconds together.`)
    const laterSeconds = own.frames / shape.framesPerSecond
    const sound = await soundOf({ earlier, later: later.path, startsAt, laterSeconds, path: `${path}.f32`, signal })
    const seconds = all.frames / shape.framesPerSecond
    if (sound) await addSound({ pictures, sound, seconds, path, signal })
    else await rename(pictures, path)
    if (sound) await rm(sound, { force: true })
    const { channels: _channels, ...facts } = later
    return { ...facts, path, durationSeconds: seconds, ...(sound ? { channels: 2 } : {}) }
  } finally {
    await rm(pictures, { force: true })
  }
}

function inputOf(path: string): string[] {
  return ['-format_whitelist', demuxers, '-i', `file:${path}`]
}

const fittedTo = (shape: Shape): string =>
  fitted({ ...shape, options: 'out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int' })

/** Returns the path of a file with the sounds of both videos, one after the other, as 32-bit
 *  floats. The second sound starts at `startsAt` seconds. Undefined when neither video has
 *  sound. */
async function soundOf({
  earlier,
  later,
  startsAt,
  laterSeconds,
  path,
  signal,
}: {
  earlier: string
  later: string
  startsAt: number
  laterSeconds: number
  path: string
  signal: AbortSignal
}): Promise<string | undefined> {
  const [first, second] = [`${path}.1`, `${path}.2`]
  try {
    const hasFirst = await decodeVideoSound(earlier, { to: first, seconds: startsAt, signal })
    const hasSecond = await decodeVideoSound(later, { to: second, seconds: laterSeconds, signal })
    if (!hasFirst && !hasSecond) return undefined
    const offset = Math.round(startsAt * videoSampleRate) * bytesOfSample
    await using out = await open(path, 'w', 0o600)
    // Parts of the file that are never written are read as zeros, which is silence.
    if (hasFirst) await copyInto(out, { from: first, at: 0, most: offset })
    if (hasSecond) await copyInto(out, { from: second, at: offset, most: Number.POSITIVE_INFINITY })
    return path
  } finally {
    for (const each of [first, second]) await rm(each, { force: true })
  }
}

async function copyInto(
  out: Awaited<ReturnType<typeof open>>,
  { from, at, most }: { from: string; at: number; most: number },
): Promise<void> {
  await using file = await open(from)
  const chunk = Buffer.alloc(1024 * 1024)
  for (let done = 0; done < most; ) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, most - done), done)
    if (bytesRead === 0) return
    await out.write(chunk, 0, bytesRead, at + done)
    done += bytesRead
  }
}

/** Runs ffmpeg. A failure caused by the given file is reported as `invalid_input_file`. */
async function decoding(args: readonly string[], limits: { signal: AbortSignal; fileBytes: number }): Promise<void> {
  try {
    await runFfmpeg(args, { ...limits, memoryBytes, timeMs: 1_200_000 })
  } catch (error) {
    if (error instanceof FfmpegError && error.isOverSize) throw refused('becomes too large a file with what follows it.', error)
    assertOwnEnd(error, {
      late: 'earlier: took more than twenty minutes to join.',
      stopped: 'The program that joins the videos was ended before it was done.',
    })
    throw refused('cannot be decoded: it is damaged, or no video of a known kind.', error)
  }
}

function refused(says: string, cause?: unknown): GatewayError {
  return new GatewayError('invalid_input_file', `earlier: ${says}`, { field: 'earlier', cause })
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
