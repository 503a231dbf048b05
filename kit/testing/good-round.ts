/** Measures up to three times, and resolves with the first good result, or else with the last one.
 *  For measurements of time shares and of orders of events. On a busy machine a process may stand
 *  still for seconds and spoil one measurement; a fault of the program spoils all three. */
export async function goodRound<T>(measure: () => Promise<T>, isGood: (seen: T) => boolean): Promise<T> {
  let seen = await measure()
  for (let rounds = 1; rounds < 3 && !isGood(seen); rounds++) seen = await measure()
  return seen
}
