/** Packs the reasoning, and data that a target wants back in the next turn (carried members), into
 *  one text. It is for protocols whose clients send back certain texts unchanged
 *  (`encrypted_content`, `signature`) but drop members that they do not know (docs/decisions/0037).
 *  The text is not encrypted, because callers have seen its content. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type Json, type JsonObject, parsedJson } from '@generation-gateway/kit/json.ts'
import { type CarriedMembers, mostCarriedCharacters, sealedMark, sizeOfCarried } from '@generation-gateway/kit/requests/carried.ts'

export interface SealedReasoning {
  texts: string[]
  /** True when `texts` are summaries of the reasoning, not the reasoning itself. */
  isSummary?: boolean
  carried?: CarriedMembers
  /** Encrypted reasoning that an upstream of the Responses protocol sent, and the `id` of its
   *  item. */
  encrypted?: string
  id?: string
}

/** Largest number of sealed texts in one conversation. The limit bounds the time of a request,
 *  because each text is opened, checked and translated. */
const mostSealed = 10_000

/** Throws the error of `refused` for a conversation with more sealed texts than `mostSealed`. */
export function limitSealed(count: number, refused: (says: string) => Error): void {
  if (count > mostSealed)
    throw refused(`has more than ${mostSealed} signatures or encrypted contents that this gateway made; it may have that many at most.`)
}

/** Returns the reasoning as one text. */
export function sealed(reasoning: SealedReasoning): string {
  return sealedMark + Buffer.from(JSON.stringify(reasoning)).toString('base64url')
}

/** Returns the reasoning in a text that `sealed` made; undefined for any other text. Throws the
 *  error of `damaged` for a text that is malformed, or whose carried members have more than twice
 *  `mostCarriedCharacters` characters, which no answer has. Other changes of the text are not
 *  noticed. */
export function unsealed(text: string, damaged: (says: string) => Error): SealedReasoning | undefined {
  if (!text.startsWith(sealedMark)) return undefined
  const value = parsedJson(Buffer.from(text.slice(sealedMark.length), 'base64url').toString())
  const { texts, isSummary, carried, encrypted, id } = isObject(value) ? value : {}
  if (
    Array.isArray(texts) &&
    texts.every(each => typeof each === 'string') &&
    (carried === undefined || (sizeOfCarried(carried) <= mostCarriedCharacters * 2 && isCarried(carried))) &&
    isTextOrAbsent(encrypted) &&
    isTextOrAbsent(id)
  )
    return { texts, ...(isSummary === true ? { isSummary } : {}), ...defined({ carried, encrypted, id }) }
  throw damaged(`is not what this gateway sealed, or carries more than ${mostCarriedCharacters * 2} characters.`)
}

/** Returns the carried members of tool calls that were stored in these reasoning items, by call
 *  id. */
export function sealedCalls(reasoning: Iterable<{ carried?: CarriedMembers | undefined }>): Map<string, CarriedMembers> {
  const calls = new Map<string, CarriedMembers>()
  for (const { carried } of reasoning) for (const [id, members] of Object.entries(carried?.calls ?? {})) calls.set(id, members)
  return calls
}

function isTextOrAbsent(value: Json | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

function isCarried(value: Json): value is CarriedMembers {
  if (!isObject(value) || !isObject(value.members)) return false
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
