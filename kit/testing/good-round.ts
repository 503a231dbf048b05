/** Measures up to three times, and resolves with the first result that is good, or else with the
 *  last one. For shares of time and for orders of events: a process that stands still for seconds,
 *  as it may on a busy machine, changes them once, a fault of the program each time. */
export async function goodRound<T>(measure: () => Promise<T>, isGood: (seen: T) => boolean): Promise<T> {
  let seen = await measure()
  for (let rounds = 1; rounds < 3 && !isGood(seen); rounds++) seen = await measure()
  return seen
}
