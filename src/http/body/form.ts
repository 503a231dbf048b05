/** Reads text bodies: URL-encoded forms, and plain texts whose whole content is the value of one
 *  field. */
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RoomReservation } from '@generation-gateway/kit/disk-room.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TObject } from 'typebox'
import type { TextBody } from '../../contract/body.ts'
import type { JsonBody } from './body.ts'
import { mediaTypeOf } from './body-headers.ts'
import { type ChunkLimits, wholeBody } from './chunks.ts'
import { TextFields } from './fields-from-text.ts'
import { notUtf8 } from './replacement-signs.ts'
import type { SpillField } from './spill-paths.ts'

export interface FormOptions extends ChunkLimits {
  schema: TObject
  /** Largest size in bytes of the body's text, files not included. */
  residualLimitBytes: number
  /** Fields that may contain a file inside a JSON string. */
  spillFields?: readonly SpillField[]
  scratch(): Promise<string>
  /** Disk space reserved for the files of the body; no limit when absent. */
  room?: RoomReservation | undefined
  hash: boolean
}

/** Largest number of fields in a form. Multipart bodies have the same limit for their parts. */
const mostPairs = 1_000

/** Reads a URL-encoded form. Throws the errors of `bodyChunks`, and `invalid_request` for a text
 *  that is not UTF-8, a field that takes one value but occurs twice, or more than 1,000 fields. */
export async function readForm(request: IncomingMessage, options: FormOptions): Promise<JsonBody> {
  const bytes = await wholeBody(request, { ...options, maxBytes: options.residualLimitBytes })
  const fields = new TextFields(options.schema)
  const pairs = utf8(bytes).split('&', mostPairs + 1)
  if (pairs.length > mostPairs) throw new GatewayError('invalid_request', `The form has more than ${mostPairs} fields.`)
  for (const pair of pairs)
    for (const [name, text] of new URLSearchParams(`&${pair}`)) {
      if (isBroken(pair, text)) throw notUtf8(fields.fieldOf(name))
      fields.add(name, text)
    }
  return textBody(bytes, options, { value: fields.value, exactIntegers: fields.exactIntegers })
}

/** Reads a plain text body; its text becomes the value of the field that the operation declares.
 *  Throws the errors of `bodyChunks`, and `invalid_request` when the text is not UTF-8 or not
 *  valid URL encoding. */
export async function readText(request: IncomingMessage, options: FormOptions & { text: TextBody }): Promise<JsonBody> {
  const { field, typeField } = options.text
  const bytes = await wholeBody(request, { ...options, maxBytes: options.residualLimitBytes })
  const type = mediaTypeOf(request.headers['content-type'] ?? options.text.mediaTypes[0] ?? '')
  const text = type === 'application/x-www-form-urlencoded' ? decoded(utf8(bytes)) : utf8(bytes)
  return textBody(bytes, options, { value: { [field]: text, ...(typeField === undefined ? {} : { [typeField]: type }) } })
}

/** Returns true when decoding put replacement characters (U+FFFD) in place of invalid bytes. A
 *  U+FFFD that the client itself sent does not count. */
function isBroken(pair: string, text: string): boolean {
  const count = (all: string, sign: RegExp) => all.match(sign)?.length ?? 0
  return count(text, /\ufffd/g) > count(pair, /\ufffd|%EF%BF%BD/gi)
}

function textBody(bytes: Buffer, { hash: isHashed }: FormOptions, read: Pick<JsonBody, 'value'> & Partial<JsonBody>): JsonBody {
  const body: JsonBody = { spilled: new Map(), exactIntegers: new Map(), discard: async () => {}, ...read }
  if (isHashed) body.bodySha256 = hash('sha256', bytes)
  return body
}

function utf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new GatewayError('invalid_request', 'The body is not valid UTF-8.')
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw new GatewayError('invalid_request', 'The body is not valid URL encoding.', { cause })
  }
}
