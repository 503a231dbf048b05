import type { Failed, Outcome, Running } from '@generation-gateway/kit/requests/job.ts'
import { isLinkGone } from './fetch-output.ts'

/** The state of a task, as reported by a poll. `output` contains what is needed to fetch the
 *  output, such as its link. */
export type TaskState<Output> = Running | Failed | { state: 'ready'; output: Output }

/** Polls a task once and fetches its output when it is ready. When the link in the answer has
 *  expired, it polls and fetches once more, because each poll gives a fresh link. */
export async function pollAndFetch<Output>(
  poll: () => Promise<TaskState<Output>>,
  fetch: (output: Output) => Promise<Outcome>,
): Promise<Running | Outcome> {
  for (let tries = 1; ; tries++) {
    const seen = await poll()
    if (seen.state !== 'ready') return seen
    try {
      return await fetch(seen.output)
    } catch (error) {
      if (!isLinkGone(error) || tries === 2) throw error
    }
  }
}
