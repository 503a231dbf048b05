import { isDressable, type Mention, phraseOf } from './draft.ts'

/** Nouns that mean several people, each with the number of people that are drawn for it. */
const groupSizes: readonly [RegExp, number][] = [
  [/^(couple|parents|twins|duo|newlyweds|情侣|夫妻|父母)$/, 2],
  [/\bband$|quartet|^(family|家人|一家人|家庭|乐队)$/, 4],
  [/\bteam$|^(squad|球队|团队|队伍)$/, 5],
  [/orchestra|choir|^(chorus|合唱团|管弦乐队)$/, 9],
  [/^(crowd|audience|spectators|人群|观众)$/, 14],
  [/^(people|folk|humans|passengers|人们|众人|group of people)$/, 4],
]

/** Plural nouns for one thing, which may be counted in pairs: "a pair of scissors" is one thing. */
const pairs = /^(skis|scissors|pliers|tongs|binoculars|tweezers|headphones?|glasses|sunglasses)$/

/** Returns the number of copies to draw, 1 to 60. The number in the prompt has priority, then that
 *  of a group noun. A plural without a number means three copies, five for plants, and twelve for
 *  plants that fill a field. */
export function countOf(mention: Mention): number {
  const said = mention.count
  const word = mention.match?.word.toLowerCase() ?? ''
  if (pairs.test(mention.match?.entry.noun ?? '') && (said === undefined || (said === 2 && /pair/.test(phraseOf(mention))))) return 1
  if (said !== undefined && said > 0) return Math.min(60, Math.round(said))
  const group = mention.match?.person && groupSizes.find(([words]) => words.test(word))
  if (group) return mention.size === 'small' && group[1] > 4 ? Math.ceil(group[1] / 2) : group[1]
  if (isDressable(mention) && / family$/i.test(phraseOf(mention))) return 4
  if (mention.looks.includes('field')) return 12
  // The plural "branches" with a bird on them is drawn as one branch.
  if (mention.match?.entry.key === 'tree:branch') return 1
  if (!mention.isPlural) return 1
  const category = mention.match?.entry.category ?? ''
  return category === 'tree' || category === 'flower' || category === 'plant' ? 5 : 3
}
