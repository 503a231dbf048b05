/** Reads multipart bodies. Fields are kept as text, and files are written to disk as they
 *  arrive. */

import { createHash, hash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyConfig, type BusboyInstance } from '@fastify/busboy'
import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import { Base64Error } from '@generation-gateway/kit/media/base64-decoder.ts'
import { fileFieldsOf } from '../../contract/file-fields.ts'
import { mostBytes } from '../../contract/file-rule.ts'
import { formatBytes } from '../format-bytes.ts'
import type { JsonBody, SpilledFile } from './body.ts'
import { bodyChunks } from './chunks.ts'
import { TextFields } from './fields-from-text.ts'
import { FileText } from './file-text.ts'
import type { FormOptions } from './form.ts'
import { readJsonPart } from './json-part.ts'
import { Occurrences } from './occurrences.ts'
import { notUtf8, ReplacementSigns } from './replacement-signs.ts'
import { SpillFiles, writeFailure } from './spill-files.ts'
import { compiledFields } from './spill-paths.ts'

/** Largest number of parts of one body; no client sends more. */
const mostParts = 1_000
/** Longest file name in characters; a longer one is cut. */
const mostNameCharacters = 255

/** Reads the parts. Throws the errors of `bodyChunks`, `invalid_request` for malformed parts, for
 *  parts in base64 or quoted-printable and for texts that are not UTF-8, `disk_full`. After an
 *  error nothing is left on disk. */
export async function readMultipart(request: IncomingMessage, options: FormOptions): Promise<JsonBody> {
  const reader = new MultipartReader(request, options)
  try {
    return await reader.read()
  } catch (error) {
    await reader.discard()
    throw error
  }
}

class MultipartReader {
  readonly #request: IncomingMessage
  readonly #options: FormOptions
  readonly #fields: TextFields
  /** Name of a file field -> largest file, bytes. */
  readonly #files: ReadonlyMap<string, number>
  /** Names of the fields whose value is JSON with files in it. */
  readonly #withFiles: ReadonlySet<string>
  readonly #jsonFiles: SpillFiles[] = []
  /** Resolves when the JSON parts received so far were all added to the body. */
  #json: Promise<void> = Promise.resolve()
  readonly #spilled = new Map<string, SpilledFile>()
  readonly #writing: Promise<void>[] = []
  readonly #streams: Readable[] = []
  /** Hashes of the parts, in the order of the parts. The idempotency check compares these hashes
   *  instead of the body's bytes, because each repeat of a request has another multipart
   *  boundary. */
  readonly #parts: string[] = []
  readonly #end = Promise.withResolvers<void>()
  #folder: Promise<string> | undefined
  readonly #signs = new ReplacementSigns()
  /** The boundaries in the body: one in front of each part, and one at the end. */
  readonly #boundaries: Occurrences
  #received = 0
  #textBytes = 0

