/** Bodies kept as sent. A large one is written to a file, and its JSON is parsed with
 *  placeholders in place of long strings; a small one stays in memory (`src/http/body/body.ts`). */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Json } from '@generation-gateway/kit/json.ts'
import { withTexts } from '@generation-gateway/kit/json-texts.ts'
import type { CutText } from '@generation-gateway/kit/requests/usage/file-tokens.ts'
import type { RelaySpec } from '../../contract/relay.ts'
import type { Members } from './json-members.ts'
import { type CutString, LongStrings, type LongStringsLimits } from './long-strings.ts'
import type { SpillFiles } from './spill-files.ts'

/** Returns the names of the top-level members whose values a relay replaces. */
export function splicedMembers({ splice, modelWithin }: RelaySpec): ReadonlySet<string> {
  return new Set(['model', ...(splice ? [splice.member] : []), ...(modelWithin?.members ?? [])])
}

/** A body as it was sent: `buffer` for a small body, `spool` for one that is in a file.
 *  `members` are the offsets of the members whose values a relay replaces. */
export type RawBody = ({ buffer: Buffer } | { spool: SpooledBody }) & { members: Members }

export interface SpooledBody {
  file: string
  bytes: number
  /** The JSON that was parsed: the body with placeholders in place of long strings. */
  residual: Buffer
  /** Maps an offset in `residual` to the offset in the body as sent. */
  bodyOffset(residualOffset: number): number
  /** Describes the string for which the placeholder `text` stands; undefined when `text` is not a
   *  placeholder. */
  cutOf(text: string): CutText | undefined
  /** Returns a parsed value in which the placeholders are replaced by their strings, which are
   *  read from the file. Throws `invalid_json` when such a string is malformed. */
  restore(value: unknown): Promise<unknown>
}

/** A piece of the body that is sent to an upstream: bytes, or a range of the file with the
 *  caller's body (`end` exclusive). */
export type BodyPiece = Buffer | { start: number; end: number }

/** Writes a body to a file and at the same time keeps its JSON without long strings for parsing.
 *  The caller owns `files`: it waits for the writes and removes the file. */
export class RawSpool {
  readonly #files: SpillFiles
  readonly #strings: LongStrings
  readonly #name: string
  #bytes = 0

  constructor(files: SpillFiles, limits: LongStringsLimits) {
    this.#files = files
    this.#strings = new LongStrings(limits)
    this.#name = files.open()
  }

  feed(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#files.write(chunk)
    this.#strings.feed(chunk)
  }

  residual(): Buffer {
    return this.#strings.residual()
  }

  bodyOffset(residualOffset: number): number {
    return this.#strings.bodyOffset(residualOffset)
  }

  /** Resolves when the whole body is written to its file. */
  async finish(members: Members): Promise<RawBody> {
    this.#files.close()
    await this.#files.drain()
    const strings = this.#strings
    const file = this.#files.pathOf(this.#name)
    return {
      members,
      spool: {
        file,
        bytes: this.#bytes,
        residual: strings.residual(),
        bodyOffset: offset => strings.bodyOffset(offset),
        cutOf: text => cutText(strings.cuts.get(text)),
        restore: value => restore(value, strings, file),
      },
    }
  }
}

function cutText(cut: CutString | undefined): CutText | undefined {
  return cut && { tokens: cut.tokens, bytes: cut.end - cut.start, head: cut.head }
}

/** Returns the pieces as one stream; ranges are read from the file. */
export function streamPieces(file: string, pieces: readonly BodyPiece[]): Readable {
  async function* read(): AsyncGenerator<Buffer> {
    for (const piece of pieces) {
      if (Buffer.isBuffer(piece)) yield piece
      else if (piece.end > piece.start) yield* createReadStream(file, { start: piece.start, end: piece.end - 1, highWaterMark: 512 * 1024 })
    }
  }
  return Readable.from(read(), { objectMode: false, highWaterMark: 512 * 1024 })
}

async function restore(value: unknown, { cuts }: LongStrings, file: string): Promise<unknown> {
  if (cuts.size === 0) return value
  const texts = new Map<string, string>()
  const handle = await open(file, 'r')
  try {
    for (const [placeholder, { start, end }] of cuts) {
      const quoted = Buffer.alloc(end - start + 2, '"')
      await handle.read(quoted, 1, end - start, start)
      texts.set(placeholder, parseString(quoted, start))
    }
  } finally {
    await handle.close()
  }
  // The cast is safe: the value was parsed from JSON.
  return withTexts(value as Json, texts)
}

function parseString(quoted: Buffer, at: number): string {
  try {
    return JSON.parse(quoted.toString('utf8'))
  } catch (cause) {
    throw new GatewayError('invalid_json', `The body is not valid JSON: the string that begins at byte ${at} is broken.`, { cause })
  }
}
