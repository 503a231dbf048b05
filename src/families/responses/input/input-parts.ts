/** Reads the parts of a message: checks them and converts them to one form. */

import { defined } from '@generation-gateway/kit/defined.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextRole } from '@generation-gateway/kit/requests/text.ts'
import type { ContentPart } from '../schema/wire.ts'
import { audioOfDataUrl, fileDataOf, imageUrlOf, isBase64, videoUrlOf } from './media.ts'
import { objectAt, optionalTextAt, refuse, refuseWith, shown, textAt } from './refuse.ts'

/** Range of the frames per second of a video that a model examines
 *  (docs/vendors/ark.md#responses). */
const fpsLimits = { least: 0.2, most: 5, default: 1 } as const

const partTypes = 'input_text, input_image, input_video, input_file, input_audio, output_text or refusal'

/** Reads the content of a message. A plain text becomes one part: `output_text` in a message of
 *  the assistant, else `input_text`. */
export function readContent(value: Json | undefined, field: string, role: TextRole): ContentPart[] {
  if (typeof value === 'string') return [textPart(value, role)]
  if (value === undefined || value === null) throw refuse(field, `${field} is required.`, 'required')
  if (!Array.isArray(value)) throw refuse(field, `${field} is ${shown(value)}; it must be a string or a list of parts.`, 'type')
  return value.map((part, index) => readPart(part, `${field}[${index}]`, role))
}

function textPart(text: string, role: TextRole): ContentPart {
  return role === 'assistant' ? { type: 'output_text', text, annotations: [], logprobs: [] } : { type: 'input_text', text }
}

function readPart(value: Json, field: string, role: TextRole): ContentPart {
  const part = objectAt(value, field)
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return textPart(textAt(part, 'text', field), role)
    case 'refusal':
      return readRefusal(part, field, role)
    case 'input_image':
    case 'input_video':
    case 'input_file':
    case 'input_audio':
      if (role === 'assistant') throw refuse(field, `${field} is ${part.type}; a message of the assistant has text only.`)
      return mediaReaders[part.type](part, field)
    case undefined:
    case null:
      throw refuse(`${field}.type`, `${field}.type is required.`, 'required')
    default:
      throw refuse(field, `${field}.type is ${shown(part.type)}; it must be ${partTypes}.`)
  }
}

function readRefusal(part: JsonObject, field: string, role: TextRole): ContentPart {
  if (role !== 'assistant') throw refuse(field, `${field} is a refusal; only the assistant refuses.`)
  return { type: 'refusal', refusal: textAt(part, 'refusal', field) }
}

const mediaReaders = { input_image: readImage, input_video: readVideo, input_file: readFile, input_audio: readAudio }

function readImage(part: JsonObject, field: string): ContentPart {
  refuseFileId(part, field, 'image_url')
  const url = imageUrlOf(textAt(part, 'image_url', field), `${field}.image_url`)
  return { type: 'input_image', image_url: url, detail: optionalTextAt(part, 'detail', field) ?? 'auto' }
}

function readVideo(part: JsonObject, field: string): ContentPart {
  refuseFileId(part, field, 'video_url')
  const fps = part.fps ?? fpsLimits.default
  if (typeof fps !== 'number' || fps < fpsLimits.least || fps > fpsLimits.most) {
    throw refuse(`${field}.fps`, `${field}.fps is ${shown(fps)}; it must be from ${fpsLimits.least} to ${fpsLimits.most}.`)
  }
  const url = videoUrlOf(textAt(part, 'video_url', field), `${field}.video_url`)
  return { type: 'input_video', video_url: url, fps }
}

function readFile(part: JsonObject, field: string): ContentPart {
  if (part.file_url !== undefined && part.file_url !== null) {
    throw refuse(`${field}.file_url`, `${field}.file_url is not offered; send the document as file_data.`, 'unsupported')
  }
  const name = optionalTextAt(part, 'filename', field)
  const named = defined({ filename: name })
  refuseFileId(part, field, 'the document as file_data')
  const data = fileDataOf(textAt(part, 'file_data', field), `${field}.file_data`)
  return { type: 'input_file', file_data: data, ...named }
}

/** Reads an audio part: clients of OpenAI send base64 together with the format of the sound,
 *  clients of Ark a URL. */
function readAudio(part: JsonObject, field: string): ContentPart {
  const url = optionalTextAt(part, 'audio_url', field)
  if (url !== undefined) {
    const audio = audioOfDataUrl(url)
    if (audio) return { type: 'input_audio', input_audio: audio }
    throw refuse(`${field}.audio_url`, `${field}.audio_url must be data:audio/<format>;base64,<data>.`)
  }
  const place = `${field}.input_audio`
  const audio = objectAt(part.input_audio, place)
  const data = textAt(audio, 'data', place)
  if (data === '' || !isBase64(data)) throw refuseWith('invalid_value', `${place}.data is not valid base64.`, { field: `${place}.data` })
  return { type: 'input_audio', input_audio: { data, format: textAt(audio, 'format', place) } }
}

function refuseFileId(part: JsonObject, field: string, instead: string): void {
  if (part.file_id === undefined || part.file_id === null) return
  throw refuse(`${field}.file_id`, `${field}.file_id is not offered; send ${instead}.`, 'unsupported')
}
