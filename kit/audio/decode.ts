/** Decodes sound files of any container into raw samples on disk, so that a recording of hours is
 *  never held in memory. */
import { createWriteStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { bytesAt } from '../bytes-at.ts'
import { openRoom, type RoomReservation } from '../disk-room.ts'
import { GatewayError } from '../errors.ts'
import { mostStandstillMs } from '../process/standstill.ts'
import { about, type FieldName } from '../requests/field-names.ts'
import { assertOwnEnd, startFfmpeg } from './ffmpeg.ts'
import { silenceBeforeLateSound } from './late-start.ts'
import { monoFrom } from './mix-down.ts'
import { samplesOf } from './pcm.ts'
import { soundInput } from './wav-input.ts'

export interface DecodeOptions {
  /** Folder for the samples. */
  scratch: string
  /** Sample rate of the result, Hz. */
  sampleRate: number
  channels: 'mixed' | 'separate'
  /** Decodes only this many seconds from the beginning; when absent, decodes the whole
   *  recording. */
  firstSeconds?: number
  /** Longest recording in seconds, whatever its header says; a longer one is refused. Four hours
   *  when absent. Not used with `firstSeconds`. */
  mostSeconds?: number
  signal: AbortSignal
  /** Called between two pieces of the recording, each some seconds long; decoding pauses until it
   *  resolves. */
  giveWay?(): Promise<void>
  /** The name of the request field with the file, for errors; `audio` when absent. */
  field?: FieldName
  /** Prefix of the names of the files written; `sound` when absent. */
  name?: string
}

export interface DecodedSound {
  seconds: number
  /** Files of signed 16-bit little-endian mono samples: one file in all, or one for each
   *  channel. */
  channels: { path: string }[]
}

/** Longest recording in hours. At 16 kHz, four hours take 460 MB per channel. */
export const mostHours = 4
const mostChannels = 8
/** Sound tracks of one file that are tried in order. */
const mostTracks = 8
/** Demuxers for the containers that the interface names (docs/interface/sound.md#r3). None of these
 *  demuxers makes ffmpeg open another file, as demuxers for playlists would. */
export const soundDemuxers = 'wav,mp3,mov,ogg,flac,matroska,asf,aac,amr,mpeg,mpegts,aiff,caf,w64'

/** Limits of a decoder that is paused from time to time. Elapsed time would include the pauses, so
 *  the limit is CPU time: as much as two busy threads use in ten minutes. */
const pausedLimits = { timeMs: mostStandstillMs, cpuSeconds: 1_200 }

/** Decodes the first sound track that is not wholly silent, or the first one when all are:
 *  programs that record a screen write the sound of the computer, which may be off, before the
 *  microphone. Throws `invalid_request` with the field for a file that is not sound, is damaged
 *  from its beginning, is longer than allowed or has more than 8 channels; `engine_timeout`
 *  after ten minutes, or with `giveWay`, whose pauses do not count, after twenty minutes of CPU
 *  time; `disk_full`; what `startFfmpeg` throws; and the signal's reason when aborted. */
export async function decodeSound(path: string, options: DecodeOptions): Promise<DecodedSound> {
  const first = await decodeTrack(path, options, 0)
  if (!(await isSilent(first))) return first
  for (let track = 1; track < mostTracks; track++) {
    const later = await laterTrack(path, { ...options, name: `${options.name ?? 'sound'}-track${track}` }, track)
    if (!later) return first
    const other = (await isSilent(later)) ? later : first
    for (const each of other.channels) await rm(each.path, { force: true })
    if (other === first) return later
  }
  return first
}

/** Decodes a further sound track of the file. Returns undefined when the file has no track with
 *  this number, or when that track cannot be decoded. */
async function laterTrack(path: string, options: DecodeOptions, track: number): Promise<DecodedSound | undefined> {
  try {
    return await decodeTrack(path, options, track)
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return undefined
    throw error
  }
}

async function decodeTrack(path: string, options: DecodeOptions, track: number): Promise<DecodedSound> {
  const { scratch, sampleRate, channels, firstSeconds, mostSeconds = mostHours * 3600, signal, giveWay } = options
  const { field = 'audio', name = 'sound' } = options
  const most = firstSeconds ?? mostSeconds + 1
  const isMixed = channels === 'mixed'
  // Makes one mono file of samples without a header. ffmpeg reduces more than two channels to two,
  // and `monoFrom` then mixes those two into one. By default ffmpeg would leave out the third of
  // three channels and the fourth of six, because it treats them as bass channels. In a recording
  // with several microphones such a channel may contain speech, so it is mixed in.
  const target = join(scratch, isMixed ? `${name}-0.s16` : `${name}.wav`)
  const mixing = isMixed ? ':lfe_mix_level=1,aformat=channel_layouts=mono|stereo' : ''
  const shape = ['-af', `${silenceBeforeLateSound}${mixing}`, '-f', 'wav']
  const source = await soundInput(path)
  const input = ['-format_whitelist', soundDemuxers, ...source.args, '-map', `0:a:${track}`, '-vn', '-sn', '-dn', '-t', String(most)]
  // ffmpeg writes to a pipe that this process reads, so that ffmpeg ends when this process ends,
  // and so that this process can limit the size of the output.
  const output = ['-ar', String(sampleRate), '-c:a', 'pcm_s16le', '-bitexact', ...shape, 'pipe:1']
  try {
    const child = await startFfmpeg(['-nostdin', ...input, ...output], { signal, ...(giveWay ? pausedLimits : {}) })
    source.feed(child.stdin)
    const room = openRoom(target)
    try {
      const limits = { field, mostSeconds, bytesEach: Math.ceil(most * sampleRate) * 2, isMixed, room, giveWay }
      const wav = isMixed ? monoFrom(child.stdout, sampleRate) : child.stdout
      await pipeline(wav, limited(limits), createWriteStream(target, { mode: 0o600 }))
    } catch (error) {
      child.kill()
      throw error
    }
    await child.ended
  } catch (error) {
    const stopped = 'The decoder was ended before it was done.'
    assertOwnEnd(error, { late: about(field, 'took more than ten minutes to decode.'), stopped })
    // The readable beginning of a truncated file counts as a recording; only a file without any
    // sound is refused.
    if (await isEmpty(target)) throw refused(field, 'cannot be decoded: it is damaged, or no sound of a known kind.', error)
  }
  const sound = isMixed ? { channels: 1, start: 0, frames: Math.floor((await stat(target)).size / 2) } : await readWav(target)
  if (sound.frames === 0) throw refused(field, 'holds no sound.')
  const seconds = sound.frames / sampleRate
  if (firstSeconds === undefined && seconds > mostSeconds) throw tooLong(field, mostSeconds)
  if (isMixed) return { seconds, channels: [{ path: target }] }
  const paths = Array.from({ length: sound.channels }, (_, index) => join(scratch, `${name}-${index}.s16`))
  await split(target, sound, paths)
  await rm(target, { force: true })
  return { seconds, channels: paths.map(each => ({ path: each })) }
}

/** Returns true when every sample is 0. Reads up to the first piece with another sample. */
async function isSilent({ channels }: DecodedSound): Promise<boolean> {
  const silence = Buffer.alloc(pieceBytes)
  for (const { path } of channels) {
    await using file = await open(path, 'r')
    for (let at = 0; ; at += pieceBytes) {
      const bytes = await bytesAt(file, at, pieceBytes)
      if (!bytes.equals(silence.subarray(0, bytes.length))) return false
      if (bytes.length < pieceBytes) break
    }
  }
  return true
}

/** Returns `count` samples from number `from` on, each -1 to 1; fewer at the end of the file. */
export async function readSamples(path: string, { from, count }: { from: number; count: number }): Promise<Float32Array> {
  await using file = await open(path, 'r')
  return samplesOf(await bytesAt(file, from * 2, count * 2))
}

interface Limits {
  field: FieldName
  mostSeconds: number
  /** Largest number of bytes of one channel. */
  bytesEach: number
  /** True for samples of one mixed channel without a header, false for a WAV. */
  isMixed: boolean
  room: RoomReservation
  giveWay: (() => Promise<void>) | undefined
}

/** Bytes decoded between two calls of `giveWay`: 16 seconds at 16 kHz. */
const pieceBytes = 2 ** 19

/** Returns a step of a pipeline that forwards the decoded sound. The step throws `invalid_request`
 *  for too many channels and for a recording that is too long, before the sound fills the disk. */
function limited({ field, mostSeconds, bytesEach, isMixed, room, giveWay }: Limits) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let channels = isMixed ? 1 : 0
    let bytes = 0
    let pieceEnd = pieceBytes
    for await (const chunk of source) {
      if (channels === 0) {
        channels = channelsIn(chunk)
        if (channels > mostChannels) throw refused(field, `has ${channels} channels; at most ${mostChannels} are taken.`)
      }
      bytes += chunk.length
      if (bytes > bytesEach * channels + 4096) throw tooLong(field, mostSeconds)
      room.take(chunk.length)
      yield chunk
      if (bytes < pieceEnd) continue
      pieceEnd = bytes + pieceBytes
      await giveWay?.()
    }
  }
}

