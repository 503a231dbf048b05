/** Translates the names that an upstream uses for the fields of an image request into the neutral
 *  names that all drivers use. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type ImageEditRequest, type ImageField, type ImageGenerateRequest, sizeFields } from '@generation-gateway/kit/requests/image.ts'

type RequestedSize = Pick<ImageGenerateRequest | ImageEditRequest, 'width' | 'aspectRatio'>

/** Maps an upstream's name of a field to the neutral one. The value `size` stands for whichever
 *  size field the caller used: sides or an aspect ratio. */
export type ImageWords = ReadonlyMap<string, ImageField | 'size'>

/** Names of fields in the interface of Black Forest Labs, which interface F1 also uses. Gateways of
 *  older versions use `size` for width and height. */
export const fluxWords: ImageWords = new Map([
  ['prompt', 'prompt'],
  ['seed', 'seed'],
  ['width', 'size'],
  ['height', 'size'],
  ['size', 'size'],
  ['aspect_ratio', 'size'],
  ['input_image', 'image'],
  ['prompt_upsampling', 'expandPrompt'],
  ['safety_tolerance', 'safetyTolerance'],
  ['output_format', 'format'],
])

/** Returns the request fields to which these upstream names refer, each once. Unknown names are
 *  left out. */
export function fieldsNamed(words: ImageWords, named: readonly string[], request: RequestedSize): ImageField[] {
  return [...new Set(named.flatMap(word => fieldsOf(words.get(word), word, request)))]
}

/** Returns the upstream's sentence. A field name before its first colon is replaced by the neutral
 *  name. */
export function sentenceNamed(words: ImageWords, sentence: string, request: RequestedSize): string {
  const colon = sentence.indexOf(': ')
  const [field] = fieldsNamed(words, [sentence.slice(0, Math.max(0, colon))], request)
  return field === undefined ? sentence : field + sentence.slice(colon)
}

/** Returns the upstream's refusal with neutral names, both in its field and at the beginning of its
 *  message. The field is removed when its name is not in `words`, or when it stands for a size and
 *  the request states none. Any other error is returned unchanged. */
export function refusalNamed(words: ImageWords, error: unknown, request: RequestedSize): unknown {
  if (!(error instanceof GatewayError) || error.field === undefined) return error
  const [field] = fieldsNamed(words, [error.field], request)
  return error.inWords(field, sentenceNamed(words, error.message, request))
}

function fieldsOf(field: ImageField | 'size' | undefined, word: string, request: RequestedSize): readonly ImageField[] {
  if (field !== 'size') return field === undefined ? [] : [field]
  const given: readonly ImageField[] = sizeFields(request)
  const same = given.filter(each => each === word)
  return same.length > 0 ? same : given
}
