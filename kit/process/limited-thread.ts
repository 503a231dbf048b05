/** Runs work on a caller's text that may take forever, such as a check with the caller's own JSON
 *  Schema or regular expression, in a thread with limited time and memory. */
import { Worker } from 'node:worker_threads'

/** Time limit in ms of CPU time, counted from the moment at which the thread is ready. */
const longestMs = 250
/** Interval in ms between two checks of the CPU time. */
const lookEveryMs = 50
/** Time limit in ms for the start of the thread, and again for its work: a busy machine may give
 *  the thread no CPU time. */
const longestWaitMs = 5_000
const mostMegabytes = 64
/** Largest number of threads at a time. */
const mostThreads = 4
let threads = 0

/** Runs `program` in a thread of its own with `data` as its `workerData`, and returns its answer.
 *  The program posts two messages: first `ready`, then the answer, an object. Returns undefined
 *  when there is no answer within the limits, or while the largest number of threads is busy. */
export async function inLimitedThread<Answer extends object>(program: URL, data: unknown): Promise<Answer | undefined> {
  if (threads >= mostThreads) return undefined
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
  const giveUp = () => resolve(undefined)
  let worker: Worker
  try {
    worker = new Worker(program, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: mostMegabytes }, env: {} })
  } catch {
    // No thread could be started.
    return undefined
  }
  threads += 1
  let timer = setTimeout(giveUp, longestWaitMs)
  let looks: NodeJS.Timeout | undefined
  worker.on('message', (message: Answer | 'ready') => {
    if (message !== 'ready') return resolve(message)
    clearTimeout(timer)
    timer = setTimeout(giveUp, longestWaitMs)
    looks = watch(worker, giveUp)
  })
  worker.once('error', giveUp)
  worker.once('exit', giveUp)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    clearInterval(looks)
    await worker.terminate()
    threads -= 1
  }
}

/** Calls `giveUp` when the thread has used its CPU time from now on. The caller clears the returned
 *  interval. */
function watch(worker: Worker, giveUp: () => void): NodeJS.Timeout {
  let start: number | undefined
  const look = async (): Promise<void> => {
    // An ended thread has no usage; its event `exit` follows.
    const usage = await worker.cpuUsage().catch(() => undefined)
    if (usage === undefined) return
    const spentMs = (usage.user + usage.system) / 1000
    start ??= spentMs
    if (spentMs - start > longestMs) giveUp()
  }
  void look()
  return setInterval(look, lookEveryMs)
}
