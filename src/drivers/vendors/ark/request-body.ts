import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { base64Of } from '@generation-gateway/kit/media/base64-stream.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { chunksOf, type SentBody, sentBody } from '../../shared/upstream/sent-body.ts'

/** The fields as JSON, with the pictures as data URLs in `image`: one as a string, several as a
 *  list. The pictures are read while they are sent. */
export function requestBody(fields: JsonObject, pictures: readonly InputFile[]): SentBody {
  const contentType = 'application/json'
  const text = JSON.stringify(fields)
  if (pictures.length === 0) return sentBody({ contentType, tail: Buffer.from(text) })
  const [open, close] = pictures.length === 1 ? ['', ''] : ['[', ']']
  const head = pictures.flatMap((picture, index) => [
    Buffer.from(`${index === 0 ? `${text.slice(0, -1)},"image":${open}` : '",'}"data:${picture.mediaType};base64,`),
    { bytes: Math.ceil(picture.bytes / 3) * 4, chunks: () => base64Of(chunksOf(picture)) },
  ])
  return sentBody({ contentType, head, tail: Buffer.from(`"${close}}`) })
}
