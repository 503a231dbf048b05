/** What F1 of another gateway is sent (Part A, F1). */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type ImageEditRequest, type ImageGenerateRequest, sizeFields } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { refused } from '../refusal.ts'
import type { SizeForm } from './settings.ts'

/** A body whose bytes are made when they are sent: as often as it is sent, always the same ones. */
export interface SentBody {
  bytes: number
  open(): Readable
}

const ratioModel = 'MaaS_ImgF_KG'
const leastRatio = 3 / 7
const mostRatio = 7 / 3
const ratioSteps = 4000
/** Whole groups of three bytes, so that base64 has no padding inside. */
const readBytes = 3 * 64 * 1024

/** Fields for a new picture. Throws `not_implemented` for what F1 has no field for. */
export function generateFields(request: ImageGenerateRequest, model: string, imageSize: SizeForm | undefined): JsonObject {
  const { count, negativePrompt } = request
  if (count !== 1) throw refused('count', `another gateway draws one picture per task (F1), not ${count}.`)
  if (negativePrompt !== undefined) throw refused('negativePrompt', 'another gateway takes no negative prompt (F1).')
  const { width, height } = request
  const form = imageSize ?? (model === ratioModel ? 'aspect_ratio' : 'pixels')
  return {
    ...commonFields(request, model),
    ...(form === 'pixels' ? { width, height } : { aspect_ratio: ratioOf(request, { width, height }) }),
  }
}

/** Fields of an edit beside the picture itself. Throws `not_implemented` for a size that no aspect ratio stands for. */
export function editFields(request: ImageEditRequest, model: string): JsonObject {
  const { width, height } = request
  const size = width === undefined || height === undefined ? {} : { aspect_ratio: ratioOf(request, { width, height }) }
  return { ...commonFields(request, model), ...size }
}

function commonFields(request: ImageGenerateRequest | ImageEditRequest, model: string): JsonObject {
  return {
    model,
    prompt: request.prompt,
    seed: exactNumber(request.seed),
    prompt_upsampling: request.expandPrompt,
    safety_tolerance: request.safetyTolerance,
    output_format: request.format,
  }
}

/** A ratio that F1 makes exactly this size of (`vendors-media.md` 2.2); that of its sides is not always one, since they are rounded. */
function ratioOf(request: ImageGenerateRequest | ImageEditRequest, { width, height }: { width: number; height: number }): string {
  const divisor = greatestDivisor(width, height)
  const own: Ratio = [width / divisor, height / divisor]
  const least = Math.max(leastRatio, 2 ** 20 / (height + 16) ** 2, (width - 16) / height)
  const most = Math.min(mostRatio, 2 ** 20 / (height - 16) ** 2, (width + 16) / height)
  const inside: Ratio = [Math.round(((least + most) / 2) * ratioSteps), ratioSteps]
  const ratio = [own, inside].find(each => givesSize(each, width, height))
  if (ratio) return ratio.join(':')
  throw refused(sizeFields(request)[0], `the model of the other gateway takes an aspect ratio, and none gives ${width}x${height}.`)
}

type Ratio = [wide: number, high: number]

/** About one megapixel, sides multiples of 32; from 3:7 to 7:3 in numbers of at most four digits. */
function givesSize([wide, high]: Ratio, width: number, height: number): boolean {
  const ratio = wide / high
  if (ratio < leastRatio || ratio > mostRatio || wide > 9999 || high > 9999) return false
  const sizeHeight = Math.round(Math.sqrt(2 ** 20 / ratio) / 32) * 32
  return sizeHeight === height && Math.round((sizeHeight * wide) / high / 32) * 32 === width
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

/** A JSON number with exactly these digits, also beyond the safe range. `JSON.rawJSON` is in Node 26 but not yet in the type library. */
function exactNumber(digits: string): number {
  const number = Number(digits)
  if (Number.isSafeInteger(number)) return number
  return (JSON as unknown as { rawJSON(text: string): number }).rawJSON(digits)
}

/** The fields as JSON, with the picture as base64 in `input_image`: the file is read while it is sent. */
export function sentBody(fields: JsonObject, input: InputFile | undefined): SentBody {
  const text = JSON.stringify(fields)
  if (input === undefined) return { bytes: Buffer.byteLength(text), open: () => Readable.from([Buffer.from(text)]) }
  const head = Buffer.from(`${text.slice(0, -1)},"input_image":"`)
  const tail = Buffer.from('"}')
  return {
    bytes: head.length + Math.ceil(input.bytes / 3) * 4 + tail.length,
    open: () => Readable.from(withPicture(head, input.path, tail)),
  }
}

async function* withPicture(head: Buffer, path: string, tail: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield head
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: readBytes })) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % 3)
    rest = bytes.subarray(whole)
    yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1')
  }
  yield Buffer.concat([Buffer.from(rest.toString('base64'), 'latin1'), tail])
}
