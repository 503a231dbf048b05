import type { ArtMatch } from '../art/entry.ts'
import type { Draft, Mention } from './draft.ts'

export function isBeing(match: ArtMatch | undefined): boolean {
  return match !== undefined && (match.person !== undefined || /^(animal|bird|fish|insect|creature)$/.test(match.entry.category))
}

/** "cutting a boy's hair": the boy, who has it. */
export function takeHairOwner(mention: Mention): void {
  const owner = mention.compoundMatch
  if (!mention.hair || mention.match || !owner || !isBeing(owner) || !/['’]s$/.test(mention.compound[0] ?? '')) return
  mention.match = owner
  mention.compound = []
  delete mention.compoundMatch
}

const young = /^(puppy|pup|kitten|cub|calf|chick|foal|baby|young)$/

/** "polar bear cubs", "a lioness and two cubs": the young of the animal named. */
export function takeYoung(draft: Draft, mention: Mention): void {
  if (
    !mention.match ||
    !young.test(mention.match.word) ||
    (mention.match.entry.category !== 'animal' && mention.match.entry.category !== 'bird' && mention.match.word !== 'cub')
  )
    return
  const parent =
    mention.compoundMatch ??
    (mention.match.word === 'cub' || mention.match.noun === 'bear'
      ? draft.mentions.findLast(other => other.match?.entry.category === 'animal')?.match
      : undefined)
  if (!parent) return
  mention.match = { ...parent, heightMetres: parent.heightMetres / 2 }
  mention.compound = []
  mention.looks.push('young')
  mention.size ??= 'small'
}
