import type { HoldEnd } from '../../core/ports/store.ts'
import type { CallRecord } from '../../core/ports/usage.ts'
import { endOfCall } from '../../core/records/lines.ts'

/** Records of calls in the form in which they are sent to the writer thread: a few large values,
 *  because copying many small ones would take longer. */
export interface CallBatch {
  /** Account, key, endpoint, operation, target and model of each source, one after the other. */
  sources: string[]
  /** Names of all units in any of the records. */
  units: string[]
  /** All request ids, without separators. */
  requestIds: string
  /** `cellsPerCall` numbers for each record: position of its source, time, length of its request
   *  id, status, milliseconds, 1 for an estimate, and number of its units; then `cellsPerUnit`
   *  numbers for each unit: position of its name, amount and cost. */
  cells: Float64Array
  /** Holds that end with these calls, and the usage of each. */
  ended: HoldEnd[]
}

export const namesPerSource = 6
export const cellsPerCall = 7
export const cellsPerUnit = 3

/** Returns the batch for these records. Times are rounded to whole milliseconds. */
export function encodeCalls(records: readonly CallRecord[]): CallBatch {
  const sources = new Sources()
  const units: string[] = []
  const cells = new Float64Array(lengthOf(records))
  const ended: CallBatch['ended'] = []
  let requestIds = ''
  let at = 0
  for (const record of records) {
    requestIds += record.requestId
    cells[at++] = sources.positionOf(record)
    cells[at++] = Math.round(record.at)
    cells[at++] = record.requestId.length
    cells[at++] = record.status
    cells[at++] = Math.round(record.ms)
    cells[at++] = record.isEstimated === true ? 1 : 0
    cells[at++] = record.units.length
    for (const line of record.units) {
      // A linear search: there are only a handful of units.
      const known = units.indexOf(line.unit)
      cells[at++] = known < 0 ? units.push(line.unit) - 1 : known
      cells[at++] = line.units
      cells[at++] = line.costMicros
    }
    const end = endOfCall(record)
    if (end) ended.push(end)
  }
  return { sources: sources.names, units, requestIds, cells, ended }
}

function lengthOf(records: readonly CallRecord[]): number {
  let length = records.length * cellsPerCall
  for (const { units } of records) length += units.length * cellsPerUnit
  return length
}

/** Collects the different sources of a batch. A source is found by its access key and then by
 *  comparing its names, which is cheaper than building and hashing one joined name for each
 *  record. */
class Sources {
  readonly names: string[] = []
  readonly #byKey = new Map<string, number[]>()

  positionOf(record: CallRecord): number {
    const known = this.#byKey.get(record.keyId)
    for (const position of known ?? []) if (this.#isAt(position, record)) return position
    const { accountId, keyId, endpoint, operation, target, model } = record
    const position = this.names.push(accountId, keyId, endpoint, operation, target, model) / namesPerSource - 1
    if (known) known.push(position)
    else this.#byKey.set(keyId, [position])
    return position
  }

  #isAt(position: number, { accountId, endpoint, operation, target, model }: CallRecord): boolean {
    const { names } = this
    const at = position * namesPerSource
    return (
      names[at + 5] === model &&
      names[at + 4] === target &&
      names[at + 3] === operation &&
      names[at + 2] === endpoint &&
      names[at] === accountId
    )
  }
}
