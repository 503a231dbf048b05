/** Reads the answer of a provider package. The types in it are checked as in JSON from a service,
 *  because a package may come from any author. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { ImageWords } from '../../shared/image/image-words.ts'
import { countOf } from '../../shared/upstream/read-json.ts'
import type { ImageCall } from './image-model.ts'

export interface ImageAnswer {
  pictures: Buffer[]
  /** Members of the call that the package ignored, according to its warnings. */
  leftOut: string[]
  /** The texts of all warnings of the package. */
  remarks: string[]
  /** The prompt that the service used, when it reports that. */
  prompt: string | undefined
  inputTokens: number
  outputTokens: number
}

/** Maps the members of the call to the request fields from which they were derived. */
export const callWords: ImageWords = new Map([
  ['prompt', 'prompt'],
  ['n', 'count'],
  ['size', 'size'],
  ['aspectRatio', 'size'],
  ['seed', 'seed'],
  ['files', 'image'],
  ['mask', 'mask'],
])

/** Returns the package's answer to this call. Throws `upstream_error` when the value does not have
 *  the form that the AI SDK's interface defines. */
export function imageAnswerOf(given: unknown, call: ImageCall): ImageAnswer {
  const { images, warnings, usage, providerMetadata } = objectOf(given)
  if (!Array.isArray(images)) throw new GatewayError('upstream_error', 'The provider package gave no list of pictures.')
  const said = objectsOf(warnings)
  const { inputTokens, outputTokens } = objectOf(usage)
  return {
    pictures: images.map(bytesOf),
    leftOut: [...new Set(said.flatMap(warning => leftOutOf(warning, call)))],
    remarks: said.flatMap(({ details, message }) => textOf(details) ?? textOf(message) ?? []),
    prompt: revisedPromptOf(providerMetadata),
    inputTokens: countOf(inputTokens),
    outputTokens: countOf(outputTokens),
  }
}

function bytesOf(image: unknown): Buffer {
  if (typeof image === 'string') return Buffer.from(image, 'base64')
  if (image instanceof Uint8Array) return Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  throw new GatewayError('upstream_error', 'The provider package gave a picture that is neither base64 nor bytes.')
}

/** Returns the member of the call that a warning reports as unsupported. Empty for any other
 *  warning, and when the call did not set that member: some packages warn about options that are
 *  absent. The warning's type is `unsupported-setting` in v2 of the interface and `unsupported`
 *  in later versions. */
function leftOutOf({ type, setting, feature }: JsonObject, call: ImageCall): string[] {
  if (type !== 'unsupported' && type !== 'unsupported-setting') return []
  const name = textOf(feature) ?? textOf(setting) ?? 'a setting'
  return Reflect.get(call, name) === undefined ? [] : [name]
}

function revisedPromptOf(metadata: unknown): string | undefined {
  for (const provider of Object.values(objectOf(metadata))) {
    const revised = textOf(objectsOf(objectOf(provider).images)[0]?.revisedPrompt)
    if (revised !== undefined) return revised
  }
  return undefined
}
