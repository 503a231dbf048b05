import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { HoldEnd, HoldRaise, TaskStore } from '../ports/store.ts'
import type { CallRecord } from '../ports/usage.ts'
import { endOfCall } from '../records/lines.ts'
import { createStoreAlarm, isStoreUnavailable, type StoreAlarm } from '../store-alarm.ts'
import type { WorkerLog } from '../work/worker-deps.ts'

/** Calls of this interval share one commit, which leaves the other half of the 20 ms to the
 *  commit itself: 100 fsyncs a second at most, at any load. */
const flushEveryMs = 10
/** Bounds the memory while the store cannot write: 100,000 records are about 30 MB. With more, no
 *  further calls are accepted; the records of those in progress still come. */
const keptAtMost = 100_000
const retryMs = 500
/** Records of one commit: with more, it would hold up other writes for too long. */
const recordsPerWrite = 2_000
/** A stop waits this long for a store that is away. */
const lastTriesMs = 5_000

interface CallLogDeps {
  store: Pick<TaskStore, 'recordCalls' | 'raiseHolds' | 'endHolds'>
  log: WorkerLog
  /** Default: a new one for this log. */
  alarm?: StoreAlarm
}

/** Keeps a record of every answered call: a kill loses at most the calls answered in the last 20
 *  ms. */
export class CallLog {
  readonly #store: CallLogDeps['store']
  readonly #log: WorkerLog
  readonly #alarm: StoreAlarm
  #records: CallRecord[] = []
  /** Number of records in the write in progress. */
  #waiting = 0
  /** Small, and never dropped: a hold that is never ended would lock its key out. */
  #ends: HoldEnd[] = []
  /** The last raise of each hold: at most one for every call in progress. */
  #raises = new Map<string, HoldRaise>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #isClosed = false

  constructor({ store, log, alarm = createStoreAlarm({ log, clock: { now: Date.now } }) }: CallLogDeps) {
    this.#store = store
    this.#log = log
    this.#alarm = alarm
  }

  /** Throws `store_unavailable` while so many records wait for the store that no further call is
   *  accepted: no record is dropped. */
  assertRoom(): void {
    if (this.#waiting + this.#records.length < keptAtMost) return
    throw new GatewayError('store_unavailable', `${keptAtMost} records of calls wait for the store, as many as are kept.`, {
      retryAfterSeconds: 2,
    })
  }

  /** Never throws and never waits. */
  add(record: CallRecord): void {
    this.#records.push(record)
    this.#flushSoon()
  }

  /** Raises the hold of a call in progress, before anything that is added later; never throws and
   *  never waits. */
  raiseHold(raise: HoldRaise): void {
    this.#raises.set(raise.record.requestId, raise)
    this.#flushSoon()
  }

  /** Ends the hold of a call that has no record; never throws and never waits. */
  endHold(end: HoldEnd): void {
    this.#ends.push(end)
    this.#flushSoon()
  }

  /** Resolves when everything added so far is on disk, or has failed and was logged. */
  async flush(): Promise<void> {
    await this.#writing
    await this.#flushNow()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const endsAt = performance.now() + lastTriesMs
    await this.flush()
    while (this.#records.length > 0 && performance.now() < endsAt) {
      await sleep(retryMs)
      await this.flush()
    }
    if (this.#records.length > 0) this.#log.error({ records: this.#records.length }, 'records of calls are lost: the store took none')
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

  /** Only one write runs at a time; records added meanwhile share the next one. */
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
    // Raises go first: written later, they would recreate a hold that has ended.
    if (this.#raises.size > 0) await this.#writeRaises()
    await this.#writeRecords(records)
    if (this.#ends.length === 0) return
    const due = this.#ends
    this.#ends = []
    await this.#writeEnds(due)
  }

  /** Writes the records in commits of a bounded size; puts those back that the store cannot take
   *  now. */
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

  /** Returns the records that the store cannot take now. */
  async #write(records: CallRecord[]): Promise<CallRecord[]> {
    try {
      await this.#store.recordCalls(records)
      this.#alarm.worked('records of calls')
      return []
    } catch (error) {
      this.#alarm.failed('records of calls', error, this.#waiting + this.#records.length)
      if (isStoreUnavailable(error)) return records
      // A record that the store rejects as invalid will always be rejected. One bad record must
      // not take the others of its commit with it.
      if (records.length === 1) this.#keepHolds(records)
      else return this.#writeEach(records)
    }
    return []
  }

  /** Writes each record by itself until the store takes none; returns those that are left. */
  async #writeEach(records: CallRecord[]): Promise<CallRecord[]> {
    for (const [index, record] of records.entries()) {
      const left = await this.#write([record])
      if (left.length > 0) return records.slice(index)
    }
    return []
  }

  /** Records that the store rejects still end their holds. */
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
      // The next raise of a hold supersedes this one. Failed raises are not retried, because one
      // could recreate a hold that has ended.
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

  /** Waits before the next write to a store that cannot write. */
  async #pause(): Promise<void> {
    if (!this.#isClosed) await sleep(retryMs, undefined, { ref: false })
  }
}
