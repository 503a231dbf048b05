/** Stored responses: their records, how they are read again, and who may read them. */

import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isKeptId, mostIdCharacters } from '@generation-gateway/kit/kept-id.ts'
import type { CallContext } from '../../contract/context.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import { currentResponse } from './background.ts'
import { refuseWith } from './input/refuse.ts'
import type { WireResponse } from './schema/response-schema.ts'
import type { Item } from './schema/wire.ts'

/** `content` of a record. */
export type StoredContent = {
  /** The turn's own items, without those of the turns it continues. */
  input: Item[]
  /** As first answered; the current state of a background response is its task's. */
  response: WireResponse
  /** The create's `include` list. */
  include: string[]
}

/** One turn of a conversation in its current state. */
export interface Turn extends StoredContent {
  record: ResponseRecord
}

/** The stored response named in the path. Throws 404 naming the id when it is unknown, deleted,
 *  expired or another caller's; 400 for characters that no id contains. */
export async function readTurn(context: CallContext<'responses'>, id: string): Promise<Turn> {
  if (!isKeptId(id)) {
    throw refuseWith('invalid_value', `response_id is no id: those have 1 to ${mostIdCharacters} visible characters.`, {
      field: 'response_id',
    })
  }
  const record = await context.responses.get(id)
  const turn = record && (await turnOf(context, record))
  if (turn) return turn
  throw notStored(id)
}

/** The turn of a record; undefined for a tombstone and for a response that an upstream keeps. */
export async function turnOf(context: CallContext, record: ResponseRecord): Promise<Turn | undefined> {
  if (record.target !== undefined || !record.content) return undefined
  // `saveTurn` below wrote it; nothing else writes the content of this family's records.
  const content = record.content as StoredContent
  const response = await currentResponse(context, record, content.response)
  return response && { record, input: content.input, response, include: content.include }
}

export function notStored(id: string): GatewayError {
  const shown = id.slice(0, 100)
  return new GatewayError('response_not_found', `Response with id '${shown}' not found.`, {
    subject: id,
    wire: { code: null, type: 'invalid_request_error', param: null },
  })
}

interface NewTurn {
  content: StoredContent
  /** Unix milliseconds. */
  expiresAt: number
  taskId?: string
}

/** Resolves when the turn is on disk. */
export function saveTurn(context: CallContext<'responses'>, { content, expiresAt, taskId }: NewTurn): Promise<void> {
  const { id, model, previous_response_id: parentId } = content.response
  return context.responses.save({
    id,
    model,
    content,
    expiresAt,
    ...(parentId === null ? {} : { parentId }),
    ...defined({ taskId }),
  })
}
