import type { Outcome, StreamEvent } from '../requests/job.ts'
import type { EnginePool, PoolJob } from './pool.ts'

type Told<Event> = Exclude<StreamEvent<Event>, { type: 'outcome' }>

/** A job of a pool as a streamed offer has it: what its method tells, then its outcome. Throws what the pool throws. Ending the iteration ends the job. */
export async function* streamJob<Event>(pool: Pick<EnginePool, 'run'>, job: Omit<PoolJob, 'tell'>): AsyncGenerator<StreamEvent<Event>> {
  const parts: Told<Event>[] = []
  let wake = () => {}
  // The method tells parts of its own offer and answers with an outcome; the channel does not know it.
  const tell = (part: unknown) => {
    parts.push(part as Told<Event>)
    wake()
  }
  let isOver = false
  const stop = new AbortController()
  const outcome = pool.run({ ...job, tell, signal: AbortSignal.any([job.signal, stop.signal]) }).finally(() => {
    isOver = true
    wake()
  })
  // It is awaited below; until then its failure has a reader.
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
