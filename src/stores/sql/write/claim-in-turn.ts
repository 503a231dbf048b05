import type { EachWords } from '../each.ts'
import { replyOf, type Steps, sideBySide } from '../steps.ts'
import { type Cell, number, type Row, text } from '../values.ts'
import type { WriteContext } from './context.ts'
import { byDueTime, stepwise } from './jobs.ts'
import { createTurns, type Turns, type WaitingAccount } from './turns.ts'

/** A table whose rows are claimed account by account (decision 0008). It has the columns
 *  `account_id`, `task_id`, `run_at`, `state`, `owner`, `token` and `attempt`, and an index on the
 *  columns of `scope`, `isWaiting`, `account_id` and `run_at`, in this order. */
export interface WorkTable {
  name: string
  /** The primary key. */
  id: string
  /** A claim takes only rows with certain values in these columns, such as one queue. The accounts
   *  take turns separately for each combination of values. */
  scope: readonly string[]
  /** SQL condition for the rows that wait to be claimed. */
  isWaiting: string
  /** Returns the SQL condition for rows that the node may claim, from the expression for its id. */
  isFor?: (node: string) => string
  /** The columns by which leased rows are counted, in the order of the index. */
  runningBy: string
  /** The columns of the claimed rows that the claim returns. */
  columns: string
}

export interface TurnRequest {
  /** Values of the columns of `WorkTable.scope`. */
  scope: readonly string[]
  nodeId: string
  now: number
  /** Number of rows of an account that the node may hold at a time; without it there is no
   *  limit. */
  accountLimit: number | undefined
}

/** The turns of the accounts of a scope, during one claim. One `OpenTurns` reads the waiting
 *  accounts from the database at most once, because no other write runs at the same time. */
export interface OpenTurns {
  turns: Turns
  /** Reads the waiting accounts when they have to be read again. Returns how many of the
   *  `wanted` rows may be claimed before the next reading. */
  refreshIfStale(wanted: number): Steps<number>
}

export interface ClaimInTurn {
  openTurns(request: TurnRequest): Steps<OpenTurns>
  /** Leases waiting rows of the accounts in turn. For each account, the row that has been due for
   *  the longest time comes first. */
  leaseInTurn(request: TurnRequest & { limit: number }, open: OpenTurns): Steps<Row[]>
}

export function prepareClaimInTurn(context: WriteContext, table: WorkTable): ClaimInTurn {
  return { openTurns: prepareOpenTurns(context, table), leaseInTurn: prepareLeaseInTurn(context, table) }
}

function prepareLeaseInTurn(context: WriteContext, table: WorkTable): ClaimInTurn['leaseInTurn'] {
  const { name, id, scope, isWaiting, isFor, columns } = table
  const prepareLease = (operator: string, limitOf: (words: EachWords) => string) =>
    context.prepareEach(words => {
      const { text, whole, from } = words
      const conditions = [
        ...scope.map((column, index) => `${column} = ${text(3 + index)}`),
        isWaiting,
        `account_id = ${text(1)} AND run_at <= ${whole(2)}`,
        ...(isFor ? [isFor(text(0))] : []),
      ]
      const oldestDue = `SELECT ${id} FROM ${name} WHERE ${conditions.join(' AND ')} ORDER BY run_at, ${id} LIMIT ${limitOf(words)}`
      const found =
        from === '' ? `WHERE ${id} ${operator} (${oldestDue})` : `${from}, LATERAL (${oldestDue}) AS due (due_id) WHERE ${id} = due_id`
      return `UPDATE ${name} SET state = 'leased', owner = ${text(0)}, token = token + 1, attempt = attempt + 1
        ${found} RETURNING account_id, ${columns}`
    })
  // A statement for a single row is separate, because it is faster on SQLite.
  const leaseOne = prepareLease('=', () => '1')
  const leaseMany = prepareLease('IN', ({ whole }) => whole(3 + scope.length))
  return function* ({ scope: values, nodeId, limit, now, accountLimit }, { turns, refreshIfStale }) {
    const rows: Row[] = []
    while (rows.length < limit) {
      const planned = turns.plan(yield* refreshIfStale(limit - rows.length), accountLimit)
      if (planned.length === 0) break
      const counts = countsOf(planned)
      const cellsOf = ([accountId, count]: [string, number]): Cell[] => [nodeId, accountId, now, ...values, ...(count === 1 ? [] : [count])]
      const [ones, others] = [[...counts].filter(([, count]) => count === 1), [...counts].filter(([, count]) => count > 1)]
      const [single, several] = yield* sideBySide([leaseOne.get(ones.map(cellsOf)), leaseMany.all(others.map(cellsOf))])
      const leased = Map.groupBy([...single, ...several], accountOf)
      for (const [accountId, count] of counts) {
        const found = leased.get(accountId)?.sort(byDueTime) ?? []
        if (found.length < count) turns.leave(accountId)
      }
      const taken = planned.map(accountId => leased.get(accountId)?.shift()).filter(row => row !== undefined)
      turns.claimed(taken.map(accountOf))
      rows.push(...taken)
    }
    return rows
  }
}

