/** CPU milliseconds that `yardstick` takes on the quiet machine on which the budgets of the tests were set (median of many, measured 2026-11-23). */
const yardstickMs = 1.4

const words = Array.from({ length: 4000 }, (_, index) => `${(index * 7919) % 1000} word${(index * 104_729) % 997}`)

/** Work of the kind that is measured: strings, a regular expression, a map and short-lived objects. */
function yardstick(): number {
  const counts = new Map<string, { seen: number }>()
  for (const text of words) {
    const key = text.replace(/\d+ /u, '').toUpperCase()
    const count = counts.get(key)
    counts.set(key, { seen: (count?.seen ?? 0) + 1 })
  }
  return counts.size
}

/** CPU milliseconds of one call, this process's threads together. */
function cpuMs(run: () => unknown): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** The least CPU time of some calls, in milliseconds of the machine on which the budgets were set: a slower machine, or one with a busy neighbour on its core, takes
 *  longer for the yardstick too and is forgiven as much. Ends early once a call took less than half of `budget` ms; calls more often, up to 20 times, while above it. */
export function leastCpuMs(run: () => unknown, budget: number): number {
  let best = Number.POSITIVE_INFINITY
  let measure = Number.POSITIVE_INFINITY
  const took = () => best / Math.max(1, measure / yardstickMs)
  for (let round = 0; best >= budget / 2 && (round < 5 || (took() >= budget && round < 20)); round++) {
    measure = Math.min(measure, cpuMs(yardstick))
    best = Math.min(best, cpuMs(run))
  }
  return took()
}
