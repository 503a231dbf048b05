import type { UsageTotal } from '../../../core/ports/store.ts'
import type { HoldEnd, UsageLine } from '../../../core/ports/usage.ts'
import { assertAmount, type PricedUnits } from '../../../core/records/ledger.ts'
import { openReadingId } from '../../../core/records/lines.ts'
import type { Handlers } from '../operations.ts'
import type { Steps } from '../steps.ts'
import { type Cell, number, text } from '../values.ts'
import type { WriteContext } from './context.ts'
import { prepareQuotas } from './quotas.ts'

export function usageOperations(context: WriteContext): Pick<Handlers, 'recordUsage' | 'recountUsage'> {
  const insertUsage = prepareUsageInsert(context)
  return {
    recountUsage: prepareRecount(context),
    *recordUsage({ lines }) {
      yield* insertUsage(lines)
      return undefined
    },
  }
}

type WriteUsage = (lines: readonly UsageLine[]) => Steps<void>

/** Returns a function that inserts usage lines and adds them to the totals of their day. A line
 *  whose id already exists is ignored. */
export function prepareUsageInsert(context: WriteContext): WriteUsage {
  const find = context.prepareEach(({ text, join }) => `SELECT id FROM usage ${join} WHERE id = ${text(0)}`)
  const write = prepareUsageWrite(context, '')
  return function* (lines) {
    if (lines.length === 0) return
    for (const { unit, units } of lines) assertAmount(unit, units)
    const known = new Set((yield* find.get(lines.map(({ id }) => [id]))).map(row => text(row, 'id')))
    const fresh = new Map<string, UsageLine>()
    for (const line of lines) if (!known.has(line.id) && !fresh.has(line.id)) fresh.set(line.id, line)
    write([...fresh.values()])
  }
}

/** Does the same as `prepareUsageInsert`, except that a line whose id already exists is added to
 *  the stored line. A line that is written twice therefore counts twice. The lines of one call
 *  must have different ids. */
export function prepareUsageAdd(context: WriteContext): (lines: readonly UsageLine[]) => void {
  return prepareUsageWrite(
    context,
    'ON CONFLICT (id) DO UPDATE SET units = usage.units + excluded.units, cost_micros = usage.cost_micros + excluded.cost_micros',
  )
}

function prepareUsageWrite(context: WriteContext, onConflict: string): (lines: readonly UsageLine[]) => void {
  const insert = context.prepareEach(
    ({ text, whole, real, source }) =>
      `INSERT INTO usage (id, account_id, key_id, model, unit, units, cost_micros, at)
       ${source(text(0), text(1), text(2), text(3), text(4), real(5), whole(6), whole(7))} ${onConflict}`,
  )
  const addToDays = prepareAddToDays(context)
  return lines => {
    for (const { unit, units } of lines) assertAmount(unit, units)
    const rounded = lines.map(line => ({ ...line, costMicros: Math.round(line.costMicros) }))
    insert.send(
      rounded.map(({ id, accountId, keyId, model, unit, units, costMicros, at }) => [
        ...[id, accountId, keyId, model, unit],
        ...[units, costMicros, at],
      ]),
    )
    addToDays(rounded.map(line => ({ ...line, day: utcDay(line.at) })))
  }
}

/** Returns the handler that replaces estimated usage lines by exact ones or by larger lower bounds,
 *  and corrects the totals of the day and the quotas in which the estimates were counted. */
function prepareRecount(context: WriteContext): Handlers['recountUsage'] {
  const quotas = prepareQuotas(context)
  const insert = prepareUsageInsert(context)
  const find = context.prepare('SELECT units, cost_micros, at FROM usage WHERE id = ?')
  const update = context.prepare('UPDATE usage SET units = ?, cost_micros = ? WHERE id = ?')
  const addToDays = prepareAddToDays(context)
  const takeBounds = prepareTakeBounds(context)
  return function* ({ lines, quotas: shares, isLeast = false }) {
    const before: PricedUnits[] = isLeast ? [] : [...(yield* takeBounds(lines)).values()]
    const after: PricedUnits[] = []
    for (const given of lines) {
      let line = given
      let row = yield* find.get(line.id)
      if (row === undefined && isLeast) {
        line = { ...given, id: boundIdOf(given) }
        row = yield* find.get(line.id)
      }
      if (row === undefined) {
        if (line.units > 0) yield* insert([line])
        after.push(line)
        continue
      }
      const earlier = { unit: line.unit, units: number(row, 'units'), costMicros: number(row, 'cost_micros') }
      if (isLeast && earlier.units >= line.units) continue
      before.push(earlier)
      after.push(line)
      const costMicros = Math.round(line.costMicros)
      update.send(line.units, costMicros, line.id)
      const moved = { units: line.units - earlier.units, costMicros: costMicros - earlier.costMicros }
      addToDays([{ ...line, ...moved, day: utcDay(number(row, 'at')) }])
    }
    const changes = quotas.changes()
    changes.recount(shares, before, after)
    changes.write()
    return undefined
  }
}

/** Returns the id of the row with the lower bound of a usage line. The call that creates a response
 *  writes its lines when it ends. When the response is read before that, this row stores the usage
 *  that the read has shown. */
function boundIdOf({ id }: Pick<UsageLine, 'id'>): string {
  return `${id}:least`
}

/** Returns a function that deletes the lower bounds of the given lines, subtracts them from the
 *  totals of their days, and returns them by the ids of the lines. The caller must correct the
 *  quotas. */
