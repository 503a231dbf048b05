/** Packs carried members into `encrypted_content`. Some clients drop unknown members of an item,
 *  but all of them send back `encrypted_content` when they have requested it
 *  (docs/decisions/0037). */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { CarriedMembers } from '@generation-gateway/kit/requests/carried.ts'
import { type SealedReasoning, sealed, sealedCalls, unsealed } from '../shared/sealed-reasoning.ts'
import { refuse } from './input/refuse.ts'
import type { UnplacedItem } from './schema/wire.ts'

/** Returns the reasoning of an answer as a text for `encrypted_content`; undefined when there is
 *  nothing to send back. */
export function sealedReasoning({ content, carried }: { content?: unknown; carried?: CarriedMembers | undefined }): string | undefined {
  const texts = Array.isArray(content) ? content.map(part => String(Object(part).text)) : []
  if (texts.length === 0 && carried === undefined) return undefined
  return sealed({ texts, ...defined({ carried }) })
}

/** Returns the reasoning that this gateway packed into `encrypted_content`; undefined for content
 *  that an upstream encrypted. Throws `invalid_request` for content that is damaged or too large to
 *  have been part of an answer. */
export function openedReasoning(encrypted: string, field: string): SealedReasoning | undefined {
  const place = `${field}.encrypted_content`
  return unsealed(encrypted, says => refuse(place, `${place} ${says}`))
}

/** Returns the items. Each tool call gets back the carried members that a reasoning item in the
 *  list contains for it. */
export function withSealedCalls<T extends { type: string }>(items: (UnplacedItem | T)[]): (UnplacedItem | T)[] {
  const calls = sealedCalls(items.filter(isReasoning))
  if (calls.size === 0) return items
  return items.map(item => {
    if (!isCall(item) || item.carried !== undefined) return item
    const carried = calls.get(item.call_id)
    return carried === undefined ? item : { ...item, carried }
  })
}

function isReasoning(item: { type: string }): item is Extract<UnplacedItem, { type: 'reasoning' }> {
  return item.type === 'reasoning'
}

function isCall(item: { type: string }): item is Extract<UnplacedItem, { type: 'function_call' | 'custom_tool_call' }> {
  return item.type === 'function_call' || item.type === 'custom_tool_call'
}
