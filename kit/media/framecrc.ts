/** Parses ffmpeg's `framecrc` output, which lists the packets of a file: lines of `#name track:
 *  value`, then one line per packet, `track, decoded at, shown at, duration, size, checksum`. */
import type { Readable } from 'node:stream'

interface FramecrcReader {
  /** Takes a line `#name track: value`. */
  fact(track: number, name: string, value: string): void
  /** Takes a packet. Its times are in the unit that the track's line `#tb` declares. */
  packet(track: number, shownAt: number, duration: number): void
  /** Called between two pieces of the output; ffmpeg pauses, once its pipe is full, until it
   *  resolves. */
  giveWay?(): Promise<void>
}

/** Returns arguments that make ffmpeg list the packets. It writes some hundred lines at a time:
 *  by default, it writes each line by itself, which this process would receive as an event each. */
export function framecrcTo(output: string): string[] {
  return ['-flush_packets', '0', '-f', 'framecrc', output]
}

/** Reads ffmpeg's output to its end. Lines of any other kind are left out. A small file may have
 *  millions of packets, so a line costs as little as it can: about 0.4 us of CPU time. */
export async function readFramecrc(output: Readable, reader: FramecrcReader): Promise<void> {
  let rest = ''
  for await (const chunk of output.setEncoding('latin1')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line, reader)
    await reader.giveWay?.()
  }
  readLine(rest, reader)
}

function readLine(line: string, reader: FramecrcReader): void {
  if (line.startsWith('#')) {
    const fact = /^#(\w+) (\d+): (.*)$/.exec(line)
    if (fact) reader.fact(Number(fact[2]), fact[1] ?? '', fact[3] ?? '')
    return
  }
  const afterTrack = line.indexOf(',')
  const afterDecoded = line.indexOf(',', afterTrack + 1)
  const afterShown = line.indexOf(',', afterDecoded + 1)
  const afterDuration = line.indexOf(',', afterShown + 1)
  if (afterTrack < 1 || afterDecoded < 0 || afterShown < 0 || afterDuration < 0) return
  // `Number` ignores the spaces with which ffmpeg aligns the columns.
  const [track, shownAt] = [Number(line.slice(0, afterTrack)), Number(line.slice(afterDecoded + 1, afterShown))]
  const duration = Number(line.slice(afterShown + 1, afterDuration))
  if (track >= 0 && duration >= 0 && Number.isFinite(shownAt)) reader.packet(track, shownAt, duration)
}

/** Returns the length of one unit of time in seconds, from the value of a line `#tb`, such as
 *  `1/12288`. Returns 0 for any other text. */
export function secondsOfUnit(value: string): number {
  const [left = 0, right = 0] = value.split('/').map(Number)
  return right > 0 ? left / right : 0
}
