/** Reads JSON answers that contain files in base64. The files are written to disk while they
 *  arrive; only the rest of the answer is held in memory. */
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { openRoom, type RoomReservation } from '@generation-gateway/kit/disk-room.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import { Base64Decoder, Base64Error } from '@generation-gateway/kit/media/base64-decoder.ts'
import { Base64String } from '@generation-gateway/kit/media/base64-string.ts'
import { upstreamJson } from '../upstream/read-json.ts'
import { TooManyBytesError } from './save-body.ts'

interface AnswerReaderOptions {
  /** Folder for the files. */
  folder: string
  /** Largest size of all files together, in decoded bytes. */
  maxBytes: number
  /** Name of the JSON members that contain files; default `b64_json`. The name consists of at most
   *  24 letters and underscores. */
  member?: string
}

/** Largest size in bytes of an answer without its files. */
const maxRestBytes = 1024 * 1024
/** Largest number of bytes from the beginning of a member that holds a file to the beginning of its
 *  value: the longest name, its quotes, the colon and blanks. */
const longestMember = 60

/** Returns the answer as JSON. In place of the content of a file, the JSON contains the name of the
 *  file in the folder, or '' when the file is empty. Throws `TooManyBytesError` when the files are
 *  too large. Throws `upstream_error` when the answer is not JSON or has more than 1 MiB without
 *  its files, and when a file is not base64. Also throws the errors of reading and of the disk. */
export async function readAnswer(chunks: AsyncIterable<Buffer>, options: AnswerReaderOptions): Promise<JsonObject> {
  const reader = new AnswerReader(options)
  try {
    for await (const chunk of chunks) await reader.add(chunk)
    return reader.end()
  } finally {
    await reader.close()
  }
}

class AnswerReader {
  readonly #folder: string
  /** Matches a member that holds a file, up to the opening quote of its value. A string with the
   *  same text does not match, because its quotes are escaped. */
  readonly #member: RegExp
  #bytesLeft: number
  /** `#rest` and `#open` together are the answer received so far, without the files. Both are
   *  Latin-1 text, so that one character is one byte. Only `#open` may still contain the beginning
   *  of a member that holds a file. */
  #rest = ''
  #open = ''
  #files = 0
  #writer: Base64Writer | undefined

  constructor({ folder, maxBytes, member = 'b64_json' }: AnswerReaderOptions) {
    this.#folder = folder
    this.#member = new RegExp(`"${member}"\\s{0,16}:\\s{0,16}"`)
    this.#bytesLeft = maxBytes
  }

  async add(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      at = this.#writer === undefined ? await this.#addRest(chunk, at) : await this.#addFile(this.#writer, chunk, at)
    }
  }

  end(): JsonObject {
    const text = Buffer.from(this.#rest + this.#open, 'latin1').toString()
    return objectOf(upstreamJson(text))
  }

  async close(): Promise<void> {
    await this.#writer?.close()
  }

  async #addRest(chunk: Buffer, at: number): Promise<number> {
    const open = this.#open + chunk.toString('latin1', at)
    const member = this.#member.exec(open)
    const end = member === null ? Math.max(0, open.length - longestMember) : member.index + member[0].length
    this.#rest += open.slice(0, end)
    this.#open = member === null ? open.slice(end) : ''
    if (this.#rest.length + this.#open.length > maxRestBytes)
      throw new GatewayError(
        'upstream_error',
        `The upstream service answered with more than ${maxRestBytes} bytes in addition to its files.`,
      )
    if (member === null) return chunk.length
    this.#writer = await Base64Writer.create(this.#folder, `answer-${this.#files++}`)
    return chunk.length - (open.length - end)
  }

  async #addFile(writer: Base64Writer, chunk: Buffer, at: number): Promise<number> {
    const { end, bytes } = await writer.write(chunk, at)
    this.#bytesLeft -= bytes
    if (this.#bytesLeft < 0) throw new TooManyBytesError()
    if (writer.isDone) {
      await writer.close()
      this.#rest += `${writer.name}"`
      this.#writer = undefined
    }
    return end
  }
}

/** Writes one file to disk, from the base64 in a JSON string. */
export class Base64Writer {
  readonly #name: string
  readonly #file: FileHandle
  readonly #room: RoomReservation
  /** Decoded bytes that are not yet written. */
  #bytes: Buffer[] = []
  readonly #text = new Base64String(new Base64Decoder(bytes => this.#bytes.push(bytes)))
  #isEmpty = true

  private constructor(name: string, file: FileHandle, room: RoomReservation) {
    this.#name = name
    this.#file = file
    this.#room = room
  }

  static async create(folder: string, name: string): Promise<Base64Writer> {
    const path = join(folder, name)
    return new Base64Writer(name, await open(path, 'w', 0o600), openRoom(path))
  }

  /** Name of the file; '' as long as no byte was written. */
  get name(): string {
    return this.#isEmpty ? '' : this.#name
  }

  /** True when the closing quote of the JSON string has been read. */
  get isDone(): boolean {
    return this.#text.isDone
  }

  /** Decodes the chunk from `at` up to and including the closing quote, and writes the result.
   *  Returns the offset at which it stopped and the number of bytes written. */
  async write(chunk: Buffer, at: number): Promise<{ end: number; bytes: number }> {
    const end = this.#read(chunk, at)
    const pieces = this.#bytes
    this.#bytes = []
    let bytes = 0
    for (const piece of pieces) {
      this.#room.take(piece.length)
      await this.#file.writeFile(piece)
      bytes += piece.length
    }
    if (bytes > 0) this.#isEmpty = false
    return { end, bytes }
  }

  /** Closes the file; a second call does nothing. */
  close(): Promise<void> {
    return this.#file.close()
  }

  #read(chunk: Buffer, at: number): number {
    try {
      return this.#text.read(chunk, at)
    } catch (error) {
      if (!(error instanceof Base64Error)) throw error
      throw new GatewayError('upstream_error', 'The upstream service gave a file that is no base64.', { cause: error })
    }
  }
}
