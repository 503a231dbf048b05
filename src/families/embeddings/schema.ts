import { mostEmbedInputs, mostInputTokens } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import Type, { type Static } from 'typebox'
import { namedObject, optional } from '../../contract/schemas.ts'

/** Largest id of a token. */
const mostTokenId = 2 ** 31 - 1
const tokenId = { minimum: 0, maximum: mostTokenId }

/** The field `input`: a text, a list of texts, a list of the token ids of one text, or a list of
 *  such lists. */
export type InputBody = string | (string | number | number[])[]

export const embeddingsBody = Type.Object({
  input: Type.Unsafe<InputBody>({
    type: ['string', 'array'],
    minLength: 1,
    minItems: 1,
    // The list may be a single input, a list of token ids, so this limit is the limit of one input.
    // A rule checks the lower limit for a list of texts.
    maxItems: mostInputTokens,
    items: {
      type: ['string', 'integer', 'array'],
      minLength: 1,
      ...tokenId,
      minItems: 1,
      maxItems: mostInputTokens,
      items: { type: 'integer', ...tokenId },
    },
    examples: ['The tide comes in at noon.'],
    description: `A text, or up to ${mostEmbedInputs} texts; or the ids of a text's tokens in the vocabulary of the model, or up to ${mostEmbedInputs} lists of these.`,
  }),
  model: optional.string({ minLength: 1, maxLength: 200, description: 'Absent: the route of the endpoint, else the default model.' }),
  encoding_format: Type.Unsafe<'float' | 'base64'>({
    type: 'string',
    enum: ['float', 'base64'],
    default: 'float',
    description: '`base64`: the numbers as 32-bit floats, little endian.',
  }),
  dimensions: optional.integer({
    minimum: 1,
    maximum: 16_384,
    description: 'Length of each vector, for models that offer several lengths.',
  }),
  user: optional.string({ maxLength: 512, description: 'Forwarded to the upstream.' }),
  truncate: Type.Boolean({
    default: false,
    source: 'ours',
    description: 'True: the model reads only the beginning of an input that is too long. False: such an input is refused.',
  }),
})
export type EmbeddingsBody = Static<typeof embeddingsBody>

const embedding = namedObject('Embedding', {
  object: Type.Literal('embedding'),
  index: Type.Integer({ description: 'Position of the input in the request, from 0.' }),
  embedding: Type.Unsafe<number[] | string>({
    type: ['array', 'string'],
    items: { type: 'number' },
    description:
      'The numbers of the vector; with `encoding_format: base64`, the base64 of their bytes. Vectors of the built-in model have the length 1.',
  }),
})

export const embeddingsReply = namedObject('EmbeddingList', {
  object: Type.Literal('list'),
  data: Type.Array(embedding, { description: 'One vector for each input, in the order of the inputs.' }),
  model: Type.String(),
  usage: namedObject('EmbeddingUsage', {
    prompt_tokens: Type.Integer({ description: 'Tokens of all inputs.' }),
    total_tokens: Type.Integer({ description: 'The same number, because vectors cost no output tokens.' }),
  }),
})
