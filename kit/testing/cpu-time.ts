/** CPU milliseconds that `yardstick` took on the reference machine, while no other program ran
 *  there (median of many runs, measured 2026-11-23). The time limits of the tests were set on this
 *  machine. */
const yardstickMs = 1.4

const words = Array.from({ length: 4000 }, (_, index) => `${(index * 7919) % 1000} word${(index * 104_729) % 997}`)

/** Does work of the kind that the tests measure: strings, a regular expression, a map and
 *  short-lived objects. */
function yardstick(): number {
  const counts = new Map<string, { seen: number }>()
  for (const text of words) {
    const key = text.replace(/\d+ /u, '').toUpperCase()
    const count = counts.get(key)
    counts.set(key, { seen: (count?.seen ?? 0) + 1 })
  }
  return counts.size
}

/** Returns the CPU milliseconds of one call, all threads of this process together. */
function cpuMs(run: () => unknown): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Returns the shortest CPU time of several calls, converted to milliseconds of the reference
 *  machine. For the conversion, the time is divided by the factor by which `yardstick` is slower
 *  here: a slower or busy machine takes longer for both. Stops at the first call that took less
 *  than `budget` ms; otherwise makes 5 to 20 calls. */
export function leastCpuMs(run: () => unknown, budget: number): number {
  let best = Number.POSITIVE_INFINITY
  let measure = Number.POSITIVE_INFINITY
  const took = () => best / Math.max(1, measure / yardstickMs)
  for (let round = 0; best >= budget && (round < 5 || (took() >= budget && round < 20)); round++) {
    measure = Math.min(measure, cpuMs(yardstick))
    best = Math.min(best, cpuMs(run))
  }
  return took()
}

/** Returns the factor, at least 1, by which a call now takes more CPU time than on the reference
 *  machine. It is above 1 when this machine is slower, or when another program runs on the other
 *  hardware thread of its core. */
export function slowness(): number {
  const rounds = Array.from({ length: 21 }, () => cpuMs(yardstick)).sort((a, b) => a - b)
  return Math.max(1, (rounds[10] ?? 0) / yardstickMs)
}
