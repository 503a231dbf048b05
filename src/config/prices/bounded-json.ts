import { closeSync, openSync, readSync } from 'node:fs'
import { errorMessage, GatewayError } from '@generation-gateway/kit/errors.ts'
import { JsonScanner } from '@generation-gateway/kit/json-scanner.ts'
import { shown } from './shown.ts'

/** Largest size in bytes of a price list and of a prices file. LiteLLM's list had 3.5 MB in
 *  November 2026. */
const mostBytes = 16 * 1024 * 1024
/** Deepest nesting in a price list or prices file. LiteLLM's list has 5 levels. */
const mostLevels = 16
/** Largest number of values. LiteLLM's list has 130,000. */
const mostValues = 1_000_000
const chunkBytes = 1024 * 1024

/** Returns the text of a file. Stops reading soon after the limit of 16 MiB, so that a device or a
 *  pipe without an end can be read, too. Throws `invalid_request` when the file cannot be read or
 *  has more than 16 MiB. */
export function readBoundedText(path: string): string {
  const chunks: Buffer[] = []
  let length = 0
  try {
    const file = openSync(path, 'r')
    try {
      for (;;) {
        const chunk = Buffer.allocUnsafe(chunkBytes)
        const count = readSync(file, chunk, 0, chunk.length, null)
        if (count === 0) break
        length += count
        if (length > mostBytes) break
        chunks.push(chunk.subarray(0, count))
      }
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    throw new GatewayError('invalid_request', `${path} cannot be read: ${fileReasonOf(cause)}.`, { cause })
  }
  if (length > mostBytes)
    throw new GatewayError('invalid_request', `${path} has more than ${mostBytes / 1024 / 1024} MB, the most for prices.`)
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns the parsed JSON object. Throws `invalid_request` with the path when the text is not JSON
 *  (NaN and Infinity are not JSON), is not an object, is nested more than 16 levels deep, or has
 *  more than a million values. */
export function parseBoundedJson(text: string, path: string): object {
  // Both limits are checked before the text is parsed, because parsing a file full of brackets
  // would take much memory.
  const excess = excessOf(text)
  if (excess !== undefined) throw new GatewayError('invalid_request', `${path} has ${excess}.`)
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new GatewayError('invalid_request', `${path} is not JSON: ${shown(reasonOf(cause))}.`, { cause })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new GatewayError('invalid_request', `${path} has no prices: it must be a JSON object with a member for each model.`)
}

/** Returns which limit the text exceeds (`more than 16 levels`); undefined when it exceeds none. */
function excessOf(text: string): string | undefined {
  const scanner = new JsonScanner({}, mostLevels)
  try {
    scanner.feed(Buffer.from(text))
  } catch {
    return `more than ${mostLevels} levels`
  }
  return scanner.separators > mostValues ? `more than ${mostValues} values` : undefined
}

function fileReasonOf(error: unknown): string {
  const { code } = Object(error)
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return 'it is a folder'
  return code === 'EACCES' ? 'this user may not read it' : reasonOf(error)
}

function reasonOf(error: unknown): string {
  return errorMessage(error).replace(/\.$/, '')
}
