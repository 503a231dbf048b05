/** Time in ms after which the start of a process counts as successful. */
export const startedWellMs = 30_000
const longestMs = 30_000

/** Returns the milliseconds to wait before a process that has ended is restarted. `failures` is the
 *  number of times in a row that it ended before `startedWellMs`. The first restarts are immediate,
 *  so that a killed process is back within seconds; the later ones come after 1, 2, 4 ... 30 s. */
export function restartDelayMs(failures: number): number {
  return failures <= 2 ? 0 : Math.min(longestMs, 1_000 * 2 ** (failures - 3))
}
