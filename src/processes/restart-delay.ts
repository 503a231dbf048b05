/** Time in ms after which a process counts as successfully started. */
export const startedWellMs = 30_000
const longestMs = 30_000

/** Returns the milliseconds to wait before a process that has ended is restarted. `failures` is
 *  the number of times in a row that it ended before `startedWellMs`. The first two restarts are
 *  immediate, so that a process that was killed is soon replaced. The following ones wait 1, 2,
 *  4 ... 30 s. */
export function restartDelayMs(failures: number): number {
  return failures <= 2 ? 0 : Math.min(longestMs, 1_000 * 2 ** (failures - 3))
}
