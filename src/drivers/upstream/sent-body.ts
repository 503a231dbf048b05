/** Bodies of requests, made while they are sent. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'

export interface SentBody {
  contentType: string
  bytes: number
  /** Read once. */
  stream: Readable
  /** Its last bytes were handed over. Before that the upstream has no whole request, so it can have accepted none. */
  isHandedOver(): boolean
}

interface BodyParts {
  contentType: string
  /** What stands before and after the file. Without a file, all of the body is in `tail`. */
  head?: Buffer
  file?: { bytes: number; chunks(): AsyncIterable<Buffer> }
  tail: Buffer
}

const readBytes = 192 * 1024

/** Nothing is read before the body is. `tail` must not be empty: handing it over is the end of the body. */
export function sentBody({ contentType, head = Buffer.alloc(0), file, tail }: BodyParts): SentBody {
  let isHandedOver = false
  const parts = async function* () {
    if (head.length > 0) yield head
    if (file !== undefined) yield* file.chunks()
    isHandedOver = true
    yield tail
  }
  const bytes = head.length + (file?.bytes ?? 0) + tail.length
  return { contentType, bytes, stream: Readable.from(parts()), isHandedOver: () => isHandedOver }
}

/** The bytes of an input. */
export function chunksOf(input: InputFile): AsyncIterable<Buffer> {
  return createReadStream(input.path, { highWaterMark: readBytes })
}

/** The fields as JSON with the seed to its last digit: JSON.stringify would round one beyond 2^53. `fields` has at least one. */
export function seededJson(fields: JsonObject, seed: string): string {
  return `{"seed":${BigInt(seed)},${JSON.stringify(fields).slice(1)}`
}

interface FormFile {
  field: string
  /** Letters, digits, dots and dashes. */
  name: string
  input: InputFile
}

/** A form of texts and one file. Names of fields have no quotes and no line breaks. */
export function formBody(texts: Readonly<Record<string, string>>, { field, name, input }: FormFile): SentBody {
  const boundary = `gateway-${randomUUID()}`
  const part = (rest: string) => `--${boundary}\r\ncontent-disposition: form-data; ${rest}`
  const head = Object.entries(texts).map(([text, value]) => `${part(`name="${text}"`)}\r\n\r\n${value}\r\n`)
  head.push(`${part(`name="${field}"; filename="${name}"`)}\r\ncontent-type: ${input.mediaType}\r\n\r\n`)
  return sentBody({
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(head.join('')),
    file: { bytes: input.bytes, chunks: () => chunksOf(input) },
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  })
}
