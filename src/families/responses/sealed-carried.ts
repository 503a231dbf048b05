/** Packs carried members into `encrypted_content`. Some clients drop unknown members of an item,
 *  but all of them send back `encrypted_content` when they have requested it
 *  (docs/decisions/0037). */
import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type Json, type JsonObject, parsedJson } from '@generation-gateway/kit/json.ts'
import { type CarriedMembers, mostCarriedCharacters, sizeOfCarried } from '@generation-gateway/kit/requests/carried.ts'
import { refuse } from './input/refuse.ts'
import type { UnplacedItem } from './schema/wire.ts'

const mark = 'carried='

/** Returns the reasoning of an answer as a text for `encrypted_content`; undefined when there is
 *  nothing to send back. */
export function sealedReasoning({ content, carried }: { content?: unknown; carried?: CarriedMembers | undefined }): string | undefined {
  const texts = Array.isArray(content) ? content.map(part => String(Object(part).text)) : []
  if (texts.length === 0 && carried === undefined) return undefined
  return mark + Buffer.from(JSON.stringify({ texts, ...(carried ? { carried } : {}) })).toString('base64url')
}

/** Returns the reasoning that this gateway packed into `encrypted_content`; undefined for content
 *  that an upstream encrypted. Throws `invalid_request` for content that is damaged, or that holds
 *  more than any answer carries. */
export function openedReasoning(encrypted: string, field: string): { texts: string[]; carried?: CarriedMembers } | undefined {
  if (!encrypted.startsWith(mark)) return undefined
  const value = parsedJson(Buffer.from(encrypted.slice(mark.length), 'base64url').toString())
  const { texts, carried } = isObject(value) ? value : {}
  const isWhole = Array.isArray(texts) && texts.every(text => typeof text === 'string') && (carried === undefined || isCarried(carried))
  if (isWhole) return { texts, ...defined({ carried }) }
  const place = `${field}.encrypted_content`
  throw refuse(place, `${place} is not what this gateway sealed, or carries more than ${mostCarriedCharacters} characters.`)
}

/** Returns the items, in which each tool call gets back its carried members if a reasoning item
 *  in the list contains them. */
export function withSealedCalls<T extends { type: string }>(items: (UnplacedItem | T)[]): (UnplacedItem | T)[] {
  const sealed = new Map<string, CarriedMembers>()
  for (const item of items)
    if (isReasoning(item)) for (const [id, carried] of Object.entries(item.carried?.calls ?? {})) sealed.set(id, carried)
  if (sealed.size === 0) return items
  return items.map(item => {
    if (!isCall(item) || item.carried !== undefined) return item
    const carried = sealed.get(item.call_id)
    return carried === undefined ? item : { ...item, carried }
  })
}

function isReasoning(item: { type: string }): item is Extract<UnplacedItem, { type: 'reasoning' }> {
  return item.type === 'reasoning'
}

function isCall(item: { type: string }): item is Extract<UnplacedItem, { type: 'function_call' | 'custom_tool_call' }> {
  return item.type === 'function_call' || item.type === 'custom_tool_call'
}

function isCarried(value: Json): value is CarriedMembers {
  if (!isObject(value) || !isObject(value.members) || sizeOfCarried(value) > mostCarriedCharacters * 2) return false
  const { from, reasoningIn, calls } = value
  const isFrom = from === undefined || (isObject(from) && ['protocol', 'dialect', 'host', 'model'].every(name => isText(from, name)))
  // `reasoningIn` names the member in which a target gets the reasoning text. A caller may only set
  // it to `reasoning`, because any other name could overwrite another member of the message.
  const isNamed = reasoningIn === undefined || reasoningIn === 'reasoning'
  return (
    isFrom &&
    isNamed &&
    (calls === undefined || (isObject(calls) && Object.values(calls).every(call => call !== undefined && isCarried(call))))
  )
}

function isText(object: JsonObject, name: string): boolean {
  return typeof object[name] === 'string'
}
