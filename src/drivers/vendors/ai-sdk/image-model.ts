/** Calls image models of provider packages, versions v2 to v4 of the AI SDK's interface
 *  (`ImageModel` of `@ai-sdk/provider`). */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ModelUse } from './exchanges.ts'

/** The call options that the gateway sets. Version v2 of the interface lacks `files` and `mask`,
 *  so models of v2 only create new pictures. */
export interface ImageCall {
  prompt: string
  n: number
  size: string | undefined
  aspectRatio: string | undefined
  seed: number | undefined
  files: CallFile[] | undefined
  mask: CallFile | undefined
  providerOptions: Readonly<JsonObject>
  abortSignal: AbortSignal
}

export interface CallFile {
  type: 'file'
  mediaType: string
  data: Uint8Array
}

export interface ImageModel {
  /** Largest number of pictures per call. */
  maxImages: number
  takesFiles: boolean
  generate(call: ImageCall): Promise<unknown>
}

const kind = { kind: 'image', makers: ['imageModel', 'image'], versions: ['v2', 'v3', 'v4'] }

/** Returns the model with this name. Throws `capability_unavailable` when it is not an image model
 *  of a supported version, and the errors of the package. */
export async function imageModelOf(used: ModelUse): Promise<ImageModel> {
  const { version, members, call } = await used.wait(used.model(kind, [{ name: 'maxImagesPerCall' }, { name: 'supportsFileInputs' }]))
  return {
    maxImages: limitIn(members.maxImagesPerCall),
    takesFiles: version !== 'v2' && members.supportsFileInputs !== false,
    generate: given => call('doGenerate', given, { wanted: ['images', 'warnings', 'usage', 'providerMetadata'] }),
  }
}

/** Returns the limit that a member of a model states. Defaults to 1, as in the SDK. */
export function limitIn(member: unknown): number {
  return typeof member === 'number' ? member : 1
}
