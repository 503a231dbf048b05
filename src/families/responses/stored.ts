/** Stores responses and reads them again, and checks that the caller may read them. */

import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isKeptId, mostIdCharacters } from '@generation-gateway/kit/kept-id.ts'
import { MiB } from '@generation-gateway/kit/units.ts'
import type { CallContext } from '../../contract/context.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import { currentResponse } from './background.ts'
import { refuseWith } from './input/refuse.ts'
import { mostConversationBytes } from './schema/request-schema.ts'
import type { WireResponse } from './schema/response-schema.ts'
import type { CustomCallItem, FunctionCallItem, Item, OutputItem } from './schema/wire.ts'

/** The `content` of a stored record. */
export type StoredContent = {
  /** The turn's own items, without those of the turns it continues. */
  input: Item[]
  /** The response as it was first sent to the caller. For a background response, the current
   *  state is read from its task instead. */
  response: WireResponse
  /** The `include` list of the request that created the response. */
  include: string[]
}

/** One turn of a conversation in its current state. */
export interface Turn extends StoredContent {
  record: ResponseRecord
}

/** Returns the stored response that the path names. Throws 404 naming the id when the response
 *  is unknown, deleted, expired or another caller's; 400 for a text that cannot be an id. */
export async function readTurn(context: CallContext<'responses'>, id: string): Promise<Turn> {
  assertId(id)
  const record = await context.responses.get(id)
  const turn = record && (await turnOf(context, record))
  if (turn) return turn
  throw notStored(id)
}

/** Throws 400 for a text that cannot be the id of a response. */
export function assertId(id: string): void {
  if (isKeptId(id)) return
  throw refuseWith('invalid_value', `response_id is no id: those have 1 to ${mostIdCharacters} visible characters.`, {
    field: 'response_id',
  })
}

/** Throws 400 for a conversation whose stored turns are too large to be read together. `blobBytes`
 *  is their size, `field` the field that names the response `id`. */
export function assertSize(blobBytes: number, { id, field }: { id: string; field: string }): void {
  if (blobBytes <= mostConversationBytes) return
  const [has, most] = [blobBytes, mostConversationBytes].map(bytes => Math.ceil(bytes / MiB))
  throw refuseWith('invalid_value', `The conversation up to '${id}' has ${has} MB; at most ${most} MB can be continued or listed.`, {
    field,
  })
}

/** Returns the output without tool calls that were cut off, because the arguments of such a call
 *  are incomplete and no result for it can follow. */
export function saidIn(output: OutputItem[]): OutputItem[] {
  return output.filter(item => item.status === 'completed' || !isCall(item))
}

export function isCall(item: Item): item is FunctionCallItem | CustomCallItem {
  return item.type === 'function_call' || item.type === 'custom_tool_call'
}

/** Returns the turn of a record; undefined for a deleted response, for one that an upstream
 *  stores, and for a background response whose task no longer exists. */
export async function turnOf(context: CallContext, record: ResponseRecord): Promise<Turn | undefined> {
  if (record.target !== undefined || !record.content) return undefined
  // The cast is safe: only `saveTurn` below writes the content of this family's records.
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

/** Stores a turn. Resolves when it is on disk. */
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
