/** Calls image models of provider packages, versions v2 to v4 of the AI SDK's interface
 *  (`ImageModel` of `@ai-sdk/provider`). */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { invoked, limitOf, type ModelSource, member, providerModel } from './provider-model.ts'

/** The call options that all versions of the interface share. Models before v3 accept no files. */
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
  /** Most pictures per call. */
  maxImages: number
  takesFiles: boolean
  /** Returns the package's answer, unchanged. */
  generate(call: ImageCall): Promise<unknown>
}

const kind = { kind: 'image', makers: ['imageModel', 'image'], versions: ['v2', 'v3', 'v4'] }

/** Returns the model with this name. Throws `capability_unavailable` when it is not an image model
 *  of a supported version, and the errors of the package. */
export async function imageModelOf(source: ModelSource): Promise<ImageModel> {
  const { model, version } = providerModel(source, kind)
  return {
    maxImages: await limitOf(model, 'maxImagesPerCall', source.model),
    takesFiles: version !== 'v2' && (await member(model, 'supportsFileInputs')) !== false,
    generate: async call => invoked(model, 'doGenerate', call),
  }
}
