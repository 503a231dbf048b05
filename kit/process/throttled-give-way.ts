/** Least work in milliseconds between two times that a job gives way, because each request to the
 *  parent process costs about 1 ms. */
const leastPieceMs = 60

/** Returns a `giveWay` function for loops with small steps in an engine call: it sends a request to
 *  the parent process only when enough work was done since the last one, and otherwise resolves
 *  immediately. */
export function throttledGiveWay(giveWay: () => Promise<void>): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < leastPieceMs) return
    await giveWay()
    since = performance.now()
  }
}
