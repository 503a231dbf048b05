/** Maps a time of the whole to its shot and the time in it. A remainder from rounding belongs to
 *  the last shot. */
export function cutTo(lengths: readonly number[]): (seconds: number) => { index: number; seconds: number } {
  const starts = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, length) => sum + length, 0))
  return seconds => {
    // A frame at the very start of a shot belongs to that shot, despite the rounding of the sum.
    const index = Math.max(
      0,
      starts.findLastIndex(start => start <= seconds + 1e-6),
    )
    return { index, seconds: Math.max(0, seconds - (starts[index] ?? 0)) }
  }
}
