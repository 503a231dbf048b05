/** Length of a standard MIDI file. Its events are walked over; nothing is played. */

/** Larger ones are taken for no MIDI: an hour of music for an orchestra has a tenth of it. */
export const mostMidiBytes = 2 * 2 ** 20

/** Microseconds of a quarter note where no event tells another: 120 beats a minute. */
const usualQuarter = 500_000

interface Walk {
  bytes: Buffer
  at: number
  end: number
}

interface Tempo {
  tick: number
  /** Microseconds of a quarter note. */
  quarter: number
}

/** Seconds to the last event of a file that begins with `MThd`; undefined for one that is damaged. */
export function midiSeconds(bytes: Buffer): number | undefined {
  if (bytes.length < 14 || bytes.toString('latin1', 0, 4) !== 'MThd') return undefined
  const headerBytes = bytes.readUInt32BE(4)
  const division = bytes.readUInt16BE(12)
  if (headerBytes < 6 || division === 0) return undefined
  const tempos: Tempo[] = []
  const ends: number[] = []
  for (let at = 8 + headerBytes; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at + 4)
    if (end > bytes.length) return undefined
    if (bytes.toString('latin1', at, at + 4) === 'MTrk') {
      const last = lastTick({ bytes, at: at + 8, end }, tempos)
      if (last === undefined) return undefined
      ends.push(last)
    }
    at = end
  }
  if (ends.length === 0) return undefined
  // Format 2 has its tracks one behind the other.
  const ticks = bytes.readUInt16BE(8) === 2 ? ends.reduce((sum, each) => sum + each, 0) : Math.max(...ends)
  if ((division & 0x8000) !== 0) return ticks / (framesPerSecond(division) * (division & 0xff))
  return secondsAt(ticks, tempos, division)
}

/** Of SMPTE time: the upper byte is the rate as a negative number, and 29 is 29.97. */
function framesPerSecond(division: number): number {
  const rate = 0x100 - (division >> 8)
  return rate === 29 ? 30_000 / 1001 : rate
}

function secondsAt(ticks: number, tempos: Tempo[], perQuarter: number): number {
  let seconds = 0
  let from = 0
  let quarter = usualQuarter
  const add = (to: number) => {
    seconds += ((to - from) * quarter) / perQuarter / 1e6
    from = to
  }
  for (const tempo of tempos.toSorted((a, b) => a.tick - b.tick)) {
    if (tempo.tick > ticks) break
    add(tempo.tick)
    quarter = tempo.quarter
  }
  add(ticks)
  return seconds
}

/** Where the track ends, in ticks. Its tempos are put to the others. */
function lastTick(walk: Walk, tempos: Tempo[]): number | undefined {
  let tick = 0
  let running = 0
  while (walk.at < walk.end) {
    const delta = variable(walk)
    if (delta === undefined || walk.at >= walk.end) return undefined
    tick += delta
    const first = walk.bytes[walk.at] ?? 0
    const status = first >= 0x80 ? first : running
    if (first >= 0x80) walk.at += 1
    if (status < 0x80) return undefined
    if (status < 0xf0) {
      running = status
      // Program changes and pressures of a channel have one byte, all others two.
      walk.at += status >= 0xc0 && status < 0xe0 ? 1 : 2
      continue
    }
    const kind = status === 0xff ? walk.bytes[walk.at++] : undefined
    const length = variable(walk)
    if (length === undefined || walk.at + length > walk.end) return undefined
    if (kind === 0x51 && length === 3) tempos.push({ tick, quarter: walk.bytes.readUIntBE(walk.at, 3) })
    walk.at += length
    if (kind === 0x2f) return tick
  }
  return tick
}

/** A number of 7 bits a byte, at most four bytes. */
function variable(walk: Walk): number | undefined {
  let value = 0
  for (let count = 0; count < 4 && walk.at < walk.end; count++) {
    const byte = walk.bytes[walk.at++] ?? 0
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return value
  }
  return undefined
}