export function prepareTakeBounds(context: WriteContext): (lines: readonly UsageLine[]) => Steps<Map<string, PricedUnits>> {
  const take = prepareTake(context)
  return function* (lines) {
    const lineIds = new Map(lines.map(line => [boundIdOf(line), line.id]))
    const bounds = yield* take([...lineIds.keys()])
    return new Map(bounds.map(({ id, unit, units, costMicros }) => [lineIds.get(id) ?? id, { unit, units, costMicros }]))
  }
}

/** Returns a function that deletes the usage lines with the given ids, subtracts them from the
 *  totals of their days, and returns the deleted lines. The caller must correct the quotas. */
function prepareTake(context: WriteContext): (ids: readonly string[]) => Steps<UsageLine[]> {
  const take = context.prepareEach(
    ({ text, using }) =>
      `DELETE FROM usage ${using} WHERE id = ${text(0)} RETURNING id, account_id, key_id, model, unit, units, cost_micros, at`,
  )
  const addToDays = prepareAddToDays(context)
  return function* (ids) {
    const rows = yield* take.get(ids.map(id => [id]))
    const lines = rows.map(row => ({
      ...{ id: text(row, 'id'), accountId: text(row, 'account_id'), keyId: text(row, 'key_id'), model: text(row, 'model') },
      ...{ unit: text(row, 'unit'), units: number(row, 'units'), costMicros: number(row, 'cost_micros'), at: number(row, 'at') },
    }))
    addToDays(lines.map(line => ({ ...line, units: -line.units, costMicros: -line.costMicros, day: utcDay(line.at) })))
    return lines
  }
}

/** Units that a reading of a response may count although the call that created it counts none of
 *  them. */
const readingUnits = ['input_tokens', 'cached_input_tokens', 'output_tokens', 'reasoning_tokens']

/** Changes to usage lines at the end of a call: `before` are the lines of readings that were
 *  deleted, and `after` are the lines to write instead. */
export interface EndedReadings {
  before: UsageLine[]
  after: UsageLine[]
}

/** Returns a function that deletes the usage of readings of a response when the call that creates
 *  the response ends (`HoldEnd.openReadings`), because the usage of the call includes it. When the
 *  usage of the call is an estimate and a reading has shown more, `after` contains the difference,
 *  which the caller must write. The result is by the id of the hold. The caller must correct the
 *  quotas. */
export function prepareEndReadings(context: WriteContext): (ends: readonly HoldEnd[]) => Steps<Map<string, EndedReadings>> {
  const take = prepareTake(context)
  const find = context.prepareEach(({ text, join }) => `SELECT id FROM usage ${join} WHERE id = ${text(0)}`)
  return function* (ends) {
    const endOf = new Map<string, HoldEnd>()
    for (const end of ends) for (const id of readingIdsOf(end)) endOf.set(id, end)
    const ended = new Map<string, EndedReadings>()
    if (endOf.size === 0) return ended
    for (const line of yield* take([...endOf.keys()])) {
      const end = endOf.get(line.id)
      if (!end?.openReadings) continue
      const { before, after } = ended.get(end.id) ?? { before: [], after: [] }
      const { responseId, isLeast } = end.openReadings
      const units = isLeast ? Math.max(0, line.units - (end.used.find(({ unit }) => unit === line.unit)?.units ?? 0)) : 0
      const beyond = { ...line, id: `${responseId}:${line.unit}`, units, costMicros: (line.costMicros * units) / line.units }
      // A reading that began later, and that knew what the call counts, may already have written
      // this line.
      const isWritten = units === 0 || (yield* find.get([[beyond.id]])).length > 0
      ended.set(end.id, { before: [...before, line], after: isWritten ? after : [...after, beyond] })
    }
    return ended
  }
}

function readingIdsOf({ used, openReadings }: HoldEnd): string[] {
  if (!openReadings) return []
  const units = new Set([...readingUnits, ...used.map(({ unit }) => unit)])
  return [...units].map(unit => `${openReadingId(openReadings.responseId)}:${unit}`).flatMap(id => [id, boundIdOf({ id })])
}

/** Returns a function that adds amounts to the totals of UTC days. */
export function prepareAddToDays(context: WriteContext): (totals: readonly UsageTotal[]) => void {
  const add = context.prepareEach(
    ({ text, whole, real, source }) =>
      `INSERT INTO usage_days (day, account_id, key_id, model, unit, units, cost_micros)
       ${source(text(0), text(1), text(2), text(3), text(4), real(5), whole(6))}
       ON CONFLICT (day, account_id, key_id, model, unit)
       DO UPDATE SET units = usage_days.units + excluded.units, cost_micros = usage_days.cost_micros + excluded.cost_micros`,
  )
  return totals => {
    const sums = new Map<string, Cell[]>()
    for (const { day, accountId, keyId, model, unit, units, costMicros } of totals) {
      const names = [day, accountId, keyId, model, unit]
      const place = totals.length === 1 ? '' : JSON.stringify(names)
      const [unitsBefore = 0, costBefore = 0] = sums.get(place)?.slice(names.length).map(Number) ?? []
      sums.set(place, [...names, unitsBefore + units, costBefore + costMicros])
    }
    add.send([...sums.values()])
  }
}

/** Returns the UTC day of a time in Unix milliseconds, as `YYYY-MM-DD`. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
