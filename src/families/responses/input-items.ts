/** Lists the items of the conversation that led to a response. */
import type { Static } from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import { ifFound } from '../shared/task-answers.ts'
import { responseOfItem } from './ids.ts'
import { type Page, pageOf } from './input/input-list.ts'
import type { itemList } from './schema/response-schema.ts'
import type { Item } from './schema/wire.ts'
import { assertId, assertSize, notStored, saidIn, turnOf } from './stored.ts'

/** Returns a page of the items of the earlier turns with their answers, and then the response's own
 *  input. Only turns with items of the page are read. Throws 404 when the response is not stored
 *  here, 400 when the conversation is too large. */
export async function itemPage(context: CallContext<'responses'>, id: string, page: Page): Promise<Static<typeof itemList>> {
  assertId(id)
  return context.responses.readChain(id, async ({ records, blobBytes, withContent }) => {
    const own = records.at(-1)
    if (!own || !(await isReadable(context, own))) throw notStored(id)
    assertSize(blobBytes, { id, field: 'response_id' })
    const itemsAt = async (index: number): Promise<Item[]> => {
      const record = records[index]
      const turn = record && (await turnOf(context, await withContent(record)))
      if (!turn) return []
      return record === own ? turn.input : [...turn.input, ...saidIn(turn.response.output)]
    }
    return grownPage(page, { records, itemsAt })
  })
}

async function isReadable(context: CallContext, { target, taskId, isDeleted }: ResponseRecord): Promise<boolean> {
  if (target !== undefined || isDeleted) return false
  return taskId === undefined || (await ifFound(context.task(taskId))) !== undefined
}

interface Turns {
  /** All turns of the conversation, oldest first. */
  records: readonly ResponseRecord[]
  /** Reads the items of one turn. */
  itemsAt(index: number): Promise<Item[]>
}

/** Returns the page, reading only as many turns as it needs. Reading begins with the turns that
 *  contain the cursors, or, without cursors, with the first turn in the page's order. It adds one
 *  turn at a time until the page is complete. */
async function grownPage(page: Page, { records, itemsAt }: Turns): Promise<Static<typeof itemList>> {
  const cursors = [page.after, page.before].filter(id => id !== undefined).map(id => turnOfItem(records, id))
  // `pageOf` refuses a cursor that it does not find.
  if (cursors.includes(-1)) return pageOf([], page)
  const isFromEnd = page.before !== undefined && page.after === undefined
  const isBackward = (page.order === 'desc') !== isFromEnd
  const newest = records.length - 1
  const begin = cursors.length === 0 ? [isBackward ? newest : 0] : cursors
  let first = Math.min(...begin)
  let last = Math.max(...begin)
  let items: Item[] = []
  for (let index = first; index <= last; index++) items.push(...(await itemsAt(index)))
  for (;;) {
    const shown = pageOf(items, page)
    const isWhole = cursors.length === 2 || (isBackward ? first === 0 : last === newest)
    if (shown.has_more || isWhole) return shown
    if (isBackward) items = [...(await itemsAt(--first)), ...items]
    else items = [...items, ...(await itemsAt(++last))]
  }
}

/** Returns the index of the turn to which the item belongs; -1 when the conversation has no such
 *  turn. */
function turnOfItem(records: readonly ResponseRecord[], itemId: string): number {
  const responseId = responseOfItem(itemId)
  return responseId === undefined ? -1 : records.findIndex(({ id }) => id === responseId)
}
