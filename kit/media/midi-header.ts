/** Reads length and notes of a standard MIDI file. Walks over the events, at most one step per
 *  byte; nothing is played. */

/** Largest file in bytes that is accepted as MIDI; an hour of orchestral music has a tenth of
 *  it. */
export const mostMidiBytes = 2 * 2 ** 20

/** Microseconds of a quarter note when no event sets a tempo: 120 beats a minute. */
const usualQuarter = 500_000

interface TrackCursor {
  bytes: Buffer
  at: number
  end: number
  track: number
  /** Tick at which the track begins, counted from the beginning of the piece. */
  from: number
  perBeat: number
}

interface Tempo {
  tick: number
  /** Length of a quarter note, microseconds. */
  quarter: number
}

/** The press or release of a key. */
export interface MidiKey {
  /** Time since the beginning, in quarter notes. In a file with SMPTE time, which has no quarter
   *  notes, the unit is half a second. */
  beat: number
  /** Number of the track and channel: equal for all keys of one part. */
  part: number
  /** 0 to 15; channel 9 is percussion. */
  channel: number
  pitch: number
  isDown: boolean
}

export interface MidiTune {
  /** The keys in file order: track after track, each in order of time. */
  keys: MidiKey[]
  /** Tempo at the first key press, quarter notes a minute. */
  bpm: number
}

/** Returns the seconds to the last event of a file that begins with `MThd`; undefined for a damaged
 *  file. */
export function midiSeconds(bytes: Buffer): number | undefined {
  return read(bytes)?.seconds
}

/** Returns the notes of a file; undefined for a damaged file. */
export function midiTune(bytes: Buffer): MidiTune | undefined {
  const keys: MidiKey[] = []
  const file = read(bytes, keys)
  if (!file) return undefined
  const first = keys.reduce((least, { isDown, beat }) => (isDown ? Math.min(least, beat) : least), Number.POSITIVE_INFINITY)
  const quarter = file.tempos.findLast(({ tick }) => tick <= first * file.perBeat)?.quarter ?? usualQuarter
  return { keys, bpm: 60e6 / Math.max(1, quarter) }
}

interface TempoMap {
  seconds: number
  /** Tempo changes in order of time; empty with SMPTE time, which has no tempo. */
  tempos: Tempo[]
  /** Number of ticks of a quarter note; with SMPTE time, of half a second. */
  perBeat: number
}

/** Reads the file; also collects key presses and releases into `keys` when given. */
function read(bytes: Buffer, keys?: MidiKey[]): TempoMap | undefined {
  if (bytes.length < 14 || bytes.toString('latin1', 0, 4) !== 'MThd') return undefined
  const headerBytes = bytes.readUInt32BE(4)
  const division = bytes.readUInt16BE(12)
  if (headerBytes < 6 || division === 0) return undefined
  const isClock = (division & 0x8000) !== 0
  const perSecond = framesPerSecond(division) * (division & 0xff)
  if (isClock && perSecond === 0) return undefined
  const perBeat = isClock ? (perSecond * usualQuarter) / 1e6 : division
  // The tracks of a format 2 file play one after another.
  const isInTurn = bytes.readUInt16BE(8) === 2
  const tempos: Tempo[] = []
  let count = 0
  let total = 0
  let longest = 0
  for (let at = 8 + headerBytes; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at + 4)
    if (end > bytes.length) return undefined
    if (bytes.toString('latin1', at, at + 4) === 'MTrk') {
      const last = lastTick({ bytes, at: at + 8, end, track: count, from: isInTurn ? total : 0, perBeat }, tempos, keys)
      if (last === undefined) return undefined
      count += 1
      total += last
      longest = Math.max(longest, last)
    }
    at = end
  }
  if (count === 0) return undefined
  const ticks = isInTurn ? total : longest
  if (isClock) return { seconds: ticks / perSecond, tempos: [], perBeat }
  tempos.sort((a, b) => a.tick - b.tick)
  return { seconds: secondsAt(ticks, tempos, perBeat), tempos, perBeat }
}

/** Returns the frames per second of SMPTE time: the upper byte is the rate as a negative number,
 *  where 29 means 29.97. */
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
  for (const tempo of tempos) {
    if (tempo.tick > ticks) break
    add(tempo.tick)
    quarter = tempo.quarter
  }
  add(ticks)
  return seconds
}

/** Returns the end of the track in ticks. Adds the track's tempos to `tempos` and its keys to
 *  `keys`. */
function lastTick(walk: TrackCursor, tempos: Tempo[], keys?: MidiKey[]): number | undefined {
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
      if (keys && status < 0xa0) keys.push(keyAt(walk, tick, status))
      // Program changes and channel pressures have one data byte, all others two.
      walk.at += status >= 0xc0 && status < 0xe0 ? 1 : 2
      continue
    }
    const kind = status === 0xff ? walk.bytes[walk.at++] : undefined
    const length = variable(walk)
    if (length === undefined || walk.at + length > walk.end) return undefined
    if (kind === 0x51 && length === 3) tempos.push({ tick: walk.from + tick, quarter: walk.bytes.readUIntBE(walk.at, 3) })
    walk.at += length
    if (kind === 0x2f) return tick
  }
  return tick
}

function keyAt({ bytes, at, track, from, perBeat }: TrackCursor, tick: number, status: number): MidiKey {
  const channel = status & 0xf
  const isDown = status >= 0x90 && (bytes[at + 1] ?? 0) > 0
  return { beat: (from + tick) / perBeat, part: track * 16 + channel, channel, pitch: (bytes[at] ?? 0) & 0x7f, isDown }
}

/** Reads a variable-length number: 7 bits per byte, at most four bytes. */
function variable(walk: TrackCursor): number | undefined {
  let value = 0
  for (let count = 0; count < 4 && walk.at < walk.end; count++) {
    const byte = walk.bytes[walk.at++] ?? 0
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return value
  }
  return undefined
}
