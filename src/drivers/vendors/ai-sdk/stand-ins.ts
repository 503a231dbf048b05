/** Moves large files in answers to disk while they arrive. In place of each file, the package
 *  receives a stand-in: a short random text or a few random bytes, from which the gateway finds
 *  the file again. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Base64Writer } from '../../shared/output/answer-reader.ts'
import { saveBody, TooManyBytesError } from '../../shared/output/save-body.ts'

interface StandInSettings {
  /** An existing folder for the files. */
  folder: string
  /** Largest size of all files together, in decoded bytes. */
  maxBytes: number
}

/** Minimum length in bytes of a string in JSON that is treated as a file. */
const shortestFile = 64 * 1024
/** Number of bytes at the beginning of a long string that are checked to find out whether the
 *  string is base64. */
const looked = 16 * 1024
/** Number of random bytes in a stand-in; a multiple of 3, so that its base64 has no padding. */
const markBytes = 48
const quote = 0x22
const backslash = 0x5c

export class StandIns {
  readonly #folder: string
  #bytesLeft: number
  /** Paths of the files; the key is the stand-in in base64. */
  readonly #paths = new Map<string, string>()

  constructor({ folder, maxBytes }: StandInSettings) {
    this.#folder = folder
    this.#bytesLeft = maxBytes
  }

  /** Yields the answer with stand-ins for its files. A whole answer counts as a file when it has
   *  more than 64 KiB and is a video or an octet stream. In any other answer, base64 strings of
   *  more than 64 KiB count as files. Throws `TooManyBytesError`, `upstream_error` for a string
   *  that begins as base64 but contains other characters later, and the errors of reading and of
   *  the disk. */
  within(chunks: AsyncIterable<Buffer>, contentType: string | undefined): AsyncGenerator<Buffer> {
    return isFile(contentType ?? '') ? this.#wholeFile(chunks) : this.#texts(chunks)
  }

  /** Returns the path of the file that a stand-in represents; `given` is a text, a data URL or
   *  bytes. Undefined when it is not a stand-in. */
  pathOf(given: string | Uint8Array): string | undefined {
    if (typeof given === 'string') return this.#paths.get(given.slice(given.indexOf(',') + 1))
    return given.length === markBytes ? this.#paths.get(Buffer.from(given).toString('base64')) : undefined
  }

  /** Removes all files that were moved to disk. */
  async drop(): Promise<void> {
    await Promise.all([...this.#paths.values()].map(path => rm(path, { force: true })))
  }

  async *#wholeFile(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const held: Buffer[] = []
    let bytes = 0
    const source = chunks[Symbol.asyncIterator]()
    try {
      for (let next = await source.next(); !next.done; next = await source.next()) {
        held.push(next.value)
        bytes += next.value.length
        if (bytes <= shortestFile) continue
        const mark = this.#mark()
        this.#bytesLeft -= await saveBody(allOf(held, source), this.#pathFor(mark), this.#bytesLeft)
        yield mark
        return
      }
    } finally {
      await source.return?.()
    }
    yield* held
  }

  async *#texts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const text = new TextScanner()
    let writer: Base64Writer | undefined
    try {
      for await (const chunk of chunks) {
        for (let at = 0; at < chunk.length; ) {
          if (writer === undefined) {
            const { end, pass, file } = text.scan(chunk, at)
            yield* pass
            at = end
            if (file === undefined) continue
            const mark = this.#mark()
            this.#pathFor(mark)
            writer = await Base64Writer.create(this.#folder, nameOf(mark))
            await this.#write(writer, file, 0)
            yield Buffer.from(mark.toString('base64'))
          } else {
            at = await this.#write(writer, chunk, at)
          }
          if (!writer.isDone) continue
          await writer.close()
          writer = undefined
          text.endString()
          yield Buffer.from('"')
        }
      }
      yield* text.rest()
    } finally {
      await writer?.close()
    }
  }

  async #write(writer: Base64Writer, chunk: Buffer, from: number): Promise<number> {
    const { end, bytes } = await writer.write(chunk, from)
    this.#bytesLeft -= bytes
    if (this.#bytesLeft < 0) throw new TooManyBytesError()
    return end
  }

  #mark(): Buffer {
    return randomBytes(markBytes)
  }

