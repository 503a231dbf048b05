import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { base64Of } from '@generation-gateway/kit/media/base64-stream.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { chunksOf, type SentBody, seededJson, sentBody } from '../upstream/sent-body.ts'

/** The request body of Black Forest Labs' interface and of family F1: the fields as JSON, with
 *  every digit of the seed, and the picture as base64 in `input_image`. */
export function fluxBody(fields: JsonObject, seed: string, picture?: InputFile): SentBody {
  const contentType = 'application/json'
  const text = seededJson(fields, seed)
  if (picture === undefined) return sentBody({ contentType, tail: Buffer.from(text) })
  return sentBody({
    contentType,
    head: [
      Buffer.from(`${text.slice(0, -1)},"input_image":"`),
      { bytes: Math.ceil(picture.bytes / 3) * 4, chunks: () => base64Of(chunksOf(picture)) },
    ],
    tail: Buffer.from('"}'),
  })
}
