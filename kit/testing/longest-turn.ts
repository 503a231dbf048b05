const checkEveryMs = 2

/** Returns the CPU milliseconds that this thread uses in its longest event-loop turn while the work
 *  runs. A timer fires at the end of a turn, at most every 2 ms, and the result is the largest CPU
 *  time between two of its calls. Several turns that take less than 2 ms together count as one. On
 *  a busy machine the calls come later, but the CPU time stays the same. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    longest = Math.max(longest, (user + system) / 1000)
  }
  const timer = setInterval(look, checkEveryMs)
  try {
    await work()
    look()
  } finally {
    clearInterval(timer)
  }
  return longest
}
