import { countOf } from './counts.ts'
import { isDressable, type Mention } from './draft.ts'
import type { Pending } from './english-state.ts'

/** Matches names of animal species that sound like an animal in a costume, such as "king penguin"
 *  and "nurse shark". */
const kinds =
  /(king|queen|emperor|monarch|soldier|worker|nurse|guard|hunter|hunting|fiddler|secretary|police|service) (cobra|snake|crab|penguin|bees?|ants?|butterfly|moth|shark|dogs?|spider|bird|salmon|fisher|termite)/i

/** Reads "cat astronaut" or "pirate parrot" as the animal in the clothes of that occupation. A
 *  being that cannot wear clothes, such as a robot, keeps its plain drawing. */
export function takeCostume(mention: Mention): void {
  const other = mention.compoundMatch
  const wearer = mention.match?.person ? other : mention.match
  const trade = mention.match?.person ? mention.match : other
  const role = trade?.person?.role
  const isBeing = wearer !== undefined && ['animal', 'bird', 'fish', 'insect', 'creature'].includes(wearer.entry.category)
  // In "a viking warrior", both words name people, and the first one says more about the clothes.
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
    // In "a fox jazz band", the number of foxes is the usual number of players of a band.
    if (role === 'band' && mention.match === trade) mention.count ??= countOf(mention)
    mention.role = role
    mention.compound = []
  } else mention.compound = [mention.words.join(' ')]
  mention.match = wearer
  delete mention.compoundMatch
}

/** Reads "a fox dressed as a pirate" and gives the animals the clothes of that occupation. Returns
 *  false for other phrases. */
export function takeRole({ via, relation, sources }: Pending, { match }: Mention): boolean {
  const role = match?.person?.role
  const animals = sources.filter(isDressable)
  if (via !== 'verb' || relation !== 'wearing' || role === undefined || animals.length === 0) return false
  for (const animal of animals) animal.role = role
  return true
}

/** Reads "a jazz band of foxes" as foxes that play music. Returns false when the first noun is not
 *  a group of people, or when its members are not animals. */
export function takeTroupe(mention: Mention, members: Mention): boolean {
  const role = mention.match?.person?.role
  if (
    role === undefined ||
    !members.match ||
    !isDressable(members) ||
    !/band|orchestra|choir|quartet|crew|team/.test(mention.words.join(' '))
  )
    return false
  mention.count ??= members.count ?? countOf(mention)
  mention.match = members.match
  mention.role = role
  mention.colours = members.colours
  mention.isPlural = true
  mention.words.push('of', ...members.words)
  return true
}
