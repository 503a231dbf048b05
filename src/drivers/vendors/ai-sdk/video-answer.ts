/** Reads the answers of a provider package about videos. The types in them are checked as in JSON
 *  from a service, because a package may come from any author. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { VideoCall } from './video-model.ts'

/** A video from the package: a link or the data. */
export type PackageVideo = { url: string } | { data: string | Uint8Array }

export interface RemoteVideos {
  videos: PackageVideo[]
  /** Links to watermarked copies, if the service made some. */
  marked: string[]
  /** The prompt that the service used, when it reports that. */
  prompt: string | undefined
}

/** The warnings of the package about a call. */
export interface PackageWarnings {
  /** Members of the call that the package ignored, according to its warnings. */
  leftOut: string[]
  /** The texts of all warnings of the package. */
  remarks: string[]
}

/** Largest number of characters of a handle, which is stored with its task. Ids and links are
 *  shorter, so a longer handle has a whole file in it. */
export const longestHandle = 64 * 1024
/** Largest number of characters of a prompt. A service's text that is longer is not reported as
 *  the prompt that was used. */
const longestPrompt = 32_000

/** Returns the operation in the answer of `doStart`, as plain JSON. Later polls use it to
 *  identify the video. Throws `upstream_error` when there is none, or when it has more than
 *  `longestHandle` characters as JSON. */
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

/** Returns the ignored members and the texts of the package's warnings. A member that the call did
 *  not set does not count as ignored. */
export function warningsOf(given: unknown, call: VideoCall): PackageWarnings {
  const warnings = objectsOf(objectOf(given).warnings)
  const named = warnings.filter(({ type }) => type === 'unsupported' || type === 'unsupported-setting')
  const names = named.map(({ feature, setting }) => textOf(feature) ?? textOf(setting) ?? '')
  return {
    leftOut: [...new Set(names.filter(name => name !== '' && Reflect.get(call, name) !== undefined))],
    remarks: warnings.flatMap(({ details, message }) => textOf(details) ?? textOf(message) ?? []),
  }
}

export type VideoState = { state: 'pending' } | { state: 'error'; reason: string } | ({ state: 'made' } & RemoteVideos)

/** Returns the answer of `doStatus`. Throws `upstream_error` when the value does not have the form
 *  that the AI SDK's interface defines. */
export function statusIn(given: unknown): VideoState {
  const { status, error } = objectOf(given)
  if (status === 'pending') return { state: 'pending' }
  if (status === 'error') return { state: 'error', reason: textOf(error) ?? '' }
  if (status === 'completed') return { state: 'made', ...videosIn(given) }
  throw new GatewayError('upstream_error', 'The provider package answered with a state that is not known.')
}

/** Returns the videos in an answer of `doGenerate`, or of a completed `doStatus`. Throws
 *  `upstream_error` when there are none. */
export function videosIn(given: unknown): RemoteVideos {
  const { videos, providerMetadata } = objectOf(given)
  if (!Array.isArray(videos) || videos.length === 0)
    throw new GatewayError('upstream_error', 'The provider package gave no list of videos.')
  const reported = Object.values(objectOf(providerMetadata)).map(objectOf)
  return { videos: videos.map(videoIn), marked: reported.flatMap(markedIn), prompt: reported.map(promptIn).find(Boolean) }
}

/** Returns a video. It is read from the value itself and not from its JSON form, because JSON
 *  cannot hold bytes. */
function videoIn(video: unknown): PackageVideo {
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
  const reported = textOf(actualPrompt) ?? textOf(revisedPrompt) ?? textOf(prompt)
  return reported !== undefined && reported.length <= longestPrompt ? reported : undefined
}