  #pathFor(mark: Buffer): string {
    const path = join(this.#folder, nameOf(mark))
    this.#paths.set(mark.toString('base64'), path)
    return path
  }
}

function nameOf(mark: Buffer): string {
  return `answer-${mark.toString('hex', 0, 8)}`
}

function isFile(contentType: string): boolean {
  return /^(video\/|(application|binary)\/octet-stream)/i.test(contentType)
}

async function* allOf(held: readonly Buffer[], source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* held
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
}

interface ScanResult {
  /** The offset at which the scan stopped. */
  end: number
  /** Bytes to forward unchanged. */
  pass: Buffer[]
  /** The beginning of a string that is a file: all of the string that has been read so far, with
   *  its closing quote if that has arrived. */
  file?: Buffer
}

/** Finds long base64 strings in JSON of any structure. */
class TextScanner {
  #isString = false
  #isEscaped = false
  /** True when the current string is long but is not base64. */
  #isPlain = false
  /** The bytes of the current string that are held back while it may still be a file. */
  #held: Buffer[] = []
  #heldBytes = 0

  /** Reads to the end of the chunk, or to the position at which a string is recognized as a
   *  file. */
  scan(chunk: Buffer, from: number): ScanResult {
    const pass: Buffer[] = []
    // The bytes from `kept` to `at` follow those in `pass`. They are added as one piece, because a
    // piece for each string would take far more time and memory than the strings themselves.
    let kept = from
    let at = from
    while (at < chunk.length) {
      if (!this.#isString) {
        const open = chunk.indexOf(quote, at)
        at = open < 0 ? chunk.length : open + 1
        if (open >= 0) this.#beginString()
        continue
      }
      const begin = at
      const end = this.#endOfString(chunk, at)
      at = end.at
      this.#heldBytes += at - begin
      const isLong = this.#heldBytes > shortestFile
      if (!this.#isPlain && (isLong || !end.isClosed)) {
        pass.push(chunk.subarray(kept, begin))
        this.#held.push(chunk.subarray(begin, at))
        kept = at
      }
      if (!this.#isPlain && isLong) {
        const whole = Buffer.concat(this.rest())
        if (isBase64(whole)) return { end: at, pass, file: whole }
        pass.push(whole)
        this.#isPlain = true
      }
      if (!end.isClosed) continue
      pass.push(...this.rest())
      this.endString()
    }
    pass.push(chunk.subarray(kept, at))
    return { end: at, pass }
  }

  endString(): void {
    this.#isString = false
    this.#held = []
  }

  /** Returns the bytes that were held back. */
  rest(): Buffer[] {
    const held = this.#held
    this.#held = []
    return held
  }

  #beginString(): void {
    this.#isString = true
    this.#isEscaped = false
    this.#isPlain = false
    this.#heldBytes = 0
  }

  /** Returns the offset after the closing quote, or the end of the chunk. */
  #endOfString(chunk: Buffer, from: number): { at: number; isClosed: boolean } {
    for (let at = from; at < chunk.length; at++) {
      const code = chunk[at]
      if (this.#isEscaped) this.#isEscaped = false
      else if (code === backslash) this.#isEscaped = true
      else if (code === quote) return { at: at + 1, isClosed: true }
    }
    return { at: chunk.length, isClosed: false }
  }
}

/** Returns true when the beginning of a string is base64. Escapes are accepted that JSON may use in
 *  base64: for a slash, for a line break, and for ASCII characters as `\u00XX`. */
function isBase64(text: Buffer): boolean {
  const begin = text.toString('latin1', 0, looked).replace(/\\(u[0-9a-fA-F]{0,3})?$/, '')
  return /^(data:[^,"\\]{0,200};base64,)?([A-Za-z0-9+/=_-]|\\[/nrt]|\\u00[0-7][0-9a-fA-F])*$/.test(begin)
}
