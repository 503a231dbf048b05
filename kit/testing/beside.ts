/** A short job beside the long ones of another account, or of its own, in an engine with one core. */
import type { AskOptions } from '../open-engine.ts'

type Run = (options: AskOptions) => Promise<unknown>

interface Beside {
  /** Pieces of the long jobs, as they report their progress, between the submit of the short one and its own last piece; what ends it outside of the engine's processes is left out. */
  pieces: number
  /** Long jobs that were answered before the short one. */
  answered: number
}

/** Starts the long jobs of account `a`, then, once the first of their pieces is done, the short one of `account`. The long jobs are ended with its answer. */
export async function besideLong(long: readonly Run[], short: Run, account = 'b'): Promise<Beside> {
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
