import type { ArtMatch } from '../art/entry.ts'
import { singularForms } from '../art/words.ts'
import type { Draft, Mention } from './draft.ts'

export function isBeing(match: ArtMatch | undefined): boolean {
  return match !== undefined && (match.person !== undefined || /^(animal|bird|fish|insect|creature)$/.test(match.entry.category))
}

/** Reads "a boy's hair" in "cutting a boy's hair" as the boy, because the action is done to him. */
export function takeHairOwner(mention: Mention): void {
  const owner = mention.compoundMatch
  if (!mention.hair || mention.match || !owner || !isBeing(owner) || !/['’]s$/.test(mention.compound[0] ?? '')) return
  mention.match = owner
  mention.compound = []
  delete mention.compoundMatch
}

const young = /^(puppy|pup|kitten|cub|calf|chick|foal|baby|young)$/

/** Turns the mention of young animals into their species at half its height: "polar bear cubs", and
 *  the cubs in "a lioness and two cubs". */
export function takeYoung(draft: Draft, mention: Mention): void {
  const isCub = /^cubs?$/i.test(mention.words.at(-1) ?? '')
  if (
    !mention.match ||
    !(isCub || young.test(mention.match.word)) ||
    (mention.match.entry.category !== 'animal' && mention.match.entry.category !== 'bird' && mention.match.word !== 'cub')
  )
    return
  const parent =
    mention.compoundMatch ??
    (isCub || mention.match.noun === 'bear' ? draft.mentions.findLast(other => other.match?.entry.category === 'animal')?.match : undefined)
  if (isCub && /s$/i.test(mention.words.at(-1) ?? '')) mention.isPlural = true
  if (!parent) return
  mention.match = { ...parent, heightMetres: parent.heightMetres / 2 }
  mention.compound = []
  mention.looks.push('young')
  mention.size ??= 'small'
}

const parents = /^(mother|mom|mum|mama|mommy|mummy|father|dad|papa|daddy|parent|mother and father)$/
const offspring = /^(baby|infant|child|kid|cub|calf|pup|puppy|kitten|chick|joey|kit|foal|fawn)$/

/** Gives a mention of a relative the species of the animal that was named before: the mother in "a
 *  baby elephant with its mother", the babies in "a fox with her babies". Returns false when the
 *  mention is not a relative of an animal. */
export function takeKin(draft: Draft, mention: Mention, isPossessive: boolean): boolean {
  const word = singularForms(mention.words.at(-1)?.toLowerCase() ?? '').find(form => offspring.test(form)) ?? mention.match?.word ?? ''
  const isParent = parents.test(word)
  if (!isPossessive || !mention.match || !(isParent || offspring.test(word))) return false
  const kin = draft.mentions.findLast(other => isBeing(other.match))
  if (!kin?.match || kin.match.person !== undefined) return false
  // The chicks of a hen are not drawn as small hens, because the catalogue has a drawing of chicks.
  if (word === 'chick' && /chicken|rooster/.test(kin.match.entry.key)) return false
  const { entry } = kin.match
  const isSameKind = mention.match.entry.key === entry.key
  if (!isParent) {
    // The catalogue already gives puppies, as in "a dog with her puppies", the height of a young
    // dog.
    mention.match = isSameKind ? mention.match : { ...kin.match, heightMetres: kin.match.heightMetres / 2 }
    mention.looks.push('young')
    mention.size ??= isSameKind ? 'normal' : 'small'
    return true
  }
  mention.match = { ...kin.match, noun: entry.noun, heightMetres: entry.heightMetres }
  if (kin.match.heightMetres === entry.heightMetres) kin.match = { ...kin.match, heightMetres: entry.heightMetres * 0.55 }
  return true
}
