/** Measures the true length of a sound or video: headers may lie, so ffmpeg reads the file to its
 *  end and stores none of it. */
import type { Readable } from 'node:stream'
import { mostHours, soundDemuxers } from '../audio/decode.ts'
import { assertOwnEnd, startFfmpeg } from '../audio/ffmpeg.ts'
import { GatewayError } from '../errors.ts'
import { mostStandstillMs } from '../process/standstill.ts'
import { about, type FieldName } from '../requests/field-names.ts'
import { videoDemuxers } from '../video/decode.ts'
import { framecrcTo, readFramecrc, secondsOfUnit } from './framecrc.ts'

export interface MeasureOptions {
  /** How to measure. `sound` decodes the first sound track and counts its samples. `picture` reads
   *  the frame times of the first video track without decoding. */
  track: 'sound' | 'picture'
  /** Measuring stops after this many seconds of the track. Four hours and a second when absent. */
  mostSeconds?: number
  signal: AbortSignal
  /** The name of the request field with the file, for errors. */
  field: FieldName
  /** Called between two pieces of the file; ffmpeg pauses until it resolves. */
  giveWay?(): Promise<void>
}

interface TrackLength {
  seconds: number
  /** Number of packets that were read; for a video track, of its frames. */
  packets: number
}

interface Measure {
  demuxers: string
  /** Arguments of ffmpeg for a track of at most this many seconds. */
  reading(mostSeconds: number): string[]
  /** Limit of CPU seconds. */
  cpuSeconds: number
}

const measures: Readonly<Record<MeasureOptions['track'], Measure>> = {
  sound: {
    demuxers: soundDemuxers,
    // The filters derive the time of each sample from the number of samples before it, so that
    // false times in headers or packets have no effect, and make pieces of a number of samples for
    // which ffmpeg writes little and can still be paused.
    reading: () => ['-map', '0:a:0', '-af', 'asetnsamples=n=4096:p=0,asetpts=N/SR/TB'],
    // As much as two busy threads use in ten minutes.
    cpuSeconds: 1_200,
  },
  picture: {
    demuxers: videoDemuxers,
    reading: most => ['-map', '0:v:0', '-c', 'copy', '-frames:v', String(mostFrames(most) + 1)],
    // Reading four hours of video takes some seconds.
    cpuSeconds: 60,
  },
}

/** A video may have `framesAnyway` frames, whatever its length, and `framesOfSecond` more for each
 *  second. The number is limited because this process reads a line for each frame (about 0.4 us of
 *  CPU time), and a file of 50 MB may declare 50 million frames. */
const [framesAnyway, framesOfSecond] = [100_000, 240]

function mostFrames(seconds: number): number {
  return Math.floor(framesAnyway + framesOfSecond * seconds)
}

/** Returns the seconds of the track, up to about `mostSeconds`; undefined when ffmpeg finds nothing
 *  readable. For a truncated file it is the length of the readable part. Throws `invalid_request`
 *  with the field for a video with too many frames (`mostFrames`), and `internal_error` when ffmpeg
 *  was ended from outside. Throws `engine_timeout` after ten minutes, but with `giveWay` (whose
 *  pauses do not count) after twenty minutes of CPU time, and for a video after a minute of CPU
 *  time. Also throws the signal's reason and the errors of `giveWay`. */
export async function measureLength(
  path: string,
  { track, mostSeconds = mostHours * 3600 + 1, signal, field, giveWay }: MeasureOptions,
): Promise<number | undefined> {
  const { demuxers, reading, cpuSeconds } = measures[track]
  const output = [...reading(mostSeconds), '-t', String(mostSeconds), ...framecrcTo('pipe:1')]
  const child = await startFfmpeg(['-nostdin', '-format_whitelist', demuxers, '-i', `file:${path}`, ...output], {
    signal,
    memoryBytes: 3 * 1024 ** 3,
    cpuSeconds,
    ...(giveWay ? { timeMs: mostStandstillMs } : {}),
  })
  child.stdin.end()
  const { seconds, packets } = await lengthIn(child.stdout, giveWay).catch(error => {
    child.kill()
    throw error
  })
  try {
    await child.ended
  } catch (error) {
    assertOwnEnd(error, {
      late: 'The length of a file could not be measured in time.',
      stopped: 'The program that measures a file was ended before it was done.',
    })
  }
  const most = mostFrames(mostSeconds)
  if (track === 'picture' && packets > most) {
    const limit = `at most ${framesAnyway}, and ${framesOfSecond} more for each of ${mostSeconds} seconds.`
    throw new GatewayError('invalid_request', about(field, `has more than ${most} frames; ${limit}`), { field })
  }
  return seconds > 0 ? seconds : undefined
}

/** Returns the latest end time of all packets, and their number. */
async function lengthIn(output: Readable, giveWay: MeasureOptions['giveWay']): Promise<TrackLength> {
  let unit = 0
  let end = 0
  let packets = 0
  await readFramecrc(output, {
    fact: (_track, name, value) => {
      if (name === 'tb') unit = secondsOfUnit(value)
    },
    packet: (_track, shownAt, duration) => {
      end = Math.max(end, shownAt + duration)
      packets += 1
    },
    ...(giveWay ? { giveWay } : {}),
  })
  return { seconds: end * unit, packets }
}
