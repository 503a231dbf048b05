import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { HoldEnd, HoldRaise, TaskStore } from '../ports/store.ts'
import type { CallRecord } from '../ports/usage.ts'
import { endOfCall } from '../records/lines.ts'
import { createStoreAlarm, isStoreUnavailable, type StoreAlarm } from '../store-alarm.ts'
import { waitAtMost } from '../wait-at-most.ts'
import type { WorkerLog } from '../work/worker-deps.ts'

/** The records of calls that end within this interval, in ms, are written in one commit, so
 *  there are at most 100 fsyncs a second at any load. The commit itself may take another 10 ms,
 *  so that a record is on disk 20 ms after its call. */
const flushEveryMs = 10
/** Number of records in memory above which no further calls are accepted, while the store cannot
 *  write; the records of calls in progress are still added. 100,000 records take about 30 MB. */
const keptAtMost = 100_000
const retryMs = 500
/** Largest number of records in one commit; a larger commit would delay other writes for too
 *  long. */
const recordsPerWrite = 2_000
/** Longest time in ms for which a stopping gateway waits for a store that does not answer. */
const lastTriesMs = 5_000

interface CallLogDeps {
  store: Pick<TaskStore, 'recordCalls' | 'raiseHolds' | 'endHolds'>
  log: WorkerLog
  /** The alarm that logs outages of the store. When absent, the log creates its own. */
  alarm?: StoreAlarm
}

/** Writes a record of every answered call. When the process is killed, at most the records of the
 *  last 20 ms are lost. */
export class CallLog {
  readonly #store: CallLogDeps['store']
  readonly #log: WorkerLog
  readonly #alarm: StoreAlarm
  #records: CallRecord[] = []
  /** Number of records that the write in progress has not yet written to disk. */
  #waiting = 0
  /** Ends of holds (amounts reserved for calls) that have not been written yet. They are small and
   *  never dropped, because a hold that never ends would reduce its key's quota for ever. */
  #ends: HoldEnd[] = []
  /** Raises of holds (of the amounts reserved for calls) that have not been written yet, by the id
   *  of the call. Only the newest raise of a hold is kept, because it replaces the older ones. */
  #raises = new Map<string, HoldRaise>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #isClosed = false

  constructor({ store, log, alarm = createStoreAlarm({ log, clock: { now: Date.now } }) }: CallLogDeps) {
    this.#store = store
    this.#log = log
    this.#alarm = alarm
  }

  /** Throws `store_unavailable` while too many records wait for the store. No further call is
   *  then accepted, because records must not be dropped. */
  assertRoom(): void {
    if (this.#recordsLeft < keptAtMost) return
    throw new GatewayError('store_unavailable', `${keptAtMost} records of calls wait for the store, as many as are kept.`, {
      retryAfterSeconds: 2,
    })
  }

  /** Adds the record of a call to the next write. Never throws and never waits. */
  add(record: CallRecord): void {
    this.#records.push(record)
    this.#flushSoon()
  }

  /** Raises the amount that is reserved for a call in progress (its hold). The raise is written
   *  before everything that is added later. Never throws and never waits. */
  raiseHold(raise: HoldRaise): void {
    this.#raises.set(raise.record.requestId, raise)
    this.#flushSoon()
  }

  /** Ends the hold (reserved amounts) of a call that gets no record. Never throws and never
   *  waits. */
  endHold(end: HoldEnd): void {
    this.#ends.push(end)
    this.#flushSoon()
  }

  /** Resolves when everything added so far is on disk, or could not be written and was logged. */
  async flush(): Promise<void> {
    await this.#writing
    await this.#flushNow()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const endsAt = performance.now() + lastTriesMs
    await this.#flushUntil(endsAt)
    while (this.#left > 0 && performance.now() < endsAt) {
      await sleep(retryMs)
      await this.#flushUntil(endsAt)
    }
    if (this.#left > 0)
      this.#log.error({ records: this.#recordsLeft, ends: this.#ends.length }, 'records of calls are lost: the store took none')
  }

  /** Number of records that are not on disk. */
  get #recordsLeft(): number {
    return this.#waiting + this.#records.length
  }

  /** Number of records and ends that are not on disk. */
  get #left(): number {
    return this.#recordsLeft + this.#ends.length
  }

