import type { Answer, Call } from '../operations.ts'
import type { Steps } from '../steps.ts'
import type { WriteContext } from './context.ts'
import type { RunCalls } from './handlers.ts'

/** Functions that interpret the errors of one kind of database. */
interface CallFaults {
  /** Returns true when only the statements of the call have failed; false when the whole
   *  transaction has to end. */
  isOperation(error: unknown): boolean
  describe(error: unknown): string
}

/** Returns a function that runs the calls of a transaction one by one. A call that fails changes
 *  nothing and is answered with its error, and the changes of the other calls remain. */
export function prepareGuarded(context: WriteContext, runCalls: RunCalls, faults: CallFaults): RunCalls {
  const save = context.prepare('SAVEPOINT one_call')
  const release = context.prepare('RELEASE one_call')
  const undo = context.prepare('ROLLBACK TO one_call')
  function* runOne(call: Call): Steps<Answer> {
    const earlierSignals = context.takeSignals()
    yield* context.sentReplies()
    yield* save.run()
    try {
      const [answer] = yield* runCalls([call])
      if (answer === undefined) throw new TypeError('a call has no answer')
      yield* context.sentReplies()
      yield* release.run()
      const ownSignals = context.takeSignals()
      for (const signal of [...earlierSignals, ...ownSignals]) context.signal(signal)
      return answer
    } catch (error) {
      const cause = yield* context.causeOf(error)
      if (!faults.isOperation(cause)) throw cause
      context.takeSignals()
      for (const signal of earlierSignals) context.signal(signal)
      yield* undo.run()
      yield* release.run()
      return { error: faults.describe(cause) }
    }
  }
  return function* (calls) {
    const answers: Answer[] = []
    for (const call of calls) answers.push(yield* runOne(call))
    return answers
  }
}
