import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { Base64Error, decodeBase64 } from '@generation-gateway/kit/media/base64-decoder.ts'
import { readImageFile } from '@generation-gateway/kit/media/image-header.ts'
import type { ImageLimits, InputImage } from '../../contract/context.ts'
import type { Call } from '../call/call.ts'
import type { HttpDeps } from '../deps.ts'

interface Wanted {
  field: string
  /** Base64, a data URL, an http(s) URL, or the placeholder of a file that was decoded while it arrived. */
  value: string
  limits: ImageLimits
}

/** A picture on disk whose header has been read and checked against the limits; nothing has been decoded. */
export async function readInputImage(deps: HttpDeps, call: Call, wanted: Wanted): Promise<InputImage> {
  const { path, bytes } = await fileOf(deps, call, wanted)
  const { field, limits } = wanted
  if (bytes > limits.maxBytes) throw wrong(field, `${field} has ${bytes} bytes; at most ${limits.maxBytes}.`, 'max-bytes')
  const header = await readImageFile(path)
  if (!header) throw wrong(field, `${field} is not an image the gateway knows; ${namesOf(limits)} are accepted.`, 'image-type')
  if (!limits.mediaTypes.includes(header.mediaType)) {
    throw wrong(field, `${field} is ${header.mediaType}; ${namesOf(limits)} are accepted.`, 'image-type')
  }
  const pixels = header.width * header.height
  if (pixels > limits.maxPixels) {
    throw wrong(field, `${field} is ${header.width}x${header.height}, ${pixels} pixels; at most ${limits.maxPixels}.`, 'max-pixels')
  }
  return { path, role: 'image', bytes, mediaType: header.mediaType, width: header.width, height: header.height }
}

async function fileOf(deps: HttpDeps, call: Call, { field, value, limits }: Wanted): Promise<{ path: string; bytes: number }> {
  const spilled = call.body.spilled.get(value)
  if (spilled) return { path: spilled.file, bytes: spilled.bytes }
  const path = join(await call.scratch(), `${field}.bin`)
  if (/^https?:\/\//i.test(value)) {
    const { bytes } = await deps.download(value, { toFile: path, maxBytes: limits.maxBytes, field })
    return { path, bytes }
  }
  const data = bytesOf(field, value)
  await writeFile(path, data, { mode: 0o600 })
  return { path, bytes: data.length }
}

/** Small files arrive as text; large ones were decoded by the body reader, by the same rules. */
function bytesOf(field: string, value: string): Buffer {
  try {
    return decodeBase64(value).bytes
  } catch (error) {
    if (error instanceof Base64Error) throw wrong(field, `${field} is not valid base64.`, 'base64')
    throw error
  }
}

function namesOf(limits: ImageLimits): string {
  return limits.mediaTypes.map(type => type.replace('image/', '')).join(', ')
}

function wrong(field: string, message: string, rule: string): GatewayError {
  return new GatewayError('invalid_request', message, { field, issues: [{ path: ['body', field], message, rule }] })
}
