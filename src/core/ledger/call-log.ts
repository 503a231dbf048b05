import { setTimeout as sleep } from 'node:timers/promises'
import type { EndedHold, RaisedHold, TaskStore } from '../ports/store.ts'
import type { CallRecord } from '../ports/usage.ts'
import { endOfCall } from '../records/lines.ts'
import { createStoreTrouble, isStoreAway, type StoreTrouble } from '../store-alarm.ts'
import type { WorkerLog } from '../work/worker-deps.ts'

/** Keeps a record of every answered call: what a kill loses is at most what was answered in the last 20 ms. */
export interface CallLog {
  /** Never throws and never waits. */
  add(record: CallRecord): void
  /** Raises the hold of a call under way, before anything that is added later; never throws and never waits. */
  raiseHold(raise: RaisedHold): void
  /** Ends the hold of a call that has no record; never throws and never waits. */
  endHold(end: EndedHold): void
  /** Resolves when everything added so far is on disk, or could not be written and was logged. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** One commit for all calls of this time, which leaves the other half of the 20 ms to the commit itself: 100 fsyncs a second at most, whatever the load. */
const flushEveryMs = 10
/** A store that cannot write for a while must not fill the memory: 100,000 records are about 30 MB. */
const keptAtMost = 100_000
const retryMs = 500

export function createCallLog({
  store,
  log,
  trouble = createStoreTrouble({ log, clock: { now: Date.now } }),
}: {
  store: Pick<TaskStore, 'recordCalls' | 'raiseHolds' | 'endHolds'>
  log: WorkerLog
  trouble?: StoreTrouble
}): CallLog {
  let waiting: CallRecord[] = []
  /** Small, and never dropped: a hold that nobody ends would lock its key out. */
  let ends: EndedHold[] = []
  /** The last raise of each hold: at most one for every call under way. */
  let raises = new Map<string, RaisedHold>()
  let lost = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isClosed = false

  const write = async (records: CallRecord[]): Promise<void> => {
    try {
      await store.recordCalls(records)
      trouble.worked('records of calls')
      if (lost > 0) log.error({ records: lost }, 'records of calls were lost: too many waited for the store')
      lost = 0
    } catch (error) {
      trouble.failed('records of calls', error, records.length + waiting.length)
      // What the store refuses as wrong it would refuse for ever.
      if (!isStoreAway(error)) {
        // One bad record must not take the others of its commit with it.
        if (records.length > 1) for (const record of records) await write([record])
        else keepHolds(records)
        return
      }
      waiting = [...records, ...waiting]
      if (waiting.length > keptAtMost) {
        if (lost === 0) log.error({ keptAtMost }, 'records of calls are being lost: too many wait for the store')
        lost += waiting.length - keptAtMost
        keepHolds(waiting.slice(0, -keptAtMost))
        waiting = waiting.slice(-keptAtMost)
      }
      if (!isClosed) await sleep(retryMs, undefined, { ref: false })
    }
  }
  /** Records that are lost still end their holds. */
  const keepHolds = (records: readonly CallRecord[]): void => {
    for (const record of records) {
      const end = endOfCall(record)
      if (end) ends.push(end)
    }
  }
  const writeRaises = async (): Promise<void> => {
    const due = raises
    raises = new Map()
    try {
      await store.raiseHolds([...due.values()])
      trouble.worked('raises of holds')
    } catch (error) {
      // The next raise of each says more: these are not tried again, lest one makes a hold anew that has ended.
      trouble.failed('raises of holds', error, due.size)
    }
  }
  const writeEnds = async (due: EndedHold[]): Promise<void> => {
    try {
      await store.endHolds(due)
      trouble.worked('ends of holds')
    } catch (error) {
      trouble.failed('ends of holds', error, due.length + ends.length)
      if (!isStoreAway(error)) {
        if (due.length > 1) for (const end of due) await writeEnds([end])
        return
      }
      ends = [...due, ...ends]
      if (!isClosed) await sleep(retryMs, undefined, { ref: false })
    }
  }
  const flushSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      void flushNow()
    }, flushEveryMs)
  }
  const writeAll = async (records: CallRecord[]): Promise<void> => {
    // First: a hold that has ended must not be made anew.
    if (raises.size > 0) await writeRaises()
    if (records.length > 0) await write(records)
    if (ends.length === 0) return
    const due = ends
    ends = []
    await writeEnds(due)
  }
  /** One write at a time: what comes meanwhile shares the next. */
  const flushNow = (): Promise<void> => {
    if (writing) return writing
    const records = waiting
    waiting = []
    if (records.length + ends.length + raises.size === 0) return Promise.resolve()
    writing = writeAll(records).finally(() => {
      writing = undefined
      if (waiting.length + ends.length + raises.size > 0 && !isClosed) flushSoon()
    })
    return writing
  }
  const flush = async (): Promise<void> => {
    await writing
    await flushNow()
  }
  return {
    add: record => {
      waiting.push(record)
      flushSoon()
    },
    raiseHold: raise => {
      raises.set(raise.record.requestId, raise)
      flushSoon()
    },
    endHold: end => {
      ends.push(end)
      flushSoon()
    },
    flush,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await flush()
    },
  }
}
