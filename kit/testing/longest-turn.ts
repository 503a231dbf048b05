const checkEveryMs = 2

/** Returns the CPU milliseconds of this thread in its longest event-loop turn while the work
 *  runs: the most that it used between two calls of a timer, which fires at the end of a turn,
 *  at most every 2 ms. Several turns that together take less than 2 ms count as one. A busy
 *  machine delays the calls but adds no CPU time. */
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
