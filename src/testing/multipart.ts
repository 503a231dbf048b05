import type { Answer } from './gateway.ts'
import { testKey } from './gateway.ts'

/** The parts of a form: name and value. A string is a text field, and bytes are a file; a `File`
 *  has a file name of its own. */
export type Parts = readonly (readonly [name: string, value: string | Buffer | Blob])[]

export function formOf(parts: Parts): FormData {
  const form = new FormData()
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else if (value instanceof File) form.append(name, value)
    else form.append(name, value instanceof Blob ? value : new Blob([new Uint8Array(value)]), 'part.bin')
  }
  return form
}

/** Posts the parts as a multipart form. A header `Ocp-Apim-Subscription-Key` replaces the header
 *  with the access key. */
export async function sendParts(
  url: string,
  parts: Parts,
  { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: 'Ocp-Apim-Subscription-Key' in headers ? headers : { authorization: `Bearer ${testKey}`, ...headers },
    body: formOf(parts),
    ...(signal ? { signal } : {}),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(bytes.toString()) : undefined, bytes }
}
