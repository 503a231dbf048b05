/** Parses ffmpeg's `framecrc` output, which lists the packets of a file: lines of `#name track:
 *  value`, then one line per packet, `track, decoded at, shown at, duration, size, checksum`. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

type FramecrcLine =
  | { kind: 'fact'; track: number; name: string; value: string }
  /** A packet. Its times are in the unit that the track's line `#tb` declares. */
  | { kind: 'packet'; track: number; shownAt: number; duration: number }

/** Yields the lines of ffmpeg's output; lines of any other kind are left out. */
export async function* framecrcLines(output: Readable): AsyncGenerator<FramecrcLine> {
  for await (const line of createInterface({ input: output })) {
    const fact = /^#(\w+) (\d+): (.*)$/.exec(line)
    if (fact) yield { kind: 'fact', track: Number(fact[2]), name: fact[1] ?? '', value: fact[3] ?? '' }
    const packet = /^(\d+), *-?\d+, *(-?\d+), *(\d+),/.exec(line)
    if (packet) yield { kind: 'packet', track: Number(packet[1]), shownAt: Number(packet[2]), duration: Number(packet[3]) }
  }
}

/** Returns the length of one unit of time in seconds, from the value of a line `#tb`, such as
 *  `1/12288`. Returns 0 for any other text. */
export function secondsOfUnit(value: string): number {
  const [left = 0, right = 0] = value.split('/').map(Number)
  return right > 0 ? left / right : 0
}
