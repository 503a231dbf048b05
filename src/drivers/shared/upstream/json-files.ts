/** Builds JSON bodies with files in them; the files are read while the body is sent. */
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { base64Of } from '@generation-gateway/kit/media/base64-stream.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { jsonText } from './json-bytes.ts'
import { chunksOf, type SentBody, sentBody } from './sent-body.ts'

interface FileMark {
  input: InputFile
  prefix: string
}

/** Makes placeholders for the files in the fields of one body. */
export class FilesInJson {
  readonly #secret = randomUUID()
  readonly #files: FileMark[] = []

  /** Returns a placeholder for the file in base64. */
  base64(input: InputFile): string {
    return this.#mark({ input, prefix: '' })
  }

  /** Returns a placeholder for the file as a data URL. */
  dataUrl(input: InputFile): string {
    return this.#mark({ input, prefix: `data:${input.mediaType};base64,` })
  }

  /** Returns the fields as JSON, with the placeholders replaced by their files. */
  body(fields: JsonObject): SentBody {
    const pieces = jsonText(fields).split(new RegExp(`${this.#secret}@([0-9]+)@`))
    const head = pieces.slice(0, -1).map((piece, at) => {
      // `split` with a capturing group puts the texts at even indexes and the numbers of the files
      // at odd ones.
      const file = at % 2 === 0 ? undefined : this.#files[Number(piece)]
      if (!file) return Buffer.from(piece)
      return { bytes: file.prefix.length + Math.ceil(file.input.bytes / 3) * 4, chunks: () => sent(file) }
    })
    return sentBody({ contentType: 'application/json', head, tail: Buffer.from(pieces.at(-1) ?? '') })
  }

  #mark(file: FileMark): string {
    return `${this.#secret}@${this.#files.push(file) - 1}@`
  }
}

async function* sent({ input, prefix }: FileMark): AsyncGenerator<Buffer> {
  if (prefix !== '') yield Buffer.from(prefix)
  yield* base64Of(chunksOf(input))
}
