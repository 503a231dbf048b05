import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { GappedJson } from '../../contract/replies.ts'
import type { HttpDeps } from '../deps.ts'

type Deps = Pick<HttpDeps, 'store' | 'blobs'>

/** The JSON with its files as base64, as it is read: never more than a chunk of it is in memory. `bytes` is its length. Throws `gone` when a file is not there any more, before the first chunk. */
export async function fillJson(
  { store, blobs }: Deps,
  { texts, files }: GappedJson,
): Promise<{ bytes: number; chunks: AsyncIterable<string> }> {
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
        if (key !== undefined) yield* base64Of(await blobs.read(key))
      }
    })(),
  }
}

async function* base64Of(file: NodeJS.ReadableStream): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const chunk of file) {
    const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, Buffer.from(chunk)])
    const whole = bytes.length - (bytes.length % 3)
    yield bytes.toString('base64', 0, whole)
    rest = bytes.subarray(whole)
  }
  if (rest.length > 0) yield rest.toString('base64')
}
