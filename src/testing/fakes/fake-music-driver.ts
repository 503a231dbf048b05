/** A fake driver for music that the test controls. Each piece is streamed in a few parts; the
 *  file of the piece contains the same bytes as its parts. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DriverSpec, defineDriver, streamed } from '@generation-gateway/kit/driver.ts'
import type { Job, Offers, OutputFile, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import type { MusicEvent, MusicRequest, MusicResult } from '@generation-gateway/kit/requests/music.ts'
import Type from 'typebox'
import { onePixelPng } from './fake-driver.ts'

export type MusicJob = Job<MusicRequest>
type MusicOffer = NonNullable<Offers['music.song']>
type Events = AsyncGenerator<StreamEvent<MusicEvent>>

export const partsPerPiece = 3
const secondsPerPiece = 12

export interface FakeMusicOptions {
  /** Receives each job that runs. */
  jobs?: MusicJob[]
  /** How the driver runs jobs; the default runs `playedMusic`. */
  offer?: MusicOffer
  slots?: number
}

/** Returns a driver with this id that serves songs and instrumentals and supports every field. */
export function fakeMusicDriver(id: string, { jobs = [], offer, slots = 4 }: FakeMusicOptions = {}): DriverSpec {
  const title = `Fake ${id}`
  const settings = Type.Object({})
  const played = streamed<MusicRequest, MusicEvent>(job => {
    jobs.push(job)
    return playedMusic(job)
  })
  const made = offer ?? played
  return defineDriver({
    id,
    title,
    kind: 'upstream',
    settings,
    open: () => ({ id, title, queue: { name: `fake:${id}`, slots }, offers: { 'music.song': made, 'music.instrumental': made } }),
  })
}

/** Returns the bytes of one part of a piece: the first two bytes of an audio frame, then words. */
export function soundOf(piece: number, part: number): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xfb]), Buffer.from(`piece ${piece} part ${part};`)])
}

/** Returns the bytes of a whole piece. */
export function pieceOf(piece: number): Buffer {
  return Buffer.concat(Array.from({ length: partsPerPiece }, (_, part) => soundOf(piece, part)))
}

/** Streams each piece in parts, and waits for `beforePart` before each part. Then returns the
 *  files, with a line of lyrics for every two seconds. */
export async function* playedMusic(job: MusicJob, beforePart: (piece: number, part: number) => Promise<void> = async () => {}): Events {
  const { request, scratch, signal } = job
  const { count, lyrics = '', prompt = '', seed } = request
  const pieces: MusicResult['pieces'] = []
  for (let piece = 0; piece < count; piece++) {
    for (let part = 0; part < partsPerPiece; part++) {
      await beforePart(piece, part)
      signal.throwIfAborted()
      yield { type: 'event', event: { type: 'sound', piece, bytes: soundOf(piece, part) } }
    }
    for (const file of await filesOf(scratch, piece)) yield { type: 'file', file }
    const texts = lyrics.split('\n').filter(line => line !== '' && !line.startsWith('['))
    const lines = texts.map((text, index) => ({ text, startSeconds: 2 * index, endSeconds: 2 * index + 1.5 }))
    pieces.push({ seed: String(BigInt(seed) + BigInt(piece)), seconds: secondsPerPiece, style: prompt, lines })
  }
  const usage = [{ unit: 'seconds', units: count * secondsPerPiece }]
  yield { type: 'outcome', outcome: { state: 'done', files: [], report: { pieces }, usage } }
}

async function filesOf(scratch: string, piece: number): Promise<OutputFile[]> {
  const made: [role: string, mediaType: string, bytes: Buffer][] = [
    ['song', 'audio/mpeg', pieceOf(piece)],
    ['lossless', 'audio/flac', Buffer.from(`fLaC ${piece}`)],
    ['cover', 'image/png', onePixelPng],
  ]
  const files: OutputFile[] = []
  for (const [role, mediaType, bytes] of made) {
    const path = join(scratch, `${role}-${piece}`)
    await writeFile(path, bytes)
    files.push({ role, path, mediaType, ...(role === 'cover' ? { width: 1, height: 1 } : { durationSeconds: secondsPerPiece }) })
  }
  return files
}
