/** Measures the true length of a sound or video: headers may lie, so ffmpeg reads the file to its
 *  end and stores none of it. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { mostHours, soundDemuxers } from '../audio/decode.ts'
import { assertOwnEnd, startFfmpeg } from '../audio/ffmpeg.ts'
import { videoDemuxers } from '../video/decode.ts'
import { framecrcLines, secondsOfUnit } from './framecrc.ts'

export interface MeasureOptions {
  /** How to measure. `sound` decodes the first sound track and counts its samples. `picture` reads
   *  the frame times of the first video track without decoding. */
  track: keyof typeof tracks
  /** Number of seconds after which measuring stops, because a longer file needs no exact length.
   *  Four hours and a second when absent. */
  mostSeconds?: number
  signal: AbortSignal
}

const tracks = {
  sound: {
    demuxers: soundDemuxers,
    // The filter derives the time of each sample from the number of samples before it, so that
    // false times in headers or packets have no effect.
    reading: ['-map', '0:a:0', '-af', 'asetpts=N/SR/TB', '-f', 'null', '-progress', 'pipe:1'],
    to: '-',
    secondsIn: progressSeconds,
  },
  picture: {
    demuxers: videoDemuxers,
    reading: ['-map', '0:v:0', '-c', 'copy', '-f', 'framecrc'],
    to: 'pipe:1',
    secondsIn: packetSeconds,
  },
}

/** Returns the seconds of the track, up to about `mostSeconds`; undefined when ffmpeg finds nothing
 *  readable. For a truncated file it is the length of the readable part. Throws `engine_timeout`
 *  after ten minutes, `internal_error` when ffmpeg was ended from outside, the signal's reason. */
export async function measureLength(path: string, { track, mostSeconds, signal }: MeasureOptions): Promise<number | undefined> {
  const { demuxers, reading, to, secondsIn } = tracks[track]
  const limit = ['-t', String(mostSeconds ?? mostHours * 3600 + 1)]
  const child = await startFfmpeg(['-nostdin', '-format_whitelist', demuxers, '-i', `file:${path}`, ...reading, ...limit, to], {
    signal,
    memoryBytes: 3 * 1024 ** 3,
  })
  child.stdin.end()
  const seconds = await secondsIn(child.stdout)
  try {
    await child.ended
  } catch (error) {
    assertOwnEnd(error, {
      late: 'The length of a file could not be measured within ten minutes.',
      stopped: 'The program that measures a file was ended before it was done.',
    })
  }
  return seconds > 0 ? seconds : undefined
}

/** Returns the time in the last progress line of ffmpeg that has one. The value is in microseconds,
 *  although its name says ms. */
async function progressSeconds(output: Readable): Promise<number> {
  let micros = 0
  for await (const line of createInterface({ input: output }))
    if (line.startsWith('out_time_ms=')) micros = Number(line.slice('out_time_ms='.length)) || micros
  return micros / 1e6
}

/** Returns the latest end time of all packets, in seconds. */
async function packetSeconds(output: Readable): Promise<number> {
  let unit = 0
  let end = 0
  for await (const line of framecrcLines(output)) {
    if (line.kind === 'packet') end = Math.max(end, line.shownAt + line.duration)
    else if (line.name === 'tb') unit = secondsOfUnit(line.value)
  }
  return end * unit
}
