/** Request bodies that are produced while they are sent. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Json } from '@generation-gateway/kit/json.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { jsonText } from './json-bytes.ts'

export interface SentBody {
  contentType: string
  bytes: number
  /** The bytes of the body, which can be read only once. */
  stream: Readable
  /** Returns true once the last bytes are read for the connection, shortly before they are sent.
   *  Before that the upstream does not have the whole request, so it cannot have accepted it. */
  isHandedOver(): boolean
}

interface BodyParts {
  contentType: string
  /** The part of the body before the tail: bytes, and files that are read while they are sent. */
  head?: readonly (Buffer | SentFile)[]
  tail: Buffer
}

interface SentFile {
  bytes: number
  chunks(): AsyncIterable<Buffer>
}

const readBytes = 192 * 1024

/** Returns a body that reads its files only while it is sent. `tail` must not be empty, because
 *  handing it over marks the end of the body. */
export function sentBody({ contentType, head = [], tail }: BodyParts): SentBody {
  let isHandedOver = false
  const parts = async function* () {
    for (const part of head) {
      if (Buffer.isBuffer(part)) yield part
      else yield* part.chunks()
    }
    isHandedOver = true
    yield tail
  }
  const bytes = head.reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : part.bytes), tail.length)
  return { contentType, bytes, stream: Readable.from(parts()), isHandedOver: () => isHandedOver }
}

/** Returns the bytes of an input file. */
export function chunksOf(input: InputFile): AsyncIterable<Buffer> {
  return createReadStream(input.path, { highWaterMark: readBytes })
}

export function jsonBody(value: Json): SentBody {
  return sentBody({ contentType: 'application/json', tail: Buffer.from(jsonText(value)) })
}

interface FormFile {
  field: string
  /** File name; letters, digits, dots and dashes are allowed. */
  name: string
  input: InputFile
}

/** Returns a multipart form of texts and files; a list is sent as one field per entry. Field names
 *  must not contain quotes or line breaks. */
export function formBody(texts: Readonly<Record<string, string | readonly string[]>>, ...files: FormFile[]): SentBody {
  const boundary = `gateway-${randomUUID()}`
  const part = (rest: string) => `--${boundary}\r\ncontent-disposition: form-data; ${rest}`
  const fields = Object.entries(texts).flatMap(([text, value]) =>
    [value].flat().map(each => `${part(`name="${text}"`)}\r\n\r\n${each}\r\n`),
  )
  const head: (Buffer | SentFile)[] = [Buffer.from(fields.join(''))]
  for (const { field, name, input } of files) {
    head.push(Buffer.from(`${part(`name="${field}"; filename="${name}"`)}\r\ncontent-type: ${input.mediaType}\r\n\r\n`))
    head.push({ bytes: input.bytes, chunks: () => chunksOf(input) }, Buffer.from('\r\n'))
  }
  return sentBody({ contentType: `multipart/form-data; boundary=${boundary}`, head, tail: Buffer.from(`--${boundary}--\r\n`) })
}
