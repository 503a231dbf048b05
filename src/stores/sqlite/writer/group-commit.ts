import type { DatabaseSync } from 'node:sqlite'
import type { StoreSignal } from '../../../core/ports/store.ts'
import type { Answer, Call } from '../../sql/operations.ts'
import { runAtOnce } from '../../sql/steps.ts'
import type { WriteContext } from '../../sql/write/context.ts'
import { prepareGuarded } from '../../sql/write/guarded.ts'
import type { RunCalls } from '../../sql/write/handlers.ts'
import { describeFault, type FaultKind, faultKind } from '../faults.ts'

export type CommitOutcome =
  | { ok: true; answers: Answer[]; signals: StoreSignal[] }
  | { ok: false; fault: Exclude<FaultKind, 'operation'>; message: string }

/** Runs all calls in one transaction and commits it. A call that fails changes nothing and is
 *  answered with its error. When the disk fails, all calls fail. */
export type CommitCalls = (calls: readonly Call[]) => CommitOutcome

export function createGroupCommit(database: DatabaseSync, context: WriteContext, runCalls: RunCalls): CommitCalls {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const isOperation = (error: unknown) => faultKind(error) === 'operation'
  const runGuarded = prepareGuarded(context, runCalls, { isOperation, describe: describeFault })

  function transact(calls: readonly Call[], run: RunCalls): CommitOutcome {
    try {
      begin.run()
      const answers = runAtOnce(run(calls))
      commit.run()
      return { ok: true, answers, signals: context.takeSignals() }
    } catch (error) {
      context.takeSignals()
      if (database.isTransaction) database.exec('ROLLBACK')
      const fault = faultKind(error)
      if (fault === 'operation') throw error
      return { ok: false, fault, message: describeFault(error) }
    }
  }

  return calls => {
    try {
      return transact(calls, runCalls)
    } catch {
      // One of the calls has failed, which is rare. The calls are run again with savepoints, so
      // that only the failed call is undone. Savepoints are not used the first time, because they
      // make every call slower.
      return transact(calls, runGuarded)
    }
  }
}
