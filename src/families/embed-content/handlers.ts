import { decodedVector, type EmbedRequest } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import type { CallContext } from '../../contract/context.ts'
import { implement } from '../../contract/family.ts'
import { type Path, refusal } from '../shared/refusal.ts'
import { vectorsReply } from '../shared/vectors-reply.ts'
import { embedContent } from './family.ts'
import type { EmbedBody } from './schema.ts'

type Context = CallContext<'infer'>

export const embedContentEntry = implement(embedContent, {
  embed: async (context, { params, body }) => {
    const [vector = ''] = await vectorsOf(context, params.model ?? '', [{ request: body, path: [] }])
    return { embedding: { values: Array.from(decodedVector(vector)) } }
  },
  batch: async (context, { params, body }) => {
    const placed = body.requests.map((request, index) => ({ request, path: ['requests', index] }))
    const vectors = await vectorsOf(context, params.model ?? '', placed)
    return vectorsReply(vectors, { start: '{"embeddings":[', element: numbers => `{"values":${numbers}}`, end: ']}' })
  },
})

interface PlacedRequest {
  request: EmbedBody
  /** Path of the request in the body. The paths in error messages begin with it. */
  path: Path
}

/** Returns one vector for each request. Throws `invalid_request` for a part that is not text,
 *  for an empty text, for a request that names another model than the path (`model`), and for
 *  requests that differ in the length of their vectors. */
async function vectorsOf(context: Context, model: string, placed: readonly PlacedRequest[]): Promise<string[]> {
  const leftOut = ['taskType', 'title'].filter(name => placed.some(({ request }) => Reflect.get(request, name) != null))
  const vectors: string[] = []
  const request: EmbedRequest = { inputs: placed.map(each => textOf(each, model)), ...dimensionsOf(placed) }
  if (leftOut.length > 0) context.warn(`${leftOut.join(', ')} left out; no model here follows ${leftOut.length === 1 ? 'it' : 'them'}.`)
  for await (const event of context.infer('text.embed', request)) if (event.type === 'vectors') vectors.push(...event.vectors)
  return vectors
}

function textOf({ request, path }: PlacedRequest, model: string): string {
  const named = request.model?.replace(/^models\//, '')
  if (named !== undefined && named !== model) throw refusal([...path, 'model'], `is ${request.model}; the path names ${model}.`)
  const texts = request.content.parts.map((part, index) => {
    if (part.text != null) return part.text
    throw refusal([...path, 'content', 'parts', index], 'has no text; models for texts take no other part.', 'unsupported')
  })
  const text = texts.join('\n')
  if (text === '') throw refusal([...path, 'content', 'parts'], 'is empty; it must have a text.')
  return text
}

function dimensionsOf(placed: readonly PlacedRequest[]): Pick<EmbedRequest, 'dimensions'> {
  const wanted = placed[0]?.request.outputDimensionality
  const other = placed.findIndex(({ request }) => request.outputDimensionality !== wanted)
  const { path, request } = placed[other] ?? {}
  if (path) throw refusal([...path, 'outputDimensionality'], `is ${request?.outputDimensionality}; all requests must have the same one.`)
  return wanted == null ? {} : { dimensions: wanted }
}
