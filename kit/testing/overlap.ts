/** Runs a short job while long jobs run in an engine with one core. The long jobs belong to the
 *  account of the short job or to another one. */
import type { RunOptions } from '../open-engine.ts'

type Run = (options: RunOptions) => Promise<unknown>

interface OverlapResult {
  /** Number of pieces that the long jobs finish while the short job runs: the progress reports of
   *  the long jobs from the submit of the short job until its last piece. Work of the short job
   *  outside the engine's processes is not included. */
  pieces: number
  /** Number of long jobs that were answered before the short one. */
  answered: number
}

/** Starts the long jobs of account `a`; once their first piece is done, starts the short job of
 *  `account`. The long jobs are cancelled when the short one is answered. */
export async function runBesideLongJobs(long: readonly Run[], short: Run, account = 'b'): Promise<OverlapResult> {
  const stop = new AbortController()
  const begun = Promise.withResolvers<void>()
  let pieces = 0
  let answered = 0
  const onProgress = () => {
    pieces += 1
    begun.resolve()
  }
  const running = long.map(async run => {
    await run({ account: 'a', signal: stop.signal, onProgress })
    answered += 1
  })
  await Promise.race([begun.promise, Promise.all(running)])
  const before = pieces
  let last = before
  await short({ account, onProgress: () => (last = pieces) })
  const beside = { pieces: last - before, answered }
  stop.abort(new Error('The short job was answered.'))
  await Promise.allSettled(running)
  return beside
}
