/** Decodes video files into raw frames of a given size: the first or last frame, every nth one, or
 *  all. */
import { assertOwnEnd, FfmpegError, type FfmpegRun, runFfmpeg, startFfmpeg } from '../audio/ffmpeg.ts'
import { silenceBeforeLateSound } from '../audio/late-start.ts'
import { openRoom } from '../disk-room.ts'
import { GatewayError } from '../errors.ts'
import { mostStandstillMs } from '../process/standstill.ts'
import { about, type FieldName } from '../requests/field-names.ts'
import { fitted } from './fitted.ts'

interface DecodeFramesOptions {
  /** Width of the frames, pixels. */
  width: number
  height: number
  /** How a video with another aspect ratio is fitted to the size: `stretch` (the default) distorts
   *  it, `pad` adds black borders, `crop` cuts off two sides. */
  fit?: 'stretch' | 'pad' | 'crop'
  /** The frames to decode; all of them when absent. */
  which?: 'first' | 'last' | { every: number }
  /** Frame rate of the result. Frames are dropped or repeated when the video has another rate. */
  framesPerSecond?: number
  /** Decodes only this many seconds from the beginning. */
  seconds?: number
  /** ffmpeg filters: those in `before` run before the frames get their rate and size, those in
   *  `behind` run afterwards. */
  filters?: { before: readonly string[]; behind: readonly string[] }
  signal: AbortSignal
  /** The name of the request field with the file, for errors; `base` when absent. */
  field?: FieldName
}

/** ffmpeg demuxers for the containers that the interface names (docs/interface/videos.md#v, #k).
 *  Playlist formats are left out, because they make ffmpeg open further files. */
export const videoDemuxers = 'mov,matroska,avi,flv,mpeg,mpegts,asf,mpegvideo'
const memoryBytes = 3 * 1024 ** 3
const stopped = 'The decoder was ended before it was done.'
const soundBytesPerSecond = 48_000 * 2 * 4

/** Yields the frames as RGBA, four bytes per pixel, row by row. While the reader does not take
 *  frames, the decoder pauses (back-pressure); leaving the loop ends it. Throws
 *  `invalid_input_file`, with the field, for a file that is not a video or is damaged,
 *  `engine_timeout` after ten minutes, `internal_error` when ffmpeg was ended from outside, and the
 *  signal's reason. */
export async function* decodeFrames(path: string, options: DecodeFramesOptions): AsyncGenerator<Uint8Array> {
  const { width, height, which } = options
  const child = await startDecoder(path, { ...options, to: 'pipe:1' })
  const bytes = width * height * 4
  let last: Uint8Array | undefined
  let count = 0
  try {
    for await (const frame of cut(child.stdout, bytes)) {
      count++
      if (which === 'last') last = frame
      else yield frame
      if (which === 'first') return
    }
    if (last) yield last
    await ended(child, options)
    if (count === 0) throw refused(options, 'contains no picture.')
  } finally {
    child.kill()
  }
}

/** Writes the frames as RGBA into a named pipe. A slow reader at the other end makes the decoder
 *  wait. Throws the same errors as `decodeFrames`, but `engine_timeout` only after a day, or after
 *  20 minutes of CPU time. */
export async function decodeInto(path: string, { pipe, ...options }: DecodeFramesOptions & { pipe: string }): Promise<void> {
  const child = await startDecoder(path, { ...options, to: `file:${pipe}`, timeMs: mostStandstillMs, cpuSeconds: 1_200 })
  child.stdout.resume()
  await ended(child, options)
}

/** Writes the first `seconds` of a video's sound to the file `to`, after applying ffmpeg's
 *  `filters`: 32-bit floats, interleaved stereo at 48 kHz, 384,000 bytes a second. Returns false
 *  when ffmpeg finds no sound that it can decode. Throws the signal's reason, `disk_full`, and
 *  `FfmpegError` for a limit exceeded. */
export async function decodeVideoSound(
  path: string,
  { to, seconds, signal, filters = [] }: { to: string; seconds: number; signal: AbortSignal; filters?: readonly string[] },
): Promise<boolean> {
  const input = ['-format_whitelist', videoDemuxers, '-i', `file:${path}`, '-map', '0:a:0', '-vn', '-sn', '-dn', '-t', String(seconds)]
  const changed = ['-af', [silenceBeforeLateSound, ...filters].join(',')]
  const fileBytes = Math.ceil(seconds + 1) * soundBytesPerSecond
  const room = openRoom(to, fileBytes)
  try {
    await runFfmpeg(['-y', ...input, ...changed, '-f', 'f32le', '-ar', '48000', '-ac', '2', `file:${to}`], {
      signal,
      memoryBytes,
      fileBytes,
    })
    return true
  } catch (error) {
    if (error instanceof FfmpegError && error.isOwnEnd) return false
    throw error
  } finally {
    room.close()
  }
}

async function startDecoder(
  path: string,
  options: DecodeFramesOptions & { to: string; timeMs?: number; cpuSeconds?: number },
): Promise<FfmpegRun> {
  const {
    width,
    height,
    fit = 'stretch',
    which,
    framesPerSecond,
    seconds,
    signal,
    to,
    filters: given,
    timeMs = 600_000,
    cpuSeconds,
  } = options
  const filters = [
    ...(given?.before ?? []),
    ...(typeof which === 'object' ? [`select='not(mod(n\\,${which.every}))'`] : []),
    ...(framesPerSecond === undefined ? [] : [`fps=${framesPerSecond}`]),
    fitted({ width, height, fit }),
    'setsar=1',
    ...(given?.behind ?? []),
  ]
  const limit = which === 'first' ? ['-frames:v', '1'] : seconds === undefined ? [] : ['-t', String(seconds)]
  const input = ['-format_whitelist', videoDemuxers, '-i', `file:${path}`, '-map', '0:v:0', '-an', '-sn', '-dn']
  const rate = framesPerSecond === undefined ? ['-fps_mode', 'passthrough'] : []
  const child = await startFfmpeg(
    ['-nostdin', '-y', ...input, ...limit, '-vf', filters.join(','), ...rate, '-pix_fmt', 'rgba', '-f', 'rawvideo', to],
    { signal, timeMs, cpuSeconds, memoryBytes },
  )
  child.stdin.end()
  return child
}

async function ended(child: FfmpegRun, options: DecodeFramesOptions): Promise<void> {
  try {
    await child.ended
  } catch (error) {
    assertOwnEnd(error, { late: about(options.field ?? 'base', 'took more than ten minutes to decode.'), stopped })
    throw refused(options, 'cannot be decoded: it is damaged, or no video of a known kind.', error)
  }
}

function refused({ field = 'base' }: Pick<DecodeFramesOptions, 'field'>, says: string, cause?: unknown): GatewayError {
  return new GatewayError('invalid_input_file', about(field, says), { field, cause })
}

/** Joins and splits the chunks of `source` into pieces of exactly `bytes` bytes. */
async function* cut(source: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Uint8Array> {
  let frame = new Uint8Array(bytes)
  let filled = 0
  for await (const chunk of source) {
    let at = 0
    while (at < chunk.length) {
      const taken = Math.min(bytes - filled, chunk.length - at)
      frame.set(chunk.subarray(at, at + taken), filled)
      filled += taken
      at += taken
      if (filled < bytes) continue
      yield frame
      frame = new Uint8Array(bytes)
      filled = 0
    }
  }
}
