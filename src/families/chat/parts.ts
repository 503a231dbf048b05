import { defined } from '@generation-gateway/kit/defined.ts'
import { dataUrlOf } from '@generation-gateway/kit/requests/conversation/data-url.ts'
import type { TextPart } from '@generation-gateway/kit/requests/text.ts'
import { markIn } from '../shared/cache-marks.ts'
import { type Path, refusal } from '../shared/refusal.ts'
import type { ImageUrl, Message, Part, VideoUrl } from './message-schema.ts'

const toolParts = ['text', 'image_url'] as const

/** Types of parts that a message of each role may have. */
const partsOfRole: Record<Message['role'], readonly string[]> = {
  developer: ['text'],
  system: ['text'],
  user: ['text', 'image_url', 'video_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  tool: toolParts,
  function: toolParts,
}

/** Translates a message's content into neutral parts. Throws `invalid_request` naming the part. */
export function partsOf(content: string | Part[], role: Message['role'], path: Path): TextPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.map((part, index) => {
    const known = partsOfRole[role]
    if (!known.includes(part.type)) {
      throw refusal([...path, index, 'type'], `is ${part.type}; a message of role ${role} takes ${known.join(', ')}.`, 'unsupported')
    }
    return { ...partOf(part, [...path, index]), ...markIn(part) }
  })
}

function partOf(part: Part, path: Path): TextPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: present(part.text, [...path, 'text']) }
    case 'refusal':
      return { type: 'refusal', text: present(part.refusal, [...path, 'refusal']) }
    case 'image_url':
      return imagePart(present(part.image_url, [...path, 'image_url']), [...path, 'image_url'])
    case 'video_url':
      return videoPart(present(part.video_url, [...path, 'video_url']), [...path, 'video_url'])
    case 'input_audio':
      return audioPart(present(part.input_audio, [...path, 'input_audio']), [...path, 'input_audio'])
    case 'file':
      return filePart(present(part.file, [...path, 'file']), [...path, 'file'])
    default:
      throw refusal([...path, 'type'], `is ${part.type}, which is not known.`, 'unsupported')
  }
}

function imagePart(image: ImageUrl, path: Path): TextPart {
  const { url, detail } = typeof image === 'string' ? { url: image } : image
  return { type: 'image', url: urlOf(url, 'image', typeof image === 'string' ? path : [...path, 'url']), ...defined({ detail }) }
}

function videoPart(video: VideoUrl, path: Path): TextPart {
  const { url, fps }: Exclude<VideoUrl, string> = typeof video === 'string' ? { url: video } : video
  return { type: 'video', url: urlOf(url, 'video', typeof video === 'string' ? path : [...path, 'url']), ...defined({ fps }) }
}

function audioPart(audio: NonNullable<Part['input_audio']>, path: Path): TextPart {
  const data = present(audio.data, [...path, 'data'])
  const format = present(audio.format, [...path, 'format'])
  if (data === '') throw refusal([...path, 'data'], 'is empty; it must be the base64 of a file.')
  if (format !== 'wav' && format !== 'mp3') throw refusal([...path, 'format'], `is ${format}; it must be wav or mp3.`, 'unsupported')
  return { type: 'audio', data, format }
}

function filePart(file: NonNullable<Part['file']>, path: Path): TextPart {
  const { file_data: data, filename: name } = file
  if (data === undefined) throw refusal([...path, 'file_data'], 'is required.', 'required')
  const found = dataUrlOf(data)
  if (found?.data === undefined) throw refusal([...path, 'file_data'], 'must be a data URL (data:application/pdf;base64,...).')
  return { type: 'file', data: found.url, ...defined({ name }) }
}

/** Returns an http(s) URL as it is, and a data URL in the form that targets get. */
function urlOf(url: string, kind: 'image' | 'video', path: Path): string {
  if (/^https?:/i.test(url) && URL.canParse(url)) return url
  const found = dataUrlOf(url)
  if (found?.data && found.mediaType.startsWith(`${kind}/`)) return found.url
  throw refusal(path, `must be an http or https URL, or a data URL of a${kind === 'image' ? 'n image' : ' video'} in base64.`)
}

function present<T>(value: T | undefined, path: Path): T {
  if (value === undefined) throw refusal(path, 'is required.', 'required')
  return value
}
