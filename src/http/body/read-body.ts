/** The body of a request in whatever way it is sent. */
import type { IncomingMessage } from 'node:http'
import type { BodySpec } from '../../contract/body.ts'
import { type JsonBody, type ReadJsonOptions, readJsonBody } from './body.ts'
import { assertPlain, kindOf } from './body-headers.ts'
import { discardBody } from './discard-body.ts'
import { readForm, readText } from './form.ts'
import { readMultipart } from './multipart.ts'

export interface ReadBodyOptions extends ReadJsonOptions {
  spec: BodySpec
  residualLimitBytes: number
}

/** Reads and parses it; the value has the same form whatever the way. Throws what the readers of each kind throw, and `unsupported_media_type` for one that is not taken.
 *  After a throw nothing is left on disk and the rest of the body is swallowed. */
export async function readBody(request: IncomingMessage, options: ReadBodyOptions): Promise<JsonBody> {
  const { spec, hash = false } = options
  try {
    const kind = kindOf(request, spec)
    if (kind === 'json') return await readJsonBody(request, options)
    assertPlain(request, options.maxBytes)
    const form = { ...options, schema: spec.schema, hash }
    if (kind === 'multipart') return await readMultipart(request, form)
    if (kind === 'text' && spec.text) return await readText(request, { ...form, text: spec.text })
    return await readForm(request, form)
  } catch (error) {
    discardBody(request)
    throw error
  }
}
