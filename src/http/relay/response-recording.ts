/** Records of responses that upstreams store: the target that stores each response, and the ids
 *  under which it is known. A record is on disk before its id reaches the client. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { RelayScan, StoredAnswers } from '../../contract/relay.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import type { StoredRecords } from '../../core/responses.ts'
import type { Route } from '../../core/routing/router.ts'
import type { Call } from '../call/call.ts'
import { responseOwner } from '../call/response-owner.ts'
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
  /** Records a call that creates a background response; called in place of `onEnd`. */
  record(end: RelayEnd): void
  /** Called when the relay has ended, for a call that creates no background response, and for
   *  one whose background response had no id. */
  onEnd(end: RelayEnd): void
}

/** Returns functions for a relay. Before the id of the created response reaches the client, they
 *  record where the response is stored; before the end of the answer reaches the client, they
 *  record its items. */
export function startRecording({ deps, call, scan, stores, body, record, onEnd }: RecordingInput): Pick<RelayCall, 'onEnd' | 'beforePart'> {
  const stored = deps.responses.recordsAt(stores.kind, responseOwner(call))
  const owed = owedBy(call)
  const reported = new Set<string>()
  let id: string | undefined
  let from: Route | undefined
  let isEnded = false
  const keep = async (found: string, { target }: Route): Promise<void> => {
    const previous = stores.previousOf(body)
    const expiresAt = stores.expiresAt(body, deps.clock.now())
    const parent = previous === undefined ? {} : { parentId: previous }
    const content = id === undefined ? owedContent(stores.isBackground(body) ? owed : { ...owed, isOpen: true }) : { sameAs: id }
    const isSaved = await save(deps, stored, { id: found, model: call.model?.id ?? '', target: target.id, expiresAt, content, ...parent })
    if (isSaved) id ??= found
  }
  return {
    beforePart: (part, route) => {
      // Another target may have broken off after its first output; this part comes from the next
      // target.
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
      // A later read of the response may return more output than was counted for this call. The
      // note keeps the counted amount, so that only the difference is counted then.
      const held = call.hold?.lines.find(({ unit }) => unit === 'output_tokens')?.units ?? 0
      const counted = { inputTokens: call.expected?.inputTokens ?? 0, outputTokens: Math.max(held, end.said) }
      if (id !== undefined) call.openReadings = { responseId: id, isLeast: end.usage === undefined }
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
  stored: StoredRecords
  /** The record of the response under the id in the request. */
  record: ResponseRecord
  /** The record of the same response under the id that it got when it was created. */
  original: ResponseRecord
  owed: OwedResponse | undefined
}

/** Returns a function that records what an answer shows when a response is read: how the
 *  response ended, and further ids that the upstream gives it. */
export function noteReading({ deps, scan, stored, record, original, owed }: ResponseReading): NonNullable<RelayCall['beforePart']> {
  const reported = new Set([record.id, original.id])
  return part => {
    const fresh = responseIdsIn(scan, part).filter(each => !reported.has(each))
    // While the call that creates the response is open, only that call notes how the response ends.
    const note = owed && !owed.isOpen && noteOfReading(scan, part, original)
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

/** Returns the record from the creation of a response. `record` may be stored under another id
 *  that the upstream gave the same response. */
export async function originalOf(stored: StoredRecords, record: ResponseRecord): Promise<ResponseRecord> {
  const sameAs = record.content?.sameAs
  return typeof sameAs === 'string' ? ((await stored.find(sameAs)) ?? record) : record
}

/** Stores a record; returns false when another account already has the id. Some upstreams have
 *  ids that are too short to be unique. The answer is still sent, and the first account keeps
 *  the id. */
async function save({ log }: HttpDeps, stored: StoredRecords, response: Parameters<StoredRecords['save']>[0]): Promise<boolean> {
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