function accountOf(row: Row): string {
  return text(row, 'account_id')
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function prepareOpenTurns(context: WriteContext, table: WorkTable): ClaimInTurn['openTurns'] {
  const { name, scope, runningBy } = table
  const turnsByScope = new Map<string, Turns>()
  const findWaiting = prepareFindWaiting(context, table)
  const isLeased = [...scope.map(column => `${column} = ?`), `state = 'leased'`].join(' AND ')
  const findRunning = context.prepare(`SELECT account_id, count(*) AS running FROM ${name} WHERE ${isLeased} GROUP BY ${runningBy}`)
  const findRunningOnNode = context.prepare(
    `SELECT account_id, count(*) AS running FROM ${name} WHERE ${isLeased} AND owner = ? GROUP BY account_id`,
  )
  return function* ({ scope: values, nodeId, now, accountLimit }) {
    const key = values.join()
    const turns = turnsByScope.get(key) ?? createTurns()
    turnsByScope.set(key, turns)
    function* countRunning(): Steps<void> {
      const onNode = accountLimit === undefined ? replyOf(undefined) : findRunningOnNode.all(...values, nodeId)
      if (accountLimit === undefined && turns.waiting() < 2) return
      const [all, own] = yield* sideBySide([findRunning.all(...values), onNode])
      turns.countRunning(addUp(all), own && addUp(own))
    }
    let isFresh = false
    function* refreshIfStale(wanted: number): Steps<number> {
      if (isFresh) return wanted
      if (turns.untilStale() > 0) return Math.min(wanted, turns.untilStale())
      isFresh = true
      turns.refresh(yield* findWaiting(values, now))
      yield* countRunning()
      return wanted
    }
    if (turns.untilStale() > 0) yield* countRunning()
    else yield* refreshIfStale(0)
    return { turns, refreshIfStale }
  }
}

/** Returns a function that finds the accounts with a due row. It takes two index lookups for
 *  each account, however many rows the account has. */
function prepareFindWaiting(context: WriteContext, { name, scope, isWaiting }: WorkTable): FindWaiting {
  const inScope = [...scope.map((column, index) => `${column} = ?${index + 1}`), isWaiting].join(' AND ')
  const find = context.prepare(
    `SELECT account_id, (SELECT min(run_at) FROM ${name} WHERE ${inScope} AND ${name}.account_id = waiting.account_id) AS since
     FROM (${stepwise(name, 'account_id', inScope)}) AS waiting`,
  )
  return function* (values, now) {
    const waiting: WaitingAccount[] = []
    for (const row of yield* find.all(...values)) {
      const since = number(row, 'since')
      if (since <= now) waiting.push({ accountId: text(row, 'account_id'), since })
    }
    return waiting
  }
}

type FindWaiting = (scope: readonly string[], now: number) => Steps<WaitingAccount[]>

function addUp(rows: Row[]): Map<string, number> {
  const running = new Map<string, number>()
  for (const row of rows) {
    const accountId = text(row, 'account_id')
    running.set(accountId, (running.get(accountId) ?? 0) + number(row, 'running'))
  }
  return running
}
