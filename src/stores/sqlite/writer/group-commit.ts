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

/** Runs all calls in one transaction and commits it. A call that fails changes nothing and
 *  answers with its error; a failing disk fails them all. */
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
      // A call failed, which is rare. Savepoints slow every call, so they are used only now, to
      // find the failed call and keep the others.
      return transact(calls, runGuarded)
    }
  }
}
