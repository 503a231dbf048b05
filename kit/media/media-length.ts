/** Measures the true length of a sound or video: headers may lie, so ffmpeg reads the file to its
 *  end and stores none of it. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { mostHours, soundDemuxers } from '../audio/decode.ts'
import { assertOwnEnd, startFfmpeg } from '../audio/ffmpeg.ts'
import { GatewayError } from '../errors.ts'
import { about, type FieldName } from '../requests/field-names.ts'
import { videoDemuxers } from '../video/decode.ts'
import { framecrcLines, secondsOfUnit } from './framecrc.ts'

export interface MeasureOptions {
  /** How to measure. `sound` decodes the first sound track and counts its samples. `picture` reads
   *  the frame times of the first video track without decoding. */
  track: 'sound' | 'picture'
  /** Number of seconds after which measuring stops, because a longer file needs no exact length.
   *  Four hours and a second when absent. */
  mostSeconds?: number
  signal: AbortSignal
  /** The name of the request field with the file, for errors. */
  field: FieldName
}

interface TrackLength {
  seconds: number
  /** Number of frames of a video track that were read. */
  frames?: number
}

interface Measure {
  demuxers: string
  /** Arguments of ffmpeg for a track of at most this many seconds. */
  reading(mostSeconds: number): string[]
  to: string
  /** Limit of CPU seconds; the default of `startFfmpeg` when absent. */
  cpuSeconds?: number
  lengthIn(output: Readable): Promise<TrackLength>
}

const measures: Readonly<Record<MeasureOptions['track'], Measure>> = {
  sound: {
    demuxers: soundDemuxers,
    // The filter derives the time of each sample from the number of samples before it, so that
    // false times in headers or packets have no effect.
    reading: () => ['-map', '0:a:0', '-af', 'asetpts=N/SR/TB', '-f', 'null', '-progress', 'pipe:1'],
    to: '-',
    lengthIn: progressLength,
  },
  picture: {
    demuxers: videoDemuxers,
    reading: most => ['-map', '0:v:0', '-c', 'copy', '-frames:v', String(mostFrames(most) + 1), '-f', 'framecrc'],
    to: 'pipe:1',
    // Reading four hours of video takes some seconds.
    cpuSeconds: 60,
    lengthIn: packetLength,
  },
}

/** Largest number of frames of a video, whatever its length, and further ones for each second. This
 *  process reads a line for each frame (about 1 us of CPU time), and a file of 50 MB may declare 50
 *  million frames. */
const [framesAnyway, framesOfSecond] = [100_000, 240]

function mostFrames(seconds: number): number {
  return Math.floor(framesAnyway + framesOfSecond * seconds)
}

/** Returns the seconds of the track, up to about `mostSeconds`; undefined when ffmpeg finds nothing
 *  readable. For a truncated file it is the length of the readable part. Throws `invalid_request`
 *  with the field for a video with more than 100,000 frames and 240 for each of `mostSeconds`,
 *  `engine_timeout` after ten minutes or, for a video, a minute of CPU time, `internal_error` when
 *  ffmpeg was ended from outside, the signal's reason. */
export async function measureLength(
  path: string,
  { track, mostSeconds = mostHours * 3600 + 1, signal, field }: MeasureOptions,
): Promise<number | undefined> {
  const { demuxers, reading, to, cpuSeconds, lengthIn } = measures[track]
  const output = [...reading(mostSeconds), '-t', String(mostSeconds), to]
  const child = await startFfmpeg(['-nostdin', '-format_whitelist', demuxers, '-i', `file:${path}`, ...output], {
    signal,
    memoryBytes: 3 * 1024 ** 3,
    cpuSeconds,
  })
  child.stdin.end()
  const { seconds, frames = 0 } = await lengthIn(child.stdout)
  try {
    await child.ended
  } catch (error) {
    assertOwnEnd(error, {
      late: 'The length of a file could not be measured in time.',
      stopped: 'The program that measures a file was ended before it was done.',
    })
  }
  const most = mostFrames(mostSeconds)
  if (frames > most) {
    const limit = `at most ${framesAnyway}, and ${framesOfSecond} more for each of ${mostSeconds} seconds.`
    throw new GatewayError('invalid_request', about(field, `has more than ${most} frames; ${limit}`), { field })
  }
  return seconds > 0 ? seconds : undefined
}

/** Returns the time in the last progress line of ffmpeg that has one. The value is in microseconds,
 *  although its name says ms. */
async function progressLength(output: Readable): Promise<TrackLength> {
  let micros = 0
  for await (const line of createInterface({ input: output }))
    if (line.startsWith('out_time_ms=')) micros = Number(line.slice('out_time_ms='.length)) || micros
  return { seconds: micros / 1e6 }
}

/** Returns the latest end time of all packets, and their number. */
async function packetLength(output: Readable): Promise<TrackLength> {
  let unit = 0
  let end = 0
  let frames = 0
  for await (const line of framecrcLines(output)) {
    if (line.kind === 'packet') {
      end = Math.max(end, line.shownAt + line.duration)
      frames += 1
    } else if (line.name === 'tb') unit = secondsOfUnit(line.value)
  }
  return { seconds: end * unit, frames }
}