function channelsIn(head: Buffer): number {
  const at = head.indexOf('fmt ', 0, 'latin1') + 10
  return at < 10 || at + 2 > head.length ? 1 : Math.max(1, head.readUInt16LE(at))
}

function tooLong(field: FieldName, mostSeconds: number): GatewayError {
  return refused(field, `lasts more than ${mostSeconds < 3600 ? `${mostSeconds} seconds` : `${mostSeconds / 3600} hours`}.`)
}

function refused(field: FieldName, says: string, cause?: unknown): GatewayError {
  return new GatewayError('invalid_request', about(field, says), { field, cause })
}

async function isEmpty(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size <= 200,
    () => true,
  )
}

interface Wav {
  channels: number
  frames: number
  /** Offset of the first sample in bytes. */
  start: number
}

/** Reads the header of a WAV that ffmpeg has written. */
async function readWav(path: string): Promise<Wav> {
  await using file = await open(path, 'r')
  const head = await bytesAt(file, 0, 512)
  const { size } = await file.stat()
  const channels = channelsIn(head)
  const start = head.indexOf('data', 0, 'latin1') + 8
  return { channels, start, frames: Math.floor(Math.max(0, size - start) / (channels * 2)) }
}

const framesAtOnce = 1 << 18

async function split(path: string, { channels, frames, start }: Wav, targets: readonly string[]): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const source = stack.use(await open(path, 'r'))
  const files = []
  for (const target of targets) files.push(stack.use(await open(target, 'w')))
  const block = Buffer.alloc(framesAtOnce * channels * 2)
  for (let done = 0; done < frames; ) {
    const count = Math.min(framesAtOnce, frames - done)
    const { bytesRead } = await source.read(block, 0, count * channels * 2, start + done * channels * 2)
    const read = Math.floor(bytesRead / (channels * 2))
    if (read === 0) break
    for (const [channel, file] of files.entries()) {
      const part = channels === 1 ? block.subarray(0, read * 2) : channelOf(block, { channel, channels, frames: read })
      await file.write(part)
    }
    done += read
  }
}

function channelOf(block: Buffer, { channel, channels, frames }: { channel: number; channels: number; frames: number }): Buffer {
  const part = Buffer.allocUnsafe(frames * 2)
  for (let frame = 0; frame < frames; frame++) {
    const at = (frame * channels + channel) * 2
    part[frame * 2] = block[at] ?? 0
    part[frame * 2 + 1] = block[at + 1] ?? 0
  }
  return part
}
