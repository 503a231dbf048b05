/** Records of responses that upstreams store: where each one is, and under which ids. A record is
 *  on disk before its id reaches the client. */
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

interface RecordingInput {
  deps: HttpDeps
  call: Call
  scan: RelayScan
  stores: StoredAnswers
  body: JsonObject
  /** Records the call. */
  record(end: RelayEnd): void
  /** Ends the relay as for a call that stores no response. */
  onEnd(end: RelayEnd): void
}

/** Returns hooks that record where the created response is stored before its id reaches the client,
 *  and its items before its end does. */
export function startRecording({ deps, call, scan, stores, body, record, onEnd }: RecordingInput): Pick<RelayCall, 'onEnd' | 'beforePart'> {
  const stored = deps.responses.at(call.key.accountId, call.endpoint.name)
  const owed = owedBy(call)
  const reported = new Set<string>()
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
      // The previous target may have broken off after its first output.
      if (from !== route) {
        from = route
        id = undefined
        reported.clear()
      }
      const fresh = responseIdsIn(scan, part).filter(each => !reported.has(each))
      const ended = part.isMarked ? endedIn(scan, part) : undefined
      if (fresh.length === 0 && (id === undefined || !ended)) return undefined
      const write = async (): Promise<void> => {
        assertKeptIds(fresh)
        for (const each of fresh) {
          reported.add(each)
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
      // A later read may return more output than was counted for this call, so the note keeps the
      // counted amount.
      const held = call.hold?.lines.find(({ unit }) => unit === 'output_tokens')?.units ?? 0
      const counted = { inputTokens: call.expected?.inputTokens ?? 0, outputTokens: Math.max(held, end.said) }
      onEnd(end)
      if (id === undefined || (isEnded && end.usage)) return
      const content = end.usage ? { tokens: end.usage.inputTokens + end.usage.outputTokens } : owedContent({ ...owed, counted })
      stored.note(id, { items: [], content }).catch(noteFailed(deps, id))
    },
  }
}

interface ResponseReading {
  deps: HttpDeps
  scan: RelayScan
  stored: AccountResponses
  /** The record under the id that the request names. */
  record: ResponseRecord
  /** The record under the id that the response got when it was created. */
  original: ResponseRecord
  owed: OwedResponse | undefined
}

/** Returns a hook that records what a read of a response shows: how it ended, and further ids that
 *  the upstream gives it. */
export function noteReading({ deps, scan, stored, record, original, owed }: ResponseReading): NonNullable<RelayCall['beforePart']> {
  const reported = new Set([record.id, original.id])
  return part => {
    const fresh = responseIdsIn(scan, part).filter(each => !reported.has(each))
    const note = owed && noteOfReading(scan, part, original)
    if (fresh.length === 0 && !note) return undefined
    const write = async (): Promise<void> => {
      assertKeptIds(fresh)
      for (const each of fresh) {
        reported.add(each)
        await save(deps, stored, { ...original, id: each, content: { sameAs: original.id } })
      }
      if (note) await stored.note(original.id, note)
    }
    return write()
  }
}

/** Returns the record from the creation of a response that was requested by another of the ids that
 *  its upstream gave it. */
export async function originalOf(stored: AccountResponses, record: ResponseRecord): Promise<ResponseRecord> {
  const sameAs = record.content?.sameAs
  return typeof sameAs === 'string' ? ((await stored.get(sameAs)) ?? record) : record
}

/** Stores a record; false when another account has the id. That happens with upstreams whose ids
 *  are too short to be unique; the answer is delivered, and the first owner keeps the id. */
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
