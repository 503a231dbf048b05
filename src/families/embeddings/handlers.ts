import type { EmbedInput, EmbedRequest } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { implement } from '../../contract/family.ts'
import { othersIn } from '../shared/left-out.ts'
import { vectorsReply } from '../shared/vectors-reply.ts'
import { embeddings } from './family.ts'
import type { EmbeddingsBody } from './schema.ts'

const known: ReadonlySet<string> = new Set<keyof EmbeddingsBody>(['input', 'model', 'encoding_format', 'dimensions', 'truncate'])

export const embeddingsEntry = implement(embeddings, {
  create: async (context, { body }) => {
    const vectors: string[] = []
    let prompt = 0
    for await (const event of context.infer('text.embed', toEmbedRequest(body))) {
      if (event.type === 'vectors') vectors.push(...event.vectors)
      else prompt = event.result.usage.inputTokens
    }
    const usage = { prompt_tokens: prompt, total_tokens: prompt }
    return vectorsReply(vectors, {
      start: '{"object":"list","data":[',
      encoding: body.encoding_format,
      element: (embedding, index) => `{"object":"embedding","index":${index},"embedding":${embedding}}`,
      end: `],${JSON.stringify({ model: context.model.id, usage }).slice(1)}`,
    })
  },
})

function toEmbedRequest(body: EmbeddingsBody): EmbedRequest {
  const { dimensions, truncate } = body
  const extras = othersIn(body, known)
  return {
    inputs: inputsOf(body.input),
    ...(dimensions == null ? {} : { dimensions }),
    ...(truncate ? { cutsInputs: true } : {}),
    ...(Object.keys(extras).length > 0 ? { extras } : {}),
  }
}

function inputsOf(input: EmbeddingsBody['input']): EmbedInput[] {
  if (typeof input === 'string') return [input]
  // The casts are safe: the rules allow only lists whose members are all of the same kind.
  return typeof input[0] === 'number' ? [input as number[]] : (input as EmbedInput[])
}
