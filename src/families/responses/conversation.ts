/** Reads the conversation of a new turn: the items of the earlier turns, the stored items to which
 *  the input refers, and the items of the input. The latter get ids. */

import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Json } from '@generation-gateway/kit/json.ts'
import type { CallContext } from '../../contract/context.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import { placedId, responseOfItem } from './ids.ts'
import { type Reference, readInput } from './input/input-items.ts'
import { refuse, refuseWith } from './input/refuse.ts'
import type { Item, ToolOutputItem, UnplacedItem } from './schema/wire.ts'
import { withSealedCalls } from './sealed-carried.ts'
import { assertSize, isCall, saidIn, type Turn, turnOf } from './stored.ts'

interface Conversation {
  /** All items before this turn, oldest first. */
  history: Item[]
  /** Items of this turn's own input. */
  input: Item[]
}

/** Reads the input of a new turn and the conversation that it continues. Throws
 *  `previous_response_not_found`, `previous_response_not_completed`, and `invalid_request` for
 *  invalid items and for an earlier conversation that is too large. */
export async function readConversation(
  context: CallContext<'responses'>,
  responseId: string,
  body: { input: string | Json[]; previous_response_id?: string | null },
): Promise<Conversation> {
  const read = withSealedCalls(readInput(body.input))
  const previousId = body.previous_response_id ?? undefined
  const { items: history, hasGaps } = previousId === undefined ? noHistory : await historyOf(context, previousId)
  if (read.length === 0 && history.length === 0) throw refuse('input', 'input is empty; it needs at least one item.')
  const resolved = await resolveReferences(context, read, history)
  const input = placeInput(resolved, responseId)
  checkCalls([...history, ...input], history.length)
  return { history: hasGaps ? withoutLooseEnds(history, input) : history, input }
}

/** Returns the items with their ids, which are derived from the id of the response and their
 *  position in its input. */
export function placeInput(items: readonly UnplacedItem[], responseId: string): Item[] {
  return items.map((item, index) => ({ ...item, id: placedId(responseId, item.type, 'input', index) }))
}

interface History {
  items: Item[]
  /** True when a turn of the conversation was deleted or has expired. */
  hasGaps: boolean
}

const noHistory: History = { items: [], hasGaps: false }

async function historyOf(context: CallContext<'responses'>, previousId: string): Promise<History> {
  return context.responses.readChain(previousId, async ({ records, blobBytes, withContent }) => {
    assertSize(blobBytes, { id: previousId, field: 'previous_response_id' })
    const turns: Turn[] = []
    for (const record of records) {
      const turn = await turnOf(context, await withContent(record))
      // A deleted turn is skipped.
      if (turn) turns.push(turn)
    }
    const last = turns.at(-1)
    if (last?.record.id !== previousId) throw noPrevious(previousId, records.at(-1))
    if (last.response.status === 'queued' || last.response.status === 'in_progress') {
      throw refuseWith('previous_response_not_completed', `The response '${previousId}' is still ${last.response.status}.`, {
        field: 'previous_response_id',
      })
    }
    return { items: turns.flatMap(turn => [...turn.input, ...saidIn(turn.response.output)]), hasGaps: turns.length < records.length }
  })
}

/** Removes calls and outputs whose counterpart was deleted, because a model accepts them only in
 *  pairs. */
function withoutLooseEnds(history: Item[], input: Item[]): Item[] {
  const calls = new Set<string>()
  const outputs = new Set<string>()
  for (const item of [...history, ...input]) {
    if (isCall(item)) calls.add(`${item.type}_output ${item.call_id}`)
    else if (isOutput(item)) outputs.add(`${item.type} ${item.call_id}`)
  }
  return history.filter(item => {
    if (isCall(item)) return outputs.has(`${item.type}_output ${item.call_id}`)
    return !isOutput(item) || calls.has(`${item.type} ${item.call_id}`)
  })
}

function isOutput(item: Item): item is ToolOutputItem {
  return item.type === 'function_call_output' || item.type === 'custom_tool_call_output'
}

/** Returns the error for a previous response that cannot be continued: it does not exist, or an
 *  upstream stores it, so that the gateway does not know its content. */
function noPrevious(id: string, record: ResponseRecord | undefined): GatewayError {
  const isElsewhere = record?.target !== undefined && !record.isDeleted
  const message = isElsewhere
    ? `The response '${id}' is kept by the upstream of ${record.model}; only that model can continue it.`
    : `Previous response with id '${id.slice(0, 100)}' not found.`
  return refuseWith('previous_response_not_found', message, { code: 'previous_response_not_found', field: 'previous_response_id' })
}

/** Replaces each reference by the item that it names; removes a reference to an item that the
 *  conversation already contains. */
async function resolveReferences(
  context: CallContext<'responses'>,
  read: (UnplacedItem | Reference)[],
  history: Item[],
): Promise<UnplacedItem[]> {
  const known = new Set(history.map(item => item.id))
  const items: UnplacedItem[] = []
  for (const item of read) {
    if (item.type !== 'item_reference') items.push(item)
    else if (!known.has(item.id)) items.push(await referenced(context, item))
  }
  return items
}

async function referenced(context: CallContext<'responses'>, { id, field }: Reference): Promise<Item> {
  const responseId = responseOfItem(id)
  const record = responseId === undefined ? undefined : await context.responses.get(responseId)
  const turn = record && (await turnOf(context, record))
  const found = turn && [...turn.input, ...turn.response.output].find(item => item.id === id)
  if (found) return found
  throw refuse(field, `${field} names the item '${id.slice(0, 100)}', which is not stored.`)
}

/** Checks that every tool output, from item `from` on, follows a call with its call_id. */
function checkCalls(items: Item[], from: number): void {
  const calls = new Set<string>()
  for (const [index, item] of items.entries()) {
    if (isCall(item)) calls.add(`${item.type}_output ${item.call_id}`)
    if (index < from || !isOutput(item)) continue
    if (calls.has(`${item.type} ${item.call_id}`)) continue
    const what = item.type === 'function_call_output' ? 'tool call' : 'custom tool call'
    throw refuse('input', `No ${what} found for call_id '${item.call_id}'.`)
  }
}
