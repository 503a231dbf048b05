/** Returns pages of a response's input items (docs/vendors/openai-responses.md#input-items). */

import { isDataUrl } from '@generation-gateway/kit/requests/conversation/data-url.ts'
import type { Static } from 'typebox'
import { shownCarried } from '../carried-items.ts'
import type { itemList } from '../schema/response-schema.ts'
import type { ContentPart, Item } from '../schema/wire.ts'
import { refuse } from './refuse.ts'

const imageUrlWord = 'message.input_image.image_url'

export interface Page {
  limit: number
  order: 'asc' | 'desc'
  /** Ids of items. The page contains only items that, in the order `order`, come after the item
   *  `after` and before the item `before`. */
  after?: string | undefined
  before?: string | undefined
  include: readonly string[]
}

/** Returns one page. `items` are consecutive items of the conversation, oldest first; they include
 *  the items `after` and `before`. With `before` but without `after`, the page consists of the
 *  items directly before that item. */
export function pageOf(items: readonly Item[], page: Page): Static<typeof itemList> {
  const ordered = page.order === 'asc' ? items : items.toReversed()
  const start = page.after === undefined ? 0 : placeOf(ordered, page.after, 'after') + 1
  const end = page.before === undefined ? ordered.length : placeOf(ordered, page.before, 'before')
  const between = ordered.slice(start, Math.max(start, end))
  const isFromEnd = page.before !== undefined && page.after === undefined
  const chosen = isFromEnd ? between.slice(-page.limit) : between.slice(0, page.limit)
  const shows = page.include.includes(imageUrlWord)
  return {
    object: 'list',
    data: chosen.map(item => shownItem(shows ? item : withoutData(item))),
    first_id: chosen[0]?.id ?? null,
    last_id: chosen.at(-1)?.id ?? null,
    has_more: between.length > chosen.length,
  }
}

function placeOf(items: readonly Item[], id: string, cursor: 'after' | 'before'): number {
  const place = items.findIndex(item => item.id === id)
  if (place >= 0) return place
  throw refuse(cursor, `${cursor} names the item '${id.slice(0, 100)}', which this response does not have.`)
}

function shownItem(item: Item): Item {
  return 'carried' in item ? shownCarried(item) : item
}

/** Returns the item without embedded files, which are many times larger than the rest of a page. */
function withoutData(item: Item): Item {
  if (item.type === 'message') return { ...item, content: item.content.map(withoutDataUrl) }
  const isOutput = item.type === 'function_call_output' || item.type === 'custom_tool_call_output'
  return isOutput && typeof item.output !== 'string' ? { ...item, output: item.output.map(withoutDataUrl) } : item
}

function withoutDataUrl(part: ContentPart): ContentPart {
  if (part.type === 'input_image') return isDataUrl(part.image_url ?? '') ? { ...part, image_url: null } : part
  if (part.type === 'input_video') return isDataUrl(part.video_url ?? '') ? { ...part, video_url: null } : part
  return part.type === 'input_file' && typeof part.file_data === 'string' ? { ...part, file_data: null } : part
}