  /** Does the same as `flush`, but resolves when `performance.now()` reaches `endsAt` at the
   *  latest: while the database cannot be reached, a write may stay pending until the store
   *  knows whether it was committed. */
  #flushUntil(endsAt: number): Promise<void> {
    return waitAtMost(Math.max(0, endsAt - performance.now()), this.flush())
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#flushNow()
    }, flushEveryMs)
  }

  get #isEmpty(): boolean {
    return this.#records.length + this.#ends.length + this.#raises.size === 0
  }

  /** Starts a write. Only one write runs at a time; records that are added meanwhile share the next
   *  one. */
  #flushNow(): Promise<void> {
    if (this.#writing) return this.#writing
    if (this.#isEmpty) return Promise.resolve()
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined
      if (!this.#isEmpty && !this.#isClosed) this.#flushSoon()
    })
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    const records = this.#records
    this.#records = []
    this.#waiting = records.length
    // Raises are written before ends: a raise that is written after the end of its hold would
    // create the hold again.
    if (this.#raises.size > 0) await this.#writeRaises()
    await this.#writeRecords(records)
    if (this.#ends.length === 0) return
    const due = this.#ends
    this.#ends = []
    await this.#writeEnds(due)
  }

  /** Writes the records in commits of limited size. When the store is unavailable, the records that
   *  are left wait for the next write. */
  async #writeRecords(records: CallRecord[]): Promise<void> {
    for (let at = 0; at < records.length; at += recordsPerWrite) {
      const end = at + recordsPerWrite
      const left = await this.#write(records.slice(at, end))
      this.#waiting = Math.max(0, records.length - end)
      if (left.length === 0) continue
      this.#records = [...left, ...records.slice(end), ...this.#records]
      this.#waiting = 0
      return this.#pause()
    }
  }

  /** Writes records in one commit, and returns those that must be written later because the store
   *  is unavailable. */
  async #write(records: CallRecord[]): Promise<CallRecord[]> {
    try {
      await this.#store.recordCalls(records)
      this.#alarm.worked('records of calls')
      return []
    } catch (error) {
      this.#alarm.failed('records of calls', error, this.#recordsLeft)
      if (isStoreUnavailable(error)) return records
      // An invalid record is rejected at every try. Each record is now written in its own commit,
      // so that the valid records are stored nevertheless.
      if (records.length === 1) this.#keepHolds(records)
      else return this.#writeEach(records)
    }
    return []
  }

  /** Writes each record in its own commit until the store is unavailable; returns the records that
   *  are left. */
  async #writeEach(records: CallRecord[]): Promise<CallRecord[]> {
    for (const [index, record] of records.entries()) {
      const left = await this.#write([record])
      if (left.length > 0) return records.slice(index)
    }
    return []
  }

  /** Adds the ends of the holds of these calls to the next write. Needed when the store has
   *  rejected the records of the calls, because a record would have ended the hold. */
  #keepHolds(records: readonly CallRecord[]): void {
    for (const record of records) {
      const end = endOfCall(record)
      if (end) this.#ends.push(end)
    }
  }

  async #writeRaises(): Promise<void> {
    const due = this.#raises
    this.#raises = new Map()
    try {
      await this.#store.raiseHolds([...due.values()])
      this.#alarm.worked('raises of holds')
    } catch (error) {
      // A failed raise is not written again: by then its hold may have ended, and the raise would
      // create the hold again. The next raise of the same hold contains the full amount.
      this.#alarm.failed('raises of holds', error, due.size)
    }
  }

  async #writeEnds(due: HoldEnd[]): Promise<void> {
    try {
      await this.#store.endHolds(due)
      this.#alarm.worked('ends of holds')
    } catch (error) {
      this.#alarm.failed('ends of holds', error, due.length + this.#ends.length)
      if (isStoreUnavailable(error)) {
        this.#ends = [...due, ...this.#ends]
        await this.#pause()
      } else if (due.length > 1) for (const end of due) await this.#writeEnds([end])
    }
  }

  /** Waits before the next write while the store is unavailable. */
  async #pause(): Promise<void> {
    if (!this.#isClosed) await sleep(retryMs, undefined, { ref: false })
  }
}
