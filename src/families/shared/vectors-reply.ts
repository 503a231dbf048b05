import { decodedVector } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { BytesReply } from '../../contract/replies.ts'

/** Number of vectors that are converted to JSON between two pauses. */
const vectorsAtOnce = 16

interface VectorsJson {
  start: string
  /** Default `float`. */
  encoding?: 'float' | 'base64'
  /** Returns the JSON of one list entry. `vector` is JSON, too: an array of the vector's numbers,
   *  or a base64 string of them. */
  element(vector: string, index: number): string
  end: string
}

/** Returns a JSON reply that lists vectors of `EmbedEvent`s. The reply is made in pieces, because
 *  converting millions of numbers at once would keep other callers waiting. */
export function vectorsReply(vectors: readonly string[], form: VectorsJson): BytesReply {
  return new BytesReply('application/json; charset=utf-8', piecesOf(vectors, form))
}

async function* piecesOf(vectors: readonly string[], { start, encoding, element, end }: VectorsJson): AsyncGenerator<Buffer> {
  yield Buffer.from(start)
  for (let from = 0; from < vectors.length; from += vectorsAtOnce) {
    const pieces = vectors.slice(from, from + vectorsAtOnce).map((vector, offset) => {
      const index = from + offset
      const json = JSON.stringify(encoding === 'base64' ? vector : Array.from(decodedVector(vector)))
      return `${index === 0 ? '' : ','}${element(json, index)}`
    })
    yield Buffer.from(pieces.join(''))
    await new Promise(resolve => setImmediate(resolve))
  }
  yield Buffer.from(end)
}
