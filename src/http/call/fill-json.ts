import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { base64Of } from '@generation-gateway/kit/media/base64-stream.ts'
import type { GappedJson } from '../../contract/replies.ts'
import type { HttpDeps } from '../deps.ts'

type Deps = Pick<HttpDeps, 'store' | 'blobs'>

/** Returns the JSON in chunks, with its files filled in as base64. At most one chunk is in
 *  memory. `bytes` is the length of the whole JSON. Throws `gone` before the first chunk when a
 *  file no longer exists. */
export async function fillJson(
  { store, blobs }: Deps,
  { texts, files }: GappedJson,
): Promise<{ bytes: number; chunks: AsyncIterable<string | Buffer> }> {
  const keys: string[] = []
  let bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  for (const { id } of files) {
    const blob = await store.blob(id)
    if (!blob) throw new GatewayError('gone', 'The file was swept.')
    keys.push(blob.key)
    bytes += 4 * Math.ceil(blob.bytes / 3)
  }
  return {
    bytes,
    chunks: (async function* () {
      for (const [index, text] of texts.entries()) {
        yield text
        const key = keys[index]
        // The cast is safe: no encoding was set for the stream, so its chunks are buffers.
        if (key !== undefined) yield* base64Of((await blobs.read(key)) as AsyncIterable<Buffer>)
      }
    })(),
  }
}
