/** Returns a function that maps a time of the film, in seconds, to the index of its shot and the
 *  time within that shot. A time after the end belongs to the last shot. */
export function cutTo(lengths: readonly number[]): (seconds: number) => { index: number; seconds: number } {
  const starts = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, length) => sum + length, 0))
  return seconds => {
    // The sum of the lengths has rounding errors. The tolerance keeps the first frame of a shot in
    // that shot.
    const index = Math.max(
      0,
      starts.findLastIndex(start => start <= seconds + 1e-6),
    )
    return { index, seconds: Math.max(0, seconds - (starts[index] ?? 0)) }
  }
}
