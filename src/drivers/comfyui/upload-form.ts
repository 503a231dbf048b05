import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { InputFile } from '../../core/requests/job.ts'

interface UploadForm {
  contentType: string
  bytes: number
  stream: Readable
}

/** The form of POST /upload/image; the file is read while it is sent. `name` has only letters, digits, dots and dashes. */
export function uploadForm(input: InputFile, name: string): UploadForm {
  const boundary = `gateway-${randomUUID()}`
  const field = (field: string, value: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="${name}"\r\ncontent-type: ${input.mediaType}\r\n\r\n`
  const head = Buffer.from(field('type', 'input') + field('overwrite', 'true') + file)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: head.length + input.bytes + tail.length,
    stream: Readable.from(parts(head, input.path, tail)),
  }
}

async function* parts(head: Buffer, path: string, tail: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield head
  yield* createReadStream(path)
  yield tail
}
