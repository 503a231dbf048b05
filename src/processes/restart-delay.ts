/** A process that ran for this long has started well. */
export const startedWellMs = 30_000
const longestMs = 30_000

/** Milliseconds before a process that has ended is started again. `failures`: how often in a row it
 *  ended before `startedWellMs`. The first ones are answered at once, so that a killed process is
 *  back within seconds; then 1, 2, 4 ... 30 s. */
export function restartDelayMs(failures: number): number {
  return failures <= 2 ? 0 : Math.min(longestMs, 1_000 * 2 ** (failures - 3))
}
