/** Large files inside answers go to disk as they come. The package gets a short text or a few bytes in the place of each, and what it gives back is known by them. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Base64Writer } from '../../shared/output/answer-reader.ts'
import { saveBody, TooManyBytesError } from '../../shared/output/save-body.ts'

interface StandInSettings {
  /** Where the files go; it exists. */
  folder: string
  /** Of all files together. */
  maxBytes: number
}

/** Shorter ones stay as they are. */
const shortestFile = 64 * 1024
/** So much of a long text tells whether it is base64. */
const looked = 16 * 1024
/** A multiple of 3, so that its base64 has no padding. */
const markBytes = 48
const quote = 0x22
const backslash = 0x5c

export class StandIns {
  readonly #folder: string
  #bytesLeft: number
  /** By what stands for them, in base64. */
  readonly #paths = new Map<string, string>()

  constructor({ folder, maxBytes }: StandInSettings) {
    this.#folder = folder
    this.#bytesLeft = maxBytes
  }

  /** The answer with stand-ins for its files: the whole of a video, or base64 texts of JSON. Throws `TooManyBytesError`, `upstream_error` for what begins as base64 and goes on otherwise, and what reading and the disk throw. */
  within(chunks: AsyncIterable<Buffer>, contentType: string | undefined): AsyncGenerator<Buffer> {
    return isFile(contentType ?? '') ? this.#wholeFile(chunks) : this.#texts(chunks)
  }

  /** The file that a text (also as a data URL) or bytes stand for; undefined when they are what they seem. */
  pathOf(given: string | Uint8Array): string | undefined {
    if (typeof given === 'string') return this.#paths.get(given.slice(given.indexOf(',') + 1))
    return given.length === markBytes ? this.#paths.get(Buffer.from(given).toString('base64')) : undefined
  }

  /** Removes all files. */
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

interface Scanned {
  /** Where it stopped. */
  end: number
  /** What goes on as it is. */
  pass: Buffer[]
  /** The begin of a string that is a file: all of it that was read, with its closing quote when that is there. */
  file?: Buffer
}

/** Finds long base64 strings in JSON, whatever is around it. */
class TextScanner {
  #isString = false
  #isEscaped = false
  /** The string is long and no base64. */
  #isPlain = false
  /** Of the string that is read, while it may be a file. */
  #held: Buffer[] = []
  #heldBytes = 0

  /** Reads to the end of the chunk, or to where a string turns out to be a file. */
  scan(chunk: Buffer, from: number): Scanned {
    const pass: Buffer[] = []
    let at = from
    while (at < chunk.length) {
      if (!this.#isString) {
        const open = chunk.indexOf(quote, at)
        const end = open < 0 ? chunk.length : open + 1
        pass.push(chunk.subarray(at, end))
        at = end
        if (open >= 0) this.#beginString()
        continue
      }
      const end = this.#endOfString(chunk, at)
      this.#held.push(chunk.subarray(at, end.at))
      this.#heldBytes += end.at - at
      at = end.at
      if (!this.#isPlain && this.#heldBytes > shortestFile) {
        const whole = Buffer.concat(this.#held)
        this.#held = []
        if (isBase64(whole)) return { end: at, pass, file: whole }
        pass.push(whole)
        this.#isPlain = true
      }
      if (end.isClosed || this.#isPlain) pass.push(...this.rest())
      if (end.isClosed) this.endString()
    }
    return { end: at, pass }
  }

  endString(): void {
    this.#isString = false
    this.#held = []
  }

  /** What was held back. */
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

  /** Behind the closing quote, or the end of the chunk. */
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

/** By its begin. Escapes that are base64: a slash, a line break, the signs in hexadecimal. */
function isBase64(text: Buffer): boolean {
  const begin = text.toString('latin1', 0, looked).replace(/\\(u[0-9a-fA-F]{0,3})?$/, '')
  return /^(data:[^,"\\]{0,200};base64,)?([A-Za-z0-9+/=_-]|\\[/nrt]|\\u00[0-7][0-9a-fA-F])*$/.test(begin)
}
