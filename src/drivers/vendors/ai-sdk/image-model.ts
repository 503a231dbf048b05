/** The image model of a provider, versions v2 to v4 of the AI SDK's interface (`ImageModel` of `@ai-sdk/provider`). */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { invoked, limitOf, type ModelSource, member, providerModel } from './provider-model.ts'

/** What all versions take. Those before v3 know no files. */
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
  /** Most pictures of one call. */
  maxImages: number
  takesFiles: boolean
  /** The package's answer, as it is. */
  generate(call: ImageCall): Promise<unknown>
}

const kind = { kind: 'image', makers: ['imageModel', 'image'], versions: ['v2', 'v3', 'v4'] }

/** The model by its name. Throws `capability_unavailable` for what is no image model of a known version, and what the package throws. */
export async function imageModelOf(source: ModelSource): Promise<ImageModel> {
  const { model, version } = providerModel(source, kind)
  return {
    maxImages: await limitOf(model, 'maxImagesPerCall', source.model),
    takesFiles: version !== 'v2' && (await member(model, 'supportsFileInputs')) !== false,
    generate: async call => invoked(model, 'doGenerate', call),
  }
}
