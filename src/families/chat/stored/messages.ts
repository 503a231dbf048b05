/** Lists the messages of a stored completion. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { refusal } from '../../shared/refusal.ts'
import type { StoredMessage } from './schema.ts'
import type { StoredChat } from './stored.ts'

interface Page {
  after?: string | undefined
  limit: number
  order: 'asc' | 'desc'
}

/** Returns a page of the messages that the completion answers. Throws `invalid_request` when
 *  `after` is not the id of one of them. */
export function messagePage({ messages, completion }: StoredChat, { after, limit, order }: Page) {
  const all = messages.map((message, index) => shownMessage(message, `${completion.id}-${index}`))
  if (order === 'desc') all.reverse()
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0) throw refusal(['after'], `names '${after.slice(0, 100)}', which this completion does not have.`)
  return listOf(all.slice(start, start + limit), all.length > start + limit)
}

/** Returns one page of a list in the form that OpenAI's clients read. */
export function listOf<Row extends { id: string }>(data: Row[], hasMore: boolean) {
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: hasMore } as const
}

function shownMessage(message: StoredChat['messages'][number], id: string): StoredMessage {
  const { content = null } = message
  const parts = Array.isArray(content) ? content : null
  // The cast is safe: the parts come from JSON.
  const content_parts = parts as unknown as JsonObject[] | null
  const texts = parts?.flatMap(({ text }) => text ?? []) ?? []
  const text = typeof content === 'string' ? content : texts.length > 0 ? texts.join('') : null
  return { ...message, id, content: text, content_parts, name: message.name ?? null }
}
