/** Reads the pictures, videos, recordings and documents of a conversation for language models of
 *  provider packages. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isOpenLink } from '@generation-gateway/kit/outbound/open-link.ts'
import type { TextPart } from '@generation-gateway/kit/requests/text.ts'
import { readPicture } from '../../../shared/image/convert-picture.ts'
import type { LinkDownload } from '../../../shared/link-downloads.ts'
import type { LanguageModel, LanguageVersion, PromptPart } from './language-model.ts'

export type MediaPart = Exclude<TextPart, { type: 'text' | 'refusal' }>

/** A file for a model: bytes in base64, or a URL that the model reads itself. The subtype of
 *  `mediaType` is `*` when it is unknown. */
export interface PromptFile {
  mediaType: string
  data: string | URL
  filename?: string
}

interface FileSource {
  download: LinkDownload
  /** The account whose conversation it is. */
  account: string
  model: LanguageModel
  /** Folder for downloads. */
  scratch: string
  signal: AbortSignal
}

/** Largest size in bytes of a file that is downloaded for a conversation, and of all such files
 *  together. A package holds several copies of them in memory while it sends them. */
const maxFileBytes = 20 * 1024 * 1024
const maxBytes = 64 * 1024 * 1024

const soundTypes: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', m4a: 'audio/mp4' }
const typesByEnding: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp', gif: 'image/gif' },
  ...{ mp4: 'video/mp4', webm: 'video/webm', mov: 'video/quicktime', pdf: 'application/pdf' },
}

/** Prepares the files of one conversation. */
export class ConversationFiles {
  readonly #source: FileSource
  #bytesLeft = maxBytes
  #downloads = 0

  constructor(source: FileSource) {
    this.#source = source
  }

  /** Returns the file of a part. A file behind a URL is downloaded when the model does not read
   *  the URL itself, or when `isDownloaded` is true. Throws `invalid_request`,
   *  `invalid_input_file`, and the errors of `UrlGuard.download`. */
  async fileOf(part: MediaPart, isDownloaded = false): Promise<PromptFile> {
    const file = fileOfPart(part)
    if (!(file.data instanceof URL)) return file
    const { href } = file.data
    const isRead = !isDownloaded && isOpenLink(href) && this.#source.model.takesUrl(file.mediaType, href)
    return isRead ? file : this.#download(part, href)
  }

  async #download(part: MediaPart, url: string): Promise<PromptFile> {
    const { download, account, scratch, signal } = this.#source
    const toFile = join(scratch, `conversation-file-${this.#downloads++}`)
    const { bytes, mediaType } = await download(url, {
      ...{ account, toFile, signal, field: `${part.type} URL` },
      maxBytes: Math.min(maxFileBytes, this.#bytesLeft),
    })
    this.#bytesLeft -= bytes
    const type = part.type === 'image' ? (await readPicture(toFile))?.mediaType : (mediaType ?? typeOfUrl(url, part.type))
    if (type === undefined) throw new GatewayError('invalid_input_file', 'image: the URL leads to no picture.', { field: 'image' })
    return { mediaType: type, data: await readFile(toFile, 'base64') }
  }
}

/** Returns the part of a prompt with this file, in the form of this version of the interface. */
export function filePart({ mediaType, data, filename }: PromptFile, version: LanguageVersion): PromptPart {
  // Packages get bytes instead of base64. Some packages would send the base64 of a text as if it
  // were the text itself, and some would read a string like `file-abc` as the name of a file that
  // the service stores.
  const given = typeof data === 'string' ? new Uint8Array(Buffer.from(data, 'base64')) : data
  return { type: 'file', mediaType, data: version === 'v4' ? tagged(given) : given, ...defined({ filename }) }
}

/** Returns the part of a tool result with this file, whose `data` must be base64. */
export function resultFilePart({ mediaType, data, filename }: PromptFile, version: LanguageVersion): PromptPart {
  if (version === 'v4') return { type: 'file', mediaType, data: tagged(data), ...defined({ filename }) }
  if (version === 'v2') return { type: 'media', mediaType, data }
  return mediaType.startsWith('image/')
    ? { type: 'image-data', mediaType, data }
    : { type: 'file-data', mediaType, data, ...defined({ filename }) }
}

function tagged(data: string | URL | Uint8Array): object {
  return data instanceof URL ? { type: 'url', url: data } : { type: 'data', data }
}

function fileOfPart(part: MediaPart): PromptFile {
  if (part.type === 'audio') return { mediaType: soundTypes[part.format] ?? `audio/${part.format}`, data: part.data }
  if (part.type === 'file') {
    if (part.data === undefined) throw new GatewayError('invalid_request', 'A file of the conversation has no data.')
    return { ...fileOfUrl(part.data, 'application'), ...defined({ filename: part.name }) }
  }
  return fileOfUrl(part.url, part.type)
}

/** Returns the file behind a data URL or an http(s) URL. The media type of a data URL that
 *  states none is `kind`, such as `image`, with an unknown subtype; the media type of a link is
 *  the result of `typeOfUrl`. */
function fileOfUrl(url: string, kind: string): PromptFile {
  const head = /^data:([^;,]*)((?:;[^;,]*)*),/i.exec(url.slice(0, 1024))
  if (head !== null) {
    const [{ length }, type, parameters = ''] = head
    const rest = url.slice(length)
    const isBase64 = /;base64$/i.test(parameters)
    return { mediaType: type?.toLowerCase() || `${kind}/*`, data: isBase64 ? rest : Buffer.from(decoded(rest)).toString('base64') }
  }
  const parsed = URL.parse(url)
  if (parsed === null) throw new GatewayError('invalid_request', `The URL of a file of the conversation (${kind}) is not valid.`)
  return { mediaType: typeOfUrl(url, kind), data: parsed }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new GatewayError(
      'invalid_request',
      'A data URL of the conversation has a percent sign that is not followed by two hexadecimal digits, or its bytes are not UTF-8.',
    )
  }
}

/** Returns the media type for the file name extension in the path. For an unknown extension, it is
 *  `application/octet-stream` for a document, and `kind` with an unknown subtype for any other
 *  file. */
function typeOfUrl(url: string, kind: string): string {
  const type = typesByEnding[/\.(\w{2,4})$/.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? '']
  return type ?? (kind === 'file' || kind === 'application' ? 'application/octet-stream' : `${kind}/*`)
}
