/** Sends and reads the notifications between nodes. */
import type { NodeSignal } from '../../core/ports/signals.ts'
import type { StoreSignal } from '../../core/ports/store.ts'
import type { Connection } from '../sql/statements.ts'

export const channel = 'generation_gateway'
export interface Notice {
  /** Id of the sender: each opening of the store has its own. */
  session: string
  /** Signals of commits. */
  signals: readonly StoreSignal[]
  /** True when the commit has changed accounts, keys, endpoints or signing keys. */
  hasChanges: boolean
  /** Signals that do not come from a commit. */
  news: readonly NodeSignal[]
}

/** Sends a notice with these parts. Resolves when it has been sent, or could not be sent and is
 *  lost. */
export type SendNotice = (parts: Partial<Omit<Notice, 'session'>>) => Promise<void>

/** Returns the function that sends the notices of one opening of the store. */
export function prepareSendNotice(session: string, connection: Connection): SendNotice {
  const notify = connection.prepare('SELECT pg_notify(?, ?)')
  return async parts => {
    const payloads = payloadsOf({ session, signals: [], hasChanges: false, news: [], ...parts })
    await Promise.allSettled(payloads.map(payload => notify.run(channel, payload)))
  }
}

/** Largest size in bytes of the signals in one notification. PostgreSQL accepts less than 8,000
 *  bytes, and the other members of a notice take less than 200. */
const listBytes = 7_700

/** Returns the notice as one or more JSON texts, each short enough for NOTIFY. A signal that is
 *  too long even alone is left out. */
function payloadsOf({ session, signals, hasChanges, news }: Notice): string[] {
  const one = (part: Partial<Notice>) => JSON.stringify({ session, signals: [], hasChanges: false, news: [], ...part })
  return [
    ...(hasChanges ? [one({ hasChanges })] : []),
    ...inParts(signals).map(part => one({ signals: part })),
    ...inParts(news).map(part => one({ news: part })),
  ]
}

function inParts<Signal>(signals: readonly Signal[]): Signal[][] {
  const parts: Signal[][] = []
  let room = 0
  for (const signal of signals) {
    const bytes = Buffer.byteLength(JSON.stringify(signal)) + 1
    if (bytes > listBytes) continue
    if (bytes > room) {
      parts.push([])
      room = listBytes
    }
    parts.at(-1)?.push(signal)
    room -= bytes
  }
  return parts
}

/** Returns the notice that a notification contains; undefined for a notification that does not
 *  come from a gateway. Any user of the database can send notifications. */
export function toNotice(payload: string): Notice | undefined {
  try {
    const { session, signals, hasChanges, news } = JSON.parse(payload)
    if (typeof session !== 'string') return undefined
    return { session, signals: objectsIn<StoreSignal>(signals).filter(isCarried), hasChanges: hasChanges === true, news: objectsIn(news) }
  } catch {
    return undefined
  }
}

/** The fields that a signal from another node must have, by the kind of the signal. All of them
 *  are strings. */
const carriedFields: Readonly<Record<string, readonly string[]>> = {
  job: ['queue'],
  task: ['taskId', 'state'],
  cancel: ['taskId'],
  webhook: [],
  order: ['node', 'order'],
}

function isCarried(signal: object): boolean {
  const fields = Object.entries(signal)
  const kind = fields.find(([name]) => name === 'kind')?.[1]
  const wanted = Object.hasOwn(carriedFields, String(kind)) ? carriedFields[String(kind)] : undefined
  return wanted?.every(name => fields.some(([own, value]) => own === name && typeof value === 'string')) ?? false
}

function objectsIn<Member>(list: unknown): Member[] {
  return Array.isArray(list) ? list.filter(member => typeof member === 'object' && member !== null) : []
}