  constructor(request: IncomingMessage, options: FormOptions) {
    this.#request = request
    // The first boundary needs no line break in front of it.
    this.#boundaries = new Occurrences(Buffer.from(`\r\n--${boundaryOf(request)}`, 'latin1'), Buffer.from('\r\n'))
    this.#options = options
    this.#fields = new TextFields(options.schema)
    const fields = fileFieldsOf(options.schema)
    this.#files = new Map(fields.map(({ path, rule }) => [path.replace(/\[\]$/, ''), mostBytes(rule)]))
    const outer = fields.flatMap(({ path }) => /^[^.[]+(?=\.|\[\]\.)/.exec(path)?.[0] ?? [])
    this.#withFiles = new Set(outer.filter(field => !this.#files.has(field)))
    // An error may come before any code waits for the end. Without this handler, it would be an
    // unhandled rejection, which ends the process. The code that waits for the end later still gets
    // the error.
    this.#end.promise.catch(() => {})
  }

  async read(): Promise<JsonBody> {
    const parser = this.#parser()
    try {
      for await (const chunk of bodyChunks(this.#request, this.#options)) {
        this.#signs.see(chunk)
        this.#boundaries.see(chunk)
        if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), this.#end.promise])
      }
      parser.end()
      await this.#end.promise
      this.#assertAllReceived()
    } catch (error) {
      parser.destroy()
      throw error
    }
    await Promise.all(this.#writing)
    const body: JsonBody = {
      value: this.#fields.value,
      spilled: this.#spilled,
      exactIntegers: this.#fields.exactIntegers,
      discard: () => this.discard(),
    }
    if (this.#options.hash) body.bodySha256 = hash('sha256', JSON.stringify(this.#parts))
    return body
  }

  /** Throws `invalid_request` when the parser has dropped a part, which it does in silence. */
  #assertAllReceived(): void {
    const lost = this.#boundaries.count - 1 - this.#received
    if (lost > 0)
      throw broken(new Error(`${lost} of its parts have no name or a malformed header, or follow a boundary with blanks at its end`))
  }

  async discard(): Promise<void> {
    // A body that broke off leaves streams that would wait forever for missing bytes, so all
    // streams are destroyed.
    for (const stream of this.#streams) stream.destroy()
    await Promise.allSettled(this.#writing)
    await Promise.all(this.#jsonFiles.map(files => files.discard()))
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true })
  }

  #parser(): BusboyInstance {
    const fail = (error: unknown) => this.#end.reject(error)
    const guarded = <Event extends unknown[]>(take: (...event: Event) => void) => {
      return (...event: Event) => {
        try {
          take(...event)
        } catch (error) {
          fail(error)
        }
      }
    }
    const headers = { 'content-type': this.#request.headers['content-type'] ?? '' }
    const isPartAFile = (name: string | undefined) => name !== undefined && this.#isStream(this.#fields.fieldOf(name))
    const limits = { parts: mostParts, fieldSize: this.#options.residualLimitBytes, headerPairs: 20, headerSize: 4_096 }
    const parser = openParser({ headers, isPartAFile, limits })
    parser.on('finish', () => this.#end.resolve())
    parser.on('error', error => fail(broken(error)))
    parser.on('partsLimit', () => fail(broken(new Error(`more than ${mostParts} parts`))))
    parser.on(
      'field',
      guarded((name, text, _isNameCut, isCut, encoding) => {
        this.#received += 1
        assertPlain(this.#fields.fieldOf(name), encoding)
        this.#addField(name, text, isCut)
      }),
    )
    parser.on(
      'file',
      guarded((name, stream, fileName, encoding, mediaType) => {
        this.#received += 1
        assertPlain(this.#fields.fieldOf(name), encoding)
        if (this.#withFiles.has(this.#fields.fieldOf(name))) return this.#addJson({ name, stream }, fail)
        // A part without a file name may contain a text in place of a file: a data URL or a link.
        const mayBeText = fileName === undefined && /^text\//i.test(mediaType ?? 'text/plain')
        this.#addFile({ name, stream, mayBeText, fileName }, fail)
      }),
    )
    return parser
  }

  #isStream(field: string): boolean {
    return this.#files.has(field) || this.#withFiles.has(field)
  }

  #addField(name: string, text: string, isCut: boolean): void {
    this.#countText(Buffer.byteLength(text) + Buffer.byteLength(name), isCut)
    if (this.#signs.isBroken(text)) throw notUtf8(this.#fields.fieldOf(name))
    this.#parts.push(name, text)
    this.#fields.add(name, text)
  }

  #countText(bytes: number, isCut = false): void {
    this.#textBytes += bytes
    if (!isCut && this.#textBytes <= this.#options.residualLimitBytes) return
    const most = formatBytes(this.#options.residualLimitBytes)
    throw new GatewayError('payload_too_large', `The fields other than files have more than ${most}.`)
  }

  #addJson({ name, stream }: { name: string; stream: Readable }, fail: (error: unknown) => void): void {
    const at = this.#parts.push(name, '')
    const field = this.#fields.fieldOf(name)
    const files = new SpillFiles(this.#options.scratch, this.#options.room)
    this.#jsonFiles.push(files)
    const { residualLimitBytes, spillFields } = this.#options
    const part = { field, isList: this.#fields.isListField(field), fields: compiledFields(spillFields), residualLimitBytes, files }
    // Waiting for the earlier JSON parts keeps the items of a list in the order of their parts.
    this.#json = Promise.all([readJsonPart(stream, part), this.#json]).then(([{ value, values, spilled, residualBytes, sha256 }]) => {
      this.#countText(residualBytes)
      this.#parts[at - 1] = sha256
      for (const [placeholder, file] of spilled) this.#spilled.set(placeholder, file)
      this.#fields.addValue(name, value, values)
    })
    this.#begun(stream, this.#json, fail)
  }

  /** Registers a write to disk; the body counts as read only when all registered writes have
   *  ended. */
  #begun(stream: Readable, writing: Promise<void>, fail: (error: unknown) => void): void {
    this.#writing.push(writing)
    this.#streams.push(stream)
    // Without a listener, an error of the stream would end the process. The code that reads the
    // stream gets the same error.
    stream.on('error', () => {})
    writing.catch(error => {
      fail(error)
      stream.resume()
    })
  }

  #addFile({ name, stream, mayBeText, fileName }: FilePart, fail: (error: unknown) => void): void {
    const field = this.#fields.fieldOf(name)
    const placeholder = `part:${randomUUID()}`
    const at = this.#parts.push(name, '')
    const place = this.#fields.addFile(name, placeholder)
    const writing = this.#write({ field, placeholder, mayBeText, fileName }, stream).then(({ sha256, url }) => {
      this.#parts[at - 1] = sha256
      if (url !== undefined) place(url)
    })
    this.#begun(stream, writing, fail)
  }

  /** Writes a part to its file. Returns the SHA-256 of the part, hex, and the URL when the part was
   *  a link. */
  async #write(
    { field, placeholder, mayBeText, fileName }: Pick<FilePart, 'mayBeText' | 'fileName'> & { field: string; placeholder: string },
    stream: Readable,
  ): Promise<{ sha256: string; url?: string }> {
    this.#folder ??= this.#options.scratch()
    const file = join(await this.#folder, randomUUID())
    const most = this.#files.get(field) ?? 0
    const { room } = this.#options
    const sum = createHash('sha256')
    const reported = new FileText(mayBeText)
    let bytes = 0
    const filePieces = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        sum.update(chunk)
        yield* reported.take(chunk)
      }
      yield* reported.end()
    }
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const piece of filePieces(chunks)) {
        bytes += piece.length
        if (bytes > most) throw tooLong(field, most)
        room?.take(piece.length)
        yield piece
      }
    }
    try {
      await pipeline(stream, counted, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    } catch (error) {
      if (error instanceof Base64Error) throw invalidField(field, `${field} ${error.problem}`, 'base64')
      throw writeFailure(error)
    }
    const sha256 = sum.digest('hex')
    if (reported.url !== undefined) return { sha256, url: reported.url }
    const prefix = reported.mediaType === undefined ? {} : { mediaTypePrefix: reported.mediaType }
    const name = fileName === undefined ? {} : { name: fileName.slice(0, mostNameCharacters) }
    this.#spilled.set(placeholder, { file, bytes, field, ...prefix, ...name })
    return { sha256 }
  }
}

