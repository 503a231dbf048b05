import type { Stretch } from './speakers.ts'

/** Cost of a change of speaker between two words, in units of similarity: high within continuous
 *  speech, low after a pause. */
const switchCost = 0.12
const switchCostAfterPause = 0.02
const pauseSeconds = 0.25

/** Returns the index of the most likely speaker for each word. `scores` has the similarity of each
 *  word to each speaker. A change of speaker between two words has a cost, so a single word that
 *  resembles another speaker a little more does not change the speaker. */
export function turnsOf(words: readonly Stretch[], scores: readonly (readonly number[])[]): number[] {
  const from: number[][] = []
  let best = [...(scores[0] ?? [])]
  for (let index = 1; index < words.length; index++) {
    const pause = (words[index]?.startSeconds ?? 0) - (words[index - 1]?.endSeconds ?? 0)
    const cost = pause >= pauseSeconds ? switchCostAfterPause : switchCost
    const leader = best.indexOf(Math.max(...best))
    from.push(best.map((value, speaker) => (value >= (best[leader] ?? 0) - cost ? speaker : leader)))
    const before = best
    best = (scores[index] ?? []).map((score, speaker) => score + Math.max(before[speaker] ?? 0, (before[leader] ?? 0) - cost))
  }
  const turns = words.length > 0 ? [best.indexOf(Math.max(...best))] : []
  for (const choices of from.toReversed()) turns.unshift(choices[turns[0] ?? 0] ?? 0)
  return turns
}
