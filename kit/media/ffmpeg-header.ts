/** Reads headers that the gateway's own readers cannot read. It uses ffmpeg, which accepts damaged
 *  files and old codecs as players do. ffmpeg lists the packets of the first video track and of the
 *  first sound track without decoding them. */
import { open } from 'node:fs/promises'
import { FfmpegError, startFfmpeg } from '../audio/ffmpeg.ts'
import { soundInput } from '../audio/wav-input.ts'
import { bytesAt } from '../bytes-at.ts'
import { GatewayError } from '../errors.ts'
import type { FileFacts } from '../requests/capability.ts'
import { framecrcTo, readFramecrc, secondsOfUnit } from './framecrc.ts'

interface Container {
  /** The only demuxer that ffmpeg may use for the container. None of the demuxers in `containers`
   *  opens other files, as demuxers for playlists would. */
  demuxer: string
  /** Media type of a file with a video track; `audio` is the media type of a file without a video
   *  track. */
  video: string
  audio: string
  begins(head: Buffer): boolean
}

const text = (head: Buffer, at: number, wanted: string) => head.toString('latin1', at, at + wanted.length) === wanted
const hex = (head: Buffer, wanted: string) => head.toString('hex', 0, wanted.length / 2) === wanted
const isFrame = (head: Buffer, mask: number, wanted: number) => head.length > 1 && (head.readUInt16BE(0) & mask) === wanted

/** All containers that ffmpeg may be used for, recognized by their first bytes. */
const containers: readonly Container[] = [
  sound('wav', 'audio/wav', head => /^(RIFF|RIFX|RF64)$/.test(head.toString('latin1', 0, 4)) && text(head, 8, 'WAVE')),
  { demuxer: 'mpeg', video: 'video/mpeg', audio: 'audio/mpeg', begins: head => hex(head, '000001ba') },
  { demuxer: 'mpegvideo', video: 'video/mpeg', audio: 'video/mpeg', begins: head => hex(head, '000001b3') },
  { demuxer: 'mpegts', video: 'video/mp2t', audio: 'audio/mp2t', begins: head => head[0] === 0x47 && head[188] === 0x47 },
  { demuxer: 'mov', video: 'video/quicktime', audio: 'audio/quicktime', begins: head => text(head, 4, 'ftypqt') || text(head, 4, 'moov') },
  { demuxer: 'mov', video: 'video/mp4', audio: 'audio/mp4', begins: head => text(head, 4, 'ftyp') },
  { demuxer: 'matroska', video: 'video/webm', audio: 'audio/webm', begins: head => hex(head, '1a45dfa3') && head.includes('webm') },
  { demuxer: 'matroska', video: 'video/x-matroska', audio: 'audio/x-matroska', begins: head => hex(head, '1a45dfa3') },
  { demuxer: 'asf', video: 'video/x-ms-asf', audio: 'audio/x-ms-wma', begins: head => hex(head, '3026b2758e66cf11a6d900aa0062ce6c') },
  sound('flac', 'audio/flac', head => text(head, 0, 'fLaC')),
  sound('ogg', 'audio/ogg', head => text(head, 0, 'OggS')),
  sound('amr', 'audio/amr', head => text(head, 0, '#!AMR\n')),
  sound('amr', 'audio/amr-wb', head => text(head, 0, '#!AMR-WB\n')),
  sound('aac', 'audio/aac', head => isFrame(head, 0xfff6, 0xfff0)),
  sound('mp3', 'audio/mpeg', head => text(head, 0, 'ID3') || isFrame(head, 0xffe0, 0xffe0)),
]

function sound(demuxer: string, audio: string, begins: Container['begins']): Container {
  return { demuxer, video: audio, audio, begins }
}

const headBytes = 4096
const timeMs = 8_000
const memoryBytes = 512 * 2 ** 20

/** Returns type, length, size and frame rate, for which ffmpeg reads the file to its end. Returns
 *  undefined for a file that ffmpeg cannot read, or that is in none of the containers. ffmpeg gets
 *  at most 8 s and 512 MiB of address space. Throws the signal's reason, the errors of the file
 *  system, and `inspection_busy` after 8 s or when ffmpeg was ended from outside. */
