/** Runs a music request: from its prompt and lyrics to the bytes of the finished files. */
import { copyFile, open } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeSound } from '@generation-gateway/kit/audio/decode.ts'
import { encodeSound } from '@generation-gateway/kit/audio/encode.ts'
import type { EnginePool } from '@generation-gateway/kit/process/pool.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { Failed, InputFile, Job, OutputFile, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import type { MusicEvent, MusicRequest, MusicResult } from '@generation-gateway/kit/requests/music.ts'
import { coverSize } from './cover/size.ts'
import type { InputMidi, InputSound, PieceAnswer, PieceEvent, PieceJob, SoundFiles, WordsJob } from './messages.ts'
import { sampleRate } from './render/rate.ts'
import { createSharedSeries } from './shared-series.ts'

/** Bit rate of the MP3 in bits per second. A quick encode at this rate adds less noise and takes
 *  less time than a slow, careful encode at 192,000. */
const bitRate = 256_000

/** Makes the requested pieces one after another, unless the safety rules forbid their words. For
 *  each piece, yields the encoded sound while it is rendered, then the files. The last event is
 *  the outcome; its report describes each piece (seed, length, style, key ...). The work stops
 *  when the caller leaves the loop. Throws the errors of the pool, the encoder and the decoder. */
export async function* makeMusic(pool: EnginePool, sounds: SoundFiles, job: Job<MusicRequest>): AsyncGenerator<StreamEvent<MusicEvent>> {
  const stop = new AbortController()
  const signal = AbortSignal.any([job.signal, stop.signal])
  const pieces: MusicResult['pieces'] = []
  try {
    const refused = await refusalOf(pool, { ...job, signal })
    if (refused) return yield { type: 'outcome', outcome: refused }
    let decoding: Promise<MusicInput[]> | undefined
    // The input files are decoded once, when the first piece begins.
    const inputs = () => (decoding ??= Promise.all(job.inputs.map(input => decoded(input, { scratch: job.scratch, signal }))))
    for (let piece = 0; piece < job.request.count; piece++) {
      const made = yield* makeOne({ pool, sounds, job, inputs, piece, signal })
      pieces.push(made)
    }
  } finally {
    stop.abort()
  }
  const seconds = pieces.reduce((sum, piece) => sum + piece.seconds, 0)
  const report: MusicResult = { pieces }
  yield { type: 'outcome', outcome: { state: 'done', files: [], report: { ...report }, usage: [{ unit: 'seconds', units: seconds }] } }
}

/** Returns the refusal of the request's words; undefined when they are allowed. */
async function refusalOf(
  pool: EnginePool,
  { request: { prompt = '', lyrics = '' }, account, signal }: Job<MusicRequest>,
): Promise<Failed | undefined> {
  const payload: WordsJob = { prompt, lyrics }
  // The pool's method `review` returns this type; the pool itself types it as unknown.
  return (await pool.run({ method: 'review', payload, account, workMs: 1, signal })) as Failed | undefined
}

type MusicInput = InputSound | InputMidi

/** Decodes an input and writes the samples of both channels to files. A MIDI file is not
 *  changed. */
async function decoded(
  { path, role, mediaType }: InputFile,
  { scratch, signal }: { scratch: string; signal: AbortSignal },
): Promise<MusicInput> {
  if (role === 'melody' && mediaType === 'audio/midi') {
    const midi = join(scratch, 'melody.mid')
    await copyFile(path, midi)
    return { role, midi }
  }
  // The role of an input is also the name of its request field.
  const field = role as FieldName
  const mostSeconds = mostSecondsOf[role]
  const { seconds, channels } = await decodeSound(path, {
    scratch,
    sampleRate,
    channels: 'separate',
    ...(mostSeconds === undefined ? { firstSeconds: mostInputSeconds } : { mostSeconds }),
    signal,
    field,
    name: role,
  })
  return { role, seconds, paths: channels.slice(0, 2).map(channel => channel.path) }
}

/** Longest accepted inputs in seconds: the limits of interface family M
 *  (docs/vendors/mureka.md#uploads) plus half a second, because an encoder may make a file slightly
 *  longer. */
const mostSecondsOf: Readonly<Record<string, number>> = { vocal: 30.5, melody: 60.5 }
/** Number of seconds that are read from the beginning of any other input; the rest is ignored. */
const mostInputSeconds = 600

interface PieceContext {
  pool: EnginePool
  sounds: SoundFiles
  job: Job<MusicRequest>
  inputs(): Promise<readonly MusicInput[]>
  piece: number
  signal: AbortSignal
}

type Piece = MusicResult['pieces'][number]

