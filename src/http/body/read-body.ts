/** Reads the body of a request, whatever kind it has (JSON, form, multipart, text). */
import type { IncomingMessage } from 'node:http'
import type { DiskRoom, RoomReservation } from '@generation-gateway/kit/disk-room.ts'
import type { BodySpec } from '../../contract/body.ts'
import { type JsonBody, type ReadJsonOptions, readJsonBody } from './body.ts'
import { assertPlain, kindOf } from './body-headers.ts'
import { discardBody } from './discard-body.ts'
import { readForm, readText } from './form.ts'
import { spillThreshold } from './json-spill.ts'
import { readMultipart } from './multipart.ts'

export interface ReadBodyOptions extends Omit<ReadJsonOptions, 'room'> {
  /** Disk space that all bodies share; the space for the files of this body is reserved in it.
   *  No limit when absent. */
  disk?: DiskRoom | undefined
  /** The account that sends the body. */
  account?: string | undefined
  spec: BodySpec
  residualLimitBytes: number
}

/** Reads and parses a body; the value has the same form for every kind. Throws the errors of each
 *  kind's reader, `unsupported_media_type` for a kind that is not accepted, and `disk_full` before
 *  the first byte of a body that the disk has no room for. After an error nothing is left on disk
 *  and the rest of the body is discarded. */
export async function readBody(request: IncomingMessage, options: ReadBodyOptions): Promise<JsonBody> {
  const { spec, hash = false } = options
  let room: RoomReservation | undefined
  try {
    const kind = kindOf(request, spec)
    assertPlain(request, options.maxBytes)
    room = roomOf(request, options)
    const reading = { ...options, room }
    if (kind === 'json') return await readJsonBody(request, reading)
    const form = { ...reading, schema: spec.schema, hash }
    if (kind === 'multipart') return await readMultipart(request, form)
    if (kind === 'text' && spec.text) return await readText(request, { ...form, text: spec.text })
    return await readForm(request, form)
  } catch (error) {
    discardBody(request)
    throw error
  } finally {
    room?.close()
  }
}

/** Reserves disk space for the body; returns undefined when the body stays in memory. */
function roomOf({ headers }: IncomingMessage, { disk, account }: ReadBodyOptions): RoomReservation | undefined {
  if (!disk) return undefined
  const length = headers['content-length']
  if (length === undefined) return disk.open(0, account)
  return Number(length) > spillThreshold ? disk.open(Number(length), account) : undefined
}
