import type { Outcome, StreamEvent } from '../requests/job.ts'
import type { EnginePool, PoolJob } from './pool.ts'

type StreamPart<Event> = Exclude<StreamEvent<Event>, { type: 'outcome' }>

/** Runs a job of a pool as a streamed offer: yields the parts that its method reports, then its
 *  outcome. Throws the errors of the pool. Ending the iteration ends the job. */
export async function* streamJob<Event>(pool: Pick<EnginePool, 'run'>, job: Omit<PoolJob, 'tell'>): AsyncGenerator<StreamEvent<Event>> {
  const parts: StreamPart<Event>[] = []
  let wake = () => {}
  // The casts are needed because the channel does not know the types: the method reports parts of
  // its own offer and returns an outcome.
  const tell = (part: unknown) => {
    parts.push(part as StreamPart<Event>)
    wake()
  }
  let isOver = false
  const stop = new AbortController()
  const outcome = pool.run({ ...job, tell, signal: AbortSignal.any([job.signal, stop.signal]) }).finally(() => {
    isOver = true
    wake()
  })
  // The promise is awaited below; this handler prevents an unhandled rejection until then.
  outcome.catch(() => {})
  try {
    while (!isOver || parts.length > 0) {
      const part = parts.shift()
      if (part) yield part
      else
        await new Promise<void>(resolve => {
          wake = resolve
        })
    }
    yield { type: 'outcome', outcome: (await outcome) as Outcome }
  } finally {
    stop.abort()
  }
}
