/** Notes about responses that upstreams keep: where each is, and under which ids. They are on disk before an id reaches the client. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { RelayScan, StoredAnswers } from '../../contract/relay.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import type { AccountResponses } from '../../core/responses.ts'
import type { Route } from '../../core/routing/router.ts'
import type { Call } from '../call/call.ts'
import type { HttpDeps } from '../deps.ts'
import type { RelayCall, RelayEnd } from './relay-types.ts'
import { assertKeptIds, responseIdsIn } from './response-id.ts'
import { endedIn, noteOf, noteOfReading } from './response-note.ts'
import { type OwedResponse, oweCall, owedBy, owedContent } from './response-usage.ts'

interface ToRecord {
  deps: HttpDeps
  call: Call
  scan: RelayScan
  stores: StoredAnswers
  body: JsonObject
  /** The call is put on record. */
  record(end: RelayEnd): void
  /** What the end of any other relay does. */
  onEnd(end: RelayEnd): void
}

/** Notes where the response of a create is kept before its id reaches the client, and its items before its end does. */
export function recording({ deps, call, scan, stores, body, record, onEnd }: ToRecord): Pick<RelayCall, 'onEnd' | 'beforePart'> {
  const stored = deps.responses.at(call.key.accountId, call.endpoint.name)
  const owed = owedBy(call)
  const told = new Set<string>()
  let id: string | undefined
  let from: Route | undefined
  let isEnded = false
  const keep = async (found: string, { target }: Route): Promise<void> => {
    const previous = stores.previousOf(body)
    const expiresAt = stores.expiresAt(body, deps.clock.now())
    const parent = previous === undefined ? {} : { parentId: previous }
    const content = id === undefined ? owedContent(owed) : { sameAs: id }
    const isSaved = await save(deps, stored, { id: found, model: call.model?.id ?? '', target: target.id, expiresAt, content, ...parent })
    if (isSaved) id ??= found
  }
  return {
    beforePart: (part, route) => {
      // The one before may have broken off after its first word.
      if (from !== route) {
        from = route
        id = undefined
        told.clear()
      }
      const fresh = responseIdsIn(scan, part).filter(each => !told.has(each))
      const ended = part.isMarked ? endedIn(scan, part) : undefined
      if (fresh.length === 0 && (id === undefined || !ended)) return undefined
      const write = async (): Promise<void> => {
        assertKeptIds(fresh)
        for (const each of fresh) {
          told.add(each)
          await keep(each, route)
        }
        if (!ended) return
        isEnded = true
        if (id !== undefined) await stored.note(id, noteOf(scan, ended, { owed, inputTokens: call.expected?.inputTokens ?? 0 }))
      }
      return write()
    },
    onEnd: end => {
      if (id !== undefined && stores.isBackground(body)) {
        oweCall(deps, call, { owed: { ...owed, id }, end })
        record(end)
        return
      }
      // Whoever reads it later may get more than the record has.
      const held = call.hold?.lines.find(({ unit }) => unit === 'output_tokens')?.units ?? 0
      const counted = { inputTokens: call.expected?.inputTokens ?? 0, outputTokens: Math.max(held, end.said) }
      onEnd(end)
      if (id === undefined || (isEnded && end.usage)) return
      const content = end.usage ? { tokens: end.usage.inputTokens + end.usage.outputTokens } : owedContent({ ...owed, counted })
      stored.note(id, { items: [], content }).catch(noteFailed(deps, id))
    },
  }
}

interface Reading {
  deps: HttpDeps
  scan: RelayScan
  stored: AccountResponses
  /** Under the id that was asked for. */
  record: ResponseRecord
  /** Under the id of its create. */
  original: ResponseRecord
  owed: OwedResponse | undefined
}

/** Notes what a reading shows: how the response has ended, and other ids that its upstream tells for it. */
export function noteReading({ deps, scan, stored, record, original, owed }: Reading): NonNullable<RelayCall['beforePart']> {
  const told = new Set([record.id, original.id])
  return part => {
    const fresh = responseIdsIn(scan, part).filter(each => !told.has(each))
    const note = owed && noteOfReading(scan, part, original)
    if (fresh.length === 0 && !note) return undefined
    const write = async (): Promise<void> => {
      assertKeptIds(fresh)
      for (const each of fresh) {
        told.add(each)
        await save(deps, stored, { ...original, id: each, content: { sameAs: original.id } })
      }
      if (note) await stored.note(original.id, note)
    }
    return write()
  }
}

/** The note of the create, for a response that was asked for by another id of its upstream's. */
export async function originalOf(stored: AccountResponses, record: ResponseRecord): Promise<ResponseRecord> {
  const sameAs = record.content?.sameAs
  return typeof sameAs === 'string' ? ((await stored.get(sameAs)) ?? record) : record
}

/** False when another account has the id: an upstream with ids so short that two got the same. Its answer is good, and the one who had the id first keeps it. */
async function save({ log }: HttpDeps, stored: AccountResponses, response: Parameters<AccountResponses['save']>[0]): Promise<boolean> {
  try {
    await stored.save(response)
    return true
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'conflict') throw error
    log.warn({ response: response.id }, 'an upstream has given the same response id twice; the later one cannot be read or continued')
    return false
  }
}

function noteFailed({ log }: HttpDeps, id: string): (error: unknown) => void {
  return error => log.error({ err: error, response: id }, 'what a response owes could not be noted')
}
