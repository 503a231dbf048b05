/** The answers of a provider package about videos: read as JSON of others is, since a package may be anybody's. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { VideoCall } from './video-model.ts'

/** A video as the package gives it: where it is, or what it is. */
export type GivenVideo = { url: string } | { data: string | Uint8Array }

export interface MadeVideos {
  videos: GivenVideo[]
  /** Links to marked copies, where the service made some. */
  marked: string[]
  /** The prompt that was drawn, when the service says so. */
  prompt: string | undefined
}

/** What the package says of the call itself. */
export interface Said {
  /** Members of the call that were not done. */
  leftOut: string[]
  /** Further remarks of the package. */
  remarks: string[]
}

/** A handle is kept with its task: longer ones would be files. Characters. */
export const longestHandle = 64 * 1024
/** A longer prompt is nothing that was drawn. */
const longestPrompt = 32_000

/** Of `doStart`: what its video is asked for by, as plain JSON. Throws `upstream_error` for what is none. */
export function operationIn(given: unknown): Json {
  const text = jsonOf(objectOf(given).operation)
  if (text === undefined) throw new GatewayError('upstream_error', 'The provider package gave no operation that can be kept.')
  if (text.length > longestHandle)
    throw new GatewayError('upstream_error', `The provider package gave an operation of more than ${longestHandle} characters.`)
  return JSON.parse(text)
}

function jsonOf(value: unknown): string | undefined {
  try {
    return value === null ? undefined : JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** Some packages warn of what the call does not even have. */
export function saidOf(given: unknown, call: VideoCall): Said {
  const warnings = objectsOf(objectOf(given).warnings)
  const named = warnings.filter(({ type }) => type === 'unsupported' || type === 'unsupported-setting')
  const names = named.map(({ feature, setting }) => textOf(feature) ?? textOf(setting) ?? '')
  return {
    leftOut: [...new Set(names.filter(name => name !== '' && Reflect.get(call, name) !== undefined))],
    remarks: warnings.flatMap(({ details, message }) => textOf(details) ?? textOf(message) ?? []),
  }
}

export type SeenVideos = { state: 'pending' } | { state: 'error'; reason: string } | ({ state: 'made' } & MadeVideos)

/** Of `doStatus`. Throws `upstream_error` for what is no answer of the interface. */
export function statusIn(given: unknown): SeenVideos {
  const { status, error } = objectOf(given)
  if (status === 'pending') return { state: 'pending' }
  if (status === 'error') return { state: 'error', reason: textOf(error) ?? '' }
  if (status === 'completed') return { state: 'made', ...videosIn(given) }
  throw new GatewayError('upstream_error', 'The provider package answered with a state that is not known.')
}

/** Of `doGenerate`, and of what is completed. Throws `upstream_error` for what holds no videos. */
export function videosIn(given: unknown): MadeVideos {
  const { videos, providerMetadata } = objectOf(given)
  if (!Array.isArray(videos) || videos.length === 0)
    throw new GatewayError('upstream_error', 'The provider package gave no list of videos.')
  const told = Object.values(objectOf(providerMetadata)).map(objectOf)
  return { videos: videos.map(videoIn), marked: told.flatMap(markedIn), prompt: told.map(promptIn).find(Boolean) }
}

/** Bytes are no JSON, so this is read as it is. */
function videoIn(video: unknown): GivenVideo {
  const { type, url, data } = Object(video) as { type?: unknown; url?: unknown; data?: unknown }
  if (type === 'url' && typeof url === 'string' && url !== '') return { url }
  if (type === 'base64' && typeof data === 'string' && data !== '') return { data }
  if (type === 'binary' && data instanceof Uint8Array) return { data }
  if (type === 'uploaded')
    throw new GatewayError(
      'upstream_error',
      'The provider package had the video put into a storage of its own: it cannot be fetched from there.',
    )
  throw new GatewayError('upstream_error', 'The provider package gave a video that is neither a link, nor base64, nor bytes.')
}

function markedIn({ videos }: JsonObject): string[] {
  return objectsOf(videos).flatMap(({ watermarkUrl }) => textOf(watermarkUrl) ?? [])
}

function promptIn({ actualPrompt, revisedPrompt, prompt }: JsonObject): string | undefined {
  const told = textOf(actualPrompt) ?? textOf(revisedPrompt) ?? textOf(prompt)
  return told !== undefined && told.length <= longestPrompt ? told : undefined
}
