/** What upstreams call the parts of an image request, in the names that all drivers use. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type ImageEditRequest, type ImageField, type ImageGenerateRequest, sizeFields } from '@generation-gateway/kit/requests/image.ts'

type AskedSize = Pick<ImageGenerateRequest | ImageEditRequest, 'width' | 'aspectRatio'>

/** An upstream's word -> what it means; `size` is however the caller gave it. */
export type ImageWords = ReadonlyMap<string, ImageField | 'size'>

/** Words of Black Forest Labs, and so of family F1. An older gateway tells `size` for the sides. */
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

/** The fields of the request that these words of the upstream are about, each once. Words that are none of the request's are left out. */
export function fieldsNamed(words: ImageWords, named: readonly string[], request: AskedSize): ImageField[] {
  return [...new Set(named.flatMap(word => fieldsOf(words.get(word), word, request)))]
}

/** A sentence of the upstream that begins with its word for a field, begun with ours. */
export function sentenceNamed(words: ImageWords, sentence: string, request: AskedSize): string {
  const colon = sentence.indexOf(': ')
  const [field] = fieldsNamed(words, [sentence.slice(0, Math.max(0, colon))], request)
  return field === undefined ? sentence : field + sentence.slice(colon)
}

/** A refusal of the upstream with its field and sentence in our words; a field that is none of the request's is not named. Anything else is as it was. */
export function refusalNamed(words: ImageWords, error: unknown, request: AskedSize): unknown {
  if (!(error instanceof GatewayError) || error.field === undefined) return error
  const [field] = fieldsNamed(words, [error.field], request)
  return error.inWords(field, sentenceNamed(words, error.message, request))
}

function fieldsOf(field: ImageField | 'size' | undefined, word: string, request: AskedSize): readonly ImageField[] {
  if (field !== 'size') return field === undefined ? [] : [field]
  const given: readonly ImageField[] = sizeFields(request)
  const same = given.filter(each => each === word)
  return same.length > 0 ? same : given
}
