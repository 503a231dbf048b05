import { isDressable, type Mention } from './draft.ts'
import type { Pending } from './english-state.ts'

/** Names of kinds, not of animals in dress. */
const kinds =
  /(king|queen|emperor|monarch|soldier|worker|nurse|guard|hunter|hunting|fiddler|secretary|police|service) (cobra|snake|crab|penguin|bees?|ants?|butterfly|moth|shark|dogs?|spider|bird|salmon|fisher|termite)/i

/** "cat astronaut", "pirate parrot": the animal in the dress of the trade; "robot chef": the machine, whose trade its drawing does not show. */
export function takeCostume(mention: Mention): void {
  const other = mention.compoundMatch
  const wearer = mention.match?.person ? other : mention.match
  const trade = mention.match?.person ? mention.match : other
  const role = trade?.person?.role
  const isBeing = wearer !== undefined && ['animal', 'bird', 'fish', 'insect', 'creature'].includes(wearer.entry.category)
  // "a viking warrior": the first word says more of the dress.
  if (
    other?.person?.role !== undefined &&
    mention.match?.person &&
    /^(warrior|soldier|fighter|man|woman|girl|boy|lady|guy|person)$/.test(mention.match.noun)
  ) {
    mention.match = { ...mention.match, person: { ...mention.match.person, role: other.person.role } }
    mention.compound = []
    delete mention.compoundMatch
    return
  }
  if (!other || !isBeing) return
  const isTrade = role !== undefined && (trade?.via === 'name' || trade?.via === 'label') && !kinds.test(mention.words.join(' '))
  if (wearer === mention.match && !isTrade) return
  if (role !== undefined && isDressable({ ...mention, match: wearer })) {
    mention.role = role
    mention.compound = []
  } else mention.compound = [mention.words.join(' ')]
  mention.match = wearer
  delete mention.compoundMatch
}

/** "a fox dressed as a pirate": the dress of the trade. */
export function takeRole({ via, relation, sources }: Pending, { match }: Mention): boolean {
  const role = match?.person?.role
  const animals = sources.filter(isDressable)
  if (via !== 'verb' || relation !== 'wearing' || role === undefined || animals.length === 0) return false
  for (const animal of animals) animal.role = role
  return true
}
