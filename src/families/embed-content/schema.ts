import { mostEmbedInputs } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import Type, { type Static } from 'typebox'
import { namedObject, optional } from '../../contract/schemas.ts'

const content = namedObject('EmbeddedContent', {
  parts: Type.Array(Type.Object({ text: optional.string({ description: 'The only kind of part that models for texts take.' }) }), {
    minItems: 1,
    maxItems: 10_000,
  }),
  role: optional.string(),
})

const members = {
  content,
  taskType: optional.string({ description: 'Ignored, because no model here follows it; the header `x-gateway-warning` says so.' }),
  title: optional.string({ description: 'Ignored like `taskType`.' }),
  outputDimensionality: optional.integer({
    minimum: 1,
    maximum: 16_384,
    description: 'Length of the vector, for models that offer several lengths.',
  }),
}

export const embedBody = Type.Object({
  ...members,
  model: optional.string({ maxLength: 200, description: 'Must be the model that the path names.' }),
})

export const batchBody = Type.Object({
  requests: Type.Array(embedBody, {
    minItems: 1,
    maxItems: mostEmbedInputs,
    description: 'All requests must have the same `outputDimensionality`.',
  }),
})

const embedding = namedObject('ContentEmbedding', { values: Type.Array(Type.Number()) })
export const embedReply = namedObject('EmbedContentAnswer', { embedding })
export const batchReply = namedObject('BatchEmbedContentsAnswer', { embeddings: Type.Array(embedding) })

export type EmbedBody = Static<typeof embedBody>
