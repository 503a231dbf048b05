/** Milliseconds of work at the least between two times that a job gives way: asking the parent costs about one. */
const leastPieceMs = 60

/** `giveWay` of an engine call for loops with small steps: asks only when enough work has been done since it last did, and resolves at once otherwise. */
export function spaced(giveWay: () => Promise<void>): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < leastPieceMs) return
    await giveWay()
    since = performance.now()
  }
}
