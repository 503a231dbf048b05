/** The body of a submit, made while it is sent. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { InputFile } from '../../core/requests/job.ts'
import type { JsonObject } from '../../core/task.ts'
import { base64Of } from './base64-stream.ts'

export interface SubmitBody {
  bytes: number
  /** Read once. */
  stream: Readable
  /** Its last bytes were handed over. Before that the vendor has no whole request, so it can have accepted none. */
  isHandedOver(): boolean
}

const readBytes = 192 * 1024

/** The fields as JSON, with the seed to its last digit, and with the picture as base64 in `input_image`. */
export function submitBody(fields: JsonObject, seed: string, picture?: InputFile): SubmitBody {
  // JSON.stringify would round a seed beyond 2^53.
  const text = `{"seed":${BigInt(seed)},${JSON.stringify(fields).slice(1)}`
  const head = Buffer.from(picture === undefined ? '' : `${text.slice(0, -1)},"input_image":"`)
  const tail = Buffer.from(picture === undefined ? text : '"}')
  let isHandedOver = false
  const parts = async function* () {
    if (picture !== undefined) {
      yield head
      yield* base64Of(createReadStream(picture.path, { highWaterMark: readBytes }))
    }
    isHandedOver = true
    yield tail
  }
  const pictureBytes = picture === undefined ? 0 : Math.ceil(picture.bytes / 3) * 4
  return { bytes: head.length + pictureBytes + tail.length, stream: Readable.from(parts()), isHandedOver: () => isHandedOver }
}
