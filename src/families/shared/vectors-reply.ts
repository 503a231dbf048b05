import { decodedVector } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { BytesReply } from '../../contract/replies.ts'

/** Number of vectors that are converted to JSON between two pauses. */
const vectorsAtOnce = 64

interface VectorsJson {
  start: string
  /** Returns the JSON of one vector; `numbers` is the JSON of the list of its numbers. */
  element(numbers: string, index: number): string
  end: string
}

/** Returns a JSON reply that lists vectors of `EmbedEvent`s. The reply is made in pieces, because
 *  converting millions of numbers at once would keep other callers waiting. */
export function vectorsReply(vectors: readonly string[], form: VectorsJson): BytesReply {
  return new BytesReply('application/json; charset=utf-8', piecesOf(vectors, form))
}

async function* piecesOf(vectors: readonly string[], { start, element, end }: VectorsJson): AsyncGenerator<Buffer> {
  yield Buffer.from(start)
  for (let from = 0; from < vectors.length; from += vectorsAtOnce) {
    const pieces = vectors.slice(from, from + vectorsAtOnce).map((vector, offset) => {
      const index = from + offset
      return `${index === 0 ? '' : ','}${element(JSON.stringify(Array.from(decodedVector(vector))), index)}`
    })
    yield Buffer.from(pieces.join(''))
    await new Promise(resolve => setImmediate(resolve))
  }
  yield Buffer.from(end)
}
