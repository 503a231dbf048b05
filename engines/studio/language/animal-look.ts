import type { PersonLook } from '../scene.ts'
import { isAnimate, type Mention } from './draft.ts'
import { paint } from './person-look.ts'

/** Returns the look of an animal that wears something, has an occupation or acts like a person;
 *  undefined for all other animals and things. */
export function animalLook(mention: Mention): PersonLook | undefined {
  const { clothes, wears, role } = mention
  if (clothes.length === 0 && wears.length === 0 && role === undefined && !actsLikePerson(mention)) return undefined
  return {
    age: 'adult',
    gender: 'any',
    clothes: clothes.map(paint),
    wears: wears.map(({ kind, colour }) => (colour ? { kind, colour: colour.hex } : { kind })),
    ...(role === undefined ? {} : { role }),
  }
}

/** Poses in which an animal is drawn standing upright like a person. */
export const humanPoses: ReadonlySet<string> = new Set(['reading', 'painting', 'cooking', 'waving', 'dancing', 'hugging'])

function actsLikePerson(mention: Mention): boolean {
  const holds = mention.relations.some(
    relation =>
      relation.kind === 'holding' &&
      !mention.looks.includes('in mouth') &&
      (!holdsInMouth(relation.target) || (usesHands(mention) && !isAnimate(relation.target))),
  )
  const sitsAt = mention.relations.some(
    ({ kind, target }) =>
      /piano|^chess|checkers|table$|desk$|computer|laptop/.test(target.match?.entry.noun ?? '') &&
      ((kind === 'around' && mention.isPlural) || (mention.pose === 'playing' && kind !== 'on')),
  )
  const cycles = mention.relations.some(
    ({ kind, target }) => kind === 'riding' && /cycle|scooter|moped/.test(target.match?.entry.noun ?? ''),
  )
  return holds || sitsAt || cycles || mention.looks.includes('upright') || (mention.pose !== undefined && humanPoses.has(mention.pose))
}

/** True for animals (and robots) that hold things in their hands or paws; other animals carry
 *  things in the mouth. */
export function usesHands({ match }: Mention): boolean {
  return /panda|monkey|squirrel|chipmunk|hamster|raccoon|robot|koala|gorilla|otter/.test(match?.noun ?? '')
}

const mouthfuls =
  /bone|^stick|twig|leaf|leaves|worm|^(tennis )?ball$|frisbee|disc|feather|slipper|leash|nut$|acorn|bamboo|grass|hay|straw$|fire|flame|smoke|^rope$/

/** True for things that an animal carries between its teeth or in its claws. */
function holdsInMouth(target: Mention): boolean {
  return isAnimate(target) || mouthfuls.test(target.match?.noun ?? '')
}
