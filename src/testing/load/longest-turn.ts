/** Measures the longest CPU time of one turn of this thread's event loop while another thread sends
 *  requests. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface SentRequest {
  method?: string
  path: string
  headers: Record<string, string>
  body: string | Uint8Array
  /** True for a caller that disconnects once this thread has read the request and is idle because
   *  the answer waits for something else. */
  leavesWhenIdle?: true
}

/** Sends requests from a thread of its own, so that its own cost is not measured. */
export interface Sender extends AsyncDisposable {
  /** Sends a request. Returns the status (0 for a caller that disconnected), and the CPU time of
   *  this thread's longest turn during the request in milliseconds, including the measurement
   *  itself. */
  send(request: SentRequest): Promise<{ status: number; text: string; longestMs: number }>
}

/** Interval between two samples of the clock: a longer turn delays the next sample. */
const checkEveryMs = 5
/** A thread counts as idle after this many samples in a row with at most this CPU time
 *  (microseconds) between them. */
const idleChecks = 10
const restMicros = 500

export function startSender(origin: string): Sender {
  const worker = new Worker(new URL('./sender-thread.ts', import.meta.url), { workerData: origin })
  return {
    async send(request) {
      let last = process.threadCpuUsage()
      let longest = 0
      let idle = 0
      let hasWorked = false
      const look = (): void => {
        const now = process.threadCpuUsage()
        const spent = now.user + now.system - last.user - last.system
        longest = Math.max(longest, spent)
        last = now
        hasWorked ||= spent > restMicros
        idle = spent > restMicros ? 0 : idle + 1
        if (request.leavesWhenIdle && hasWorked && idle === idleChecks) worker.postMessage('leave')
      }
      const timer = setInterval(look, checkEveryMs)
      worker.postMessage(request)
      const [{ status, text }] = await once(worker, 'message')
      look()
      clearInterval(timer)
      return { status, text, longestMs: longest / 1000 }
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate()
    },
  }
}

/** Repeats a request up to `tries` times and returns the attempt whose longest turn was the
 *  shortest, with its answer; stops at the first below `budgetMs`. A turn may be long because of
 *  other programs on the machine, or because code is being compiled. */
export async function leastLongestTurn(
  sender: Sender,
  request: SentRequest,
  { budgetMs, tries = 4 }: { budgetMs: number; tries?: number },
) {
  let best = await sender.send(request)
  for (let again = 1; best.longestMs >= budgetMs && again < tries; again++) {
    const next = await sender.send(request)
    if (next.longestMs < best.longestMs) best = next
  }
  return best
}
