/** Least work between two times that a job gives way, ms: asking the parent costs about 1 ms. */
const leastPieceMs = 60

/** A `giveWay` of an engine call for loops with small steps: it asks the parent only when enough
 *  work was done since the last time, and otherwise resolves at once. */
export function throttledGiveWay(giveWay: () => Promise<void>): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < leastPieceMs) return
    await giveWay()
    since = performance.now()
  }
}
