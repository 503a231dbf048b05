/** The image model of a provider, versions v2 to v4 of the AI SDK's interface (`@ai-sdk/provider`, src/image-model). */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ProviderFactory } from './packages.ts'

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

interface ModelSource {
  package: string
  model: string
  factory: ProviderFactory
  /** Options of the factory. */
  options: object
}

const versions = ['v2', 'v3', 'v4']

/** The model by its name. Throws `capability_unavailable` for what is no image model of a known version, and what the package throws. */
export async function imageModelOf(source: ModelSource): Promise<ImageModel> {
  const model = madeBy(source)
  const version = member(model, 'specificationVersion')
  if (!versions.includes(String(version))) {
    const says = `gives an image model of the interface version ${String(version)}; known are ${versions.join(', ')}.`
    throw new GatewayError('capability_unavailable', `The package ${source.package} ${says}`)
  }
  return {
    maxImages: await maxImagesOf(model, source.model),
    takesFiles: version !== 'v2' && (await member(model, 'supportsFileInputs')) !== false,
    generate: async call => invoked(model, 'doGenerate', call),
  }
}

function madeBy({ package: name, model, factory, options }: ModelSource): unknown {
  const provider = factory(options)
  const maker = ['imageModel', 'image'].find(each => typeof member(provider, each) === 'function')
  if (maker === undefined) throw new GatewayError('capability_unavailable', `The package ${name} is no AI SDK provider of image models.`)
  return invoked(provider, maker, model)
}

/** Without a number of its own a model makes one picture at a time, as for the SDK itself. */
async function maxImagesOf(model: unknown, modelId: string): Promise<number> {
  const given = member(model, 'maxImagesPerCall')
  const most = typeof given === 'function' ? await invoked(model, 'maxImagesPerCall', { modelId }) : given
  return typeof most === 'number' ? most : 1
}

function member(owner: unknown, name: string): unknown {
  const isOwner = (typeof owner === 'object' && owner !== null) || typeof owner === 'function'
  return isOwner ? Reflect.get(owner, name) : undefined
}

function invoked(owner: unknown, name: string, argument: unknown): unknown {
  const method = member(owner, name)
  if (typeof method !== 'function') throw new TypeError(`the provider has no ${name}`)
  return Reflect.apply(method, owner, [argument])
}