export async function askFfmpeg(path: string, signal?: AbortSignal): Promise<Omit<FileFacts, 'bytes'> | undefined> {
  const head = await headOf(path)
  const container = containers.find(({ begins }) => begins(head))
  if (!container) return undefined
  const { demuxer, video, audio } = container
  try {
    const report = await packetsOf(path, demuxer, signal)
    const picture = [...report.values()].find(track => track.type === 'video')
    const heard = [...report.values()].find(track => track.type === 'audio')
    const durationSeconds = Math.max(0, ...Array.from(report.values(), secondsOf))
    if ((!picture && !heard) || durationSeconds === 0) return undefined
    const channels = heard?.channels
    const facts = { mediaType: picture ? video : audio, durationSeconds, ...(channels ? { channels } : {}) }
    if (!picture) return facts
    const { width = 0, height = 0, packets } = picture
    return width > 0 && height > 0 ? { ...facts, width, height, framesPerSecond: packets / secondsOf(picture) } : undefined
  } catch (error) {
    // When ffmpeg is not installed, the type of such a file stays unknown.
    if (error instanceof GatewayError && error.code === 'capability_unavailable') return undefined
    if (!(error instanceof FfmpegError)) throw error
    if (!error.isOwnEnd) throw inspectionBusy(error)
    return undefined
  }
}

/** Returns the error for a file that could not be inspected although the file may be valid, for
 *  example because the time ran out. */
export function inspectionBusy(cause: unknown): GatewayError {
  return new GatewayError('inspection_busy', 'There was no time to look at a file; it may be in order. Try again in 5 s.', {
    retryAfterSeconds: 5,
    cause,
  })
}

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path, 'r')
  return await bytesAt(file, 0, headBytes)
}

interface Track {
  type: string
  /** Length of one unit of time, seconds. */
  unit: number
  width?: number
  height?: number
  channels?: number
  packets: number
  /** Sum of the durations of all packets, in units of `unit` seconds. The sum is used because the
   *  timestamps of packets are sometimes missing or damaged. */
  length: number
}

const secondsOf = ({ length, unit }: Track): number => length * unit

/** Returns the first video track and the first sound track, by track number. */
async function packetsOf(path: string, demuxer: string, signal?: AbortSignal): Promise<Map<number, Track>> {
  const input = await soundInput(path)
  const tracks = ['-map', '0:V:0?', '-map', '0:a:0?', '-c', 'copy']
  const child = await startFfmpeg(['-f', demuxer, ...input.args, ...tracks, ...framecrcTo('pipe:1')], {
    ...(signal ? { signal } : {}),
    timeMs,
    memoryBytes,
    priority: 'normal',
  })
  input.feed(child.stdin)
  const found = new Map<number, Track>()
  const trackOf = (index: number): Track => {
    const track = found.get(index) ?? { type: '', unit: 0, packets: 0, length: 0 }
    found.set(index, track)
    return track
  }
  try {
    await readFramecrc(child.stdout, {
      fact: (track, name, value) => setFact(trackOf(track), name, value),
      packet: (track, _shownAt, duration) => addPacket(trackOf(track), duration),
    })
  } catch (error) {
    child.kill()
    throw error
  }
  // A file that ffmpeg cannot read to its end is accepted when ffmpeg has found a track before
  // that.
  await child.ended.catch(error => {
    if (!(error instanceof FfmpegError && error.isOwnEnd && found.size > 0)) throw error
  })
  return found
}

function setFact(track: Track, name: string, value: string): void {
  if (name === 'media_type') track.type = value
  if (name === 'tb') track.unit = secondsOfUnit(value)
  if (name === 'dimensions') {
    const [width = 0, height = 0] = value.split('x').map(Number)
    Object.assign(track, { width, height })
  }
  if (name === 'channel_layout_name') Object.assign(track, channelsIn(value))
}

function channelsIn(layout: string): { channels?: number } {
  const named = new Map([
    ['mono', 1],
    ['stereo', 2],
  ])
  const channels = named.get(layout) ?? Number(/^(\d+) channels/.exec(layout)?.[1] ?? 0)
  return channels > 0 ? { channels } : {}
}

function addPacket(track: Track, length: number): void {
  track.packets += 1
  track.length += length
}