async function* makeOne({ pool, sounds, job, inputs, piece, signal }: PieceContext): AsyncGenerator<StreamEvent<MusicEvent>, Piece> {
  const { request, scratch } = job
  const { count } = request
  const seed = seedOf(request.seed, piece)
  const name = count === 1 ? 'song' : `song-${piece + 1}`
  const cover = join(scratch, `${name}.png`)
  const { sound, answer, turn, hasCover } = begin({ pool, sounds, job, inputs, piece, signal }, { seed, cover })
  // The child process may still be busy with other jobs. The encoders start only when it begins
  // with this piece.
  await Promise.race([turn, answer])
  const lossless = join(scratch, `${name}.flac`)
  const written = write(lossless, encodeSound(sound.reader(0), { sampleRate, channels: 2, format: { container: 'flac' }, signal }))
  written.catch(() => {})
  const path = join(scratch, `${name}.mp3`)
  const file = await open(path, 'w', 0o600)
  try {
    for await (const bytes of encodeSound(sound.reader(1), {
      sampleRate,
      channels: 2,
      format: { container: 'mp3', bitRate },
      isQuick: true,
      signal,
    })) {
      await file.write(bytes)
      yield { type: 'event', event: { type: 'sound', piece, bytes } }
    }
  } finally {
    await file.close()
  }
  const made = await answer
  await written
  await tellFlacLength(lossless, Math.round(made.seconds * sampleRate))
  const facts = { durationSeconds: made.seconds, channels: 2 }
  const files: OutputFile[] = [
    { path, role: 'song', mediaType: 'audio/mpeg', ...facts },
    { path: lossless, role: 'lossless', mediaType: 'audio/flac', ...facts },
    ...(hasCover() ? [{ path: cover, role: 'cover', mediaType: 'image/png', width: coverSize, height: coverSize }] : []),
  ]
  for (const each of files) yield { type: 'file', file: each }
  return { seed, ...made }
}

/** Queues a piece in the engine's child process. Returns the sound, which arrives while the piece
 *  is rendered; the description of the finished piece (length, style, key ...); and a promise that
 *  resolves when the child process begins with the piece. */
function begin({ pool, sounds, job, inputs, piece, signal }: PieceContext, { seed, cover }: { seed: string; cover: string }) {
  const { prompt = '', lyrics, seconds, count } = job.request
  const turn = Promise.withResolvers<void>()
  const prepare = async (): Promise<PieceJob> => {
    const words = { ...(lyrics === undefined ? {} : { lyrics }), ...(seconds === undefined ? {} : { seconds }) }
    const payload = { prompt, seed, sounds, inputs: await inputs(), cover, ...words }
    turn.resolve()
    return payload
  }
  const sound = createSharedSeries<Float32Array>(2)
  let hasCover = false
  const tell = (reported: unknown) => {
    // The child process reports only events of the type `PieceEvent` (messages.ts).
    const part = reported as PieceEvent
    if (part.kind === 'cover') hasCover = true
    else sound.add(part.samples)
  }
  const progress = (fraction: number) => job.progress((piece + fraction) / count)
  const requested = {
    method: 'make',
    payload: undefined,
    prepare,
    account: job.account,
    workMs: workMs(job.request),
    signal,
    tell,
    progress,
  }
  const answer = pool.run(requested).then(
    value => {
      sound.end()
      return value as PieceAnswer
    },
    error => {
      sound.fail(error)
      throw error
    },
  )
  // The promises are awaited later. Until then, a rejection must have a handler, or it would end
  // the process.
  answer.catch(() => {})
  return { sound, answer, turn: turn.promise, hasCover: () => hasCover }
}

/** Returns the estimated run time in ms: 40 ms for each second of music, 70 ms with singing. */
function workMs({ seconds = 120, lyrics }: MusicRequest): number {
  return seconds * (lyrics === undefined ? 40 : 70)
}

async function write(path: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    for await (const part of parts) await file.write(part)
  } finally {
    await file.close()
  }
}

/** Writes the number of samples into the header of a FLAC file, because it was unknown when the
 *  header was written. The field consists of the 36 bits before the checksum. */
async function tellFlacLength(path: string, samples: number): Promise<void> {
  await using file = await open(path, 'r+')
  const field = Buffer.alloc(5)
  await file.read(field, 0, field.length, 21)
  field.writeUInt8((field.readUInt8(0) & 0xf0) | Math.floor(samples / 2 ** 32), 0)
  field.writeUInt32BE(samples % 2 ** 32, 1)
  await file.write(field, 0, field.length, 21)
}

/** Returns the seed of a piece: the seed of the request plus the index of the piece, as a signed
 *  64-bit number. */
function seedOf(seed: string, piece: number): string {
  return String(BigInt.asIntN(64, BigInt(seed) + BigInt(piece)))
}