interface FilePart {
  name: string
  stream: Readable
  mayBeText: boolean
  /** Name of the file as the caller sent it. */
  fileName: string | undefined
}

function openParser(config: BusboyConfig): BusboyInstance {
  try {
    return new Busboy(config)
  } catch (error) {
    throw broken(error)
  }
}

/** Returns the boundary that the content type names; empty when there is none, which the parser
 *  refuses. */
function boundaryOf({ headers }: IncomingMessage): string {
  const [, quoted, plain = ''] = /;[ \t]*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(headers['content-type'] ?? '') ?? []
  return quoted ?? plain
}

/** Returns the multipart parser's error as `invalid_request`, for example for a missing
 *  boundary, an unexpected end or a malformed header. */
function broken(cause: unknown): GatewayError {
  const why = cause instanceof Error ? cause.message.replace(/^Multipart: /, '') : 'it cannot be read'
  return new GatewayError('invalid_request', `The body is not valid multipart/form-data: ${why}.`, { cause })
}

/** Throws `invalid_request` for a part whose header names an encoding of its bytes: the gateway
 *  decodes none, and the encoded text would count as the value. RFC 7578, 4.7: such parts are not
 *  sent over HTTP; some mail libraries make them. */
function assertPlain(field: string, encoding: string): void {
  const name = encoding.trim()
  if (name !== 'base64' && name !== 'quoted-printable') return
  throw invalidField(
    field,
    `${field} has the content-transfer-encoding ${name}; parts are taken as binary, 8bit or 7bit.`,
    'transfer-encoding',
  )
}

function tooLong(field: string, most: number): GatewayError {
  return new GatewayError('payload_too_large', `${field} has more than ${most} bytes.`, { field })
}
