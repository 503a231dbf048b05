import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { decodedVector, type EmbedInput, type EmbedRequest } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { implement } from '../../contract/family.ts'
import { BytesReply } from '../../contract/replies.ts'
import { embeddings } from './family.ts'
import type { EmbeddingsBody } from './schema.ts'

const known: ReadonlySet<string> = new Set<keyof EmbeddingsBody>(['input', 'model', 'encoding_format', 'dimensions', 'truncate'])
/** Number of vectors whose numbers are written as JSON at a time. */
const vectorsAtOnce = 64

export const embeddingsEntry = implement(embeddings, {
  create: async (context, { body }) => {
    const vectors: string[] = []
    let prompt = 0
    for await (const event of context.infer('text.embed', toEmbedRequest(body))) {
      if (event.type === 'vectors') vectors.push(...event.vectors)
      else prompt = event.result.usage.inputTokens
    }
    const usage = { prompt_tokens: prompt, total_tokens: prompt }
    const model = context.model.id
    if (body.encoding_format === 'float') return new BytesReply('application/json; charset=utf-8', jsonOf(vectors, { model, usage }))
    const data = vectors.map((embedding, index) => ({ object: 'embedding' as const, index, embedding }))
    return { object: 'list' as const, data, model, usage }
  },
})

function toEmbedRequest(body: EmbeddingsBody): EmbedRequest {
  const { dimensions, truncate } = body
  // The cast is safe: the body comes from JSON.parse, so it still has its unknown fields.
  const extras = Object.fromEntries(Object.entries(body).filter(([name]) => !known.has(name))) as JsonObject
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

/** Yields the JSON of the answer in pieces. Writing millions of numbers at once would keep other
 *  callers waiting. */
async function* jsonOf(vectors: readonly string[], end: { model: string; usage: object }): AsyncGenerator<Buffer> {
  yield Buffer.from('{"object":"list","data":[')
  for (let start = 0; start < vectors.length; start += vectorsAtOnce) {
    const pieces = vectors.slice(start, start + vectorsAtOnce).map((vector, offset) => {
      const index = start + offset
      return `${index === 0 ? '' : ','}{"object":"embedding","index":${index},"embedding":${numbersOf(vector)}}`
    })
    yield Buffer.from(pieces.join(''))
    await new Promise(resolve => setImmediate(resolve))
  }
  yield Buffer.from(`],${JSON.stringify(end).slice(1)}`)
}

function numbersOf(vector: string): string {
  return JSON.stringify(Array.from(decodedVector(vector)))
}
