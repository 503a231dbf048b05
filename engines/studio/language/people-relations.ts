import { isHoldable } from './attach.ts'
import { isAnimate, isDressable, isPerson, type Mention, type MentionRelation } from './draft.ts'

/** Returns the relation of a being, adapted to the thing or being at its other end: instruments and
 *  balls are held, adults are faced, a large animal is not lifted. */
export function peopleRelation(mention: Mention, relation: MentionRelation): MentionRelation {
  if (isDressable(mention) && isGame(mention, relation)) return played(relation)
  if (isEmbrace(mention, relation)) return together(mention, relation)
  if (!isPerson(mention)) return relation
  const { kind, target, role } = relation
  const isMusic = target.match?.entry.category === 'instrument' && role === 'near'
  if ((mention.pose === 'playing' || isMusic) && role !== undefined && kind !== 'riding') return played(relation)
  // In "kicking a ball into a goal", the ball goes into the goal, so the person only faces the
  // goal. When a person pours something into a small vessel, the vessel is in the other hand.
  if (kind === 'in' && mention.pose === 'pouring' && isHoldable(target) && (target.match?.heightMetres ?? 1) < 0.3)
    return { kind: 'holding', target, role: 'held' }
  if (kind === 'in' && (mention.pose === 'kicking' || mention.pose === 'throwing' || mention.pose === 'pouring'))
    return { kind: 'facing', target, role: 'before' }
  // "Into" a small thing, as in "singing into a microphone", means that the person holds it.
  if (kind === 'in' && isHoldable(target) && target.match && target.match.heightMetres < 0.5)
    return { kind: 'holding', target, role: 'held' }
  if (kind === 'holding' && isAnimate(target) && !isPerson(target) && (target.match?.heightMetres ?? 0) > 0.45)
    return { kind: 'facing', target, role: 'before' }
  if (kind === 'holding' && /flag$/.test(target.match?.noun ?? '')) return { kind: 'holding', target }
  // A person who stands or walks under an umbrella holds it; people who sit or lie are under that
  // of a beach or a café.
  const isAtEase = /^(sitting|lying|sleeping|relaxing|reading|eating|drinking)$/.test(mention.pose ?? '')
  if (kind === 'under' && !isAtEase && /^(umbrella|parasol)$/.test(target.match?.noun ?? '') && (target.count ?? 1) === 1)
    return { kind: 'holding', target, role: 'held' }
  // "Working on a person", such as cutting somebody's hair, does not mean holding the person.
  if (kind === 'holding' && mention.pose === 'working' && isPerson(target)) return { kind: 'facing', target, role: 'before' }
  if (mention.pose === 'fighting' && kind === 'facing' && isAnimate(target)) target.pose ??= 'fighting'
  // A person who writes on a board stands in front of it.
  if (/^(working|painting)$/.test(mention.pose ?? '') && target.match?.entry.key === 'drawn:blackboard') return writing(mention, target)
  if (isGrownUp(target) && (kind === 'holding' || kind === 'facing')) return together(mention, relation)
  // A thing that somebody reaches for or points at stays in its place instead of being held.
  if (mention.pose === 'reaching' && kind === 'holding') return { kind: 'facing', target, role: 'before' }
  return relation
}

function writing(mention: Mention, target: Mention): MentionRelation {
  mention.looks.push('with chalk')
  if (target.match) target.match = { ...target.match, heightMetres: 1.5 }
  return { kind: 'in-front-of', target }
}

/** Reads "washing a dog in a tub": places the dog in the tub, and the person in front of it. */
export function washInTub(mentions: readonly Mention[]): void {
  for (const washer of mentions.filter(({ pose }) => pose === 'working')) {
    const washed = washer.relations.find(({ kind, target }) => (kind === 'facing' || kind === 'holding') && isAnimate(target))
    const tub = washer.relations.find(({ kind, target }) => kind === 'in' && /tub|basin|bucket|sink/.test(target.match?.entry.key ?? ''))
    if (!washed || !tub) continue
    washed.target.relations.push({ kind: 'in', target: tub.target })
    washer.relations = [
      ...washer.relations.filter(relation => relation !== tub && relation !== washed),
      { kind: 'facing', target: tub.target },
    ]
  }
}

/** True for two animals of similar size that hug: both stand upright. A much smaller animal is held
 *  in the arms instead. */
function isEmbrace(mention: Mention, { target }: MentionRelation): boolean {
  const size = (target.match?.heightMetres ?? 0) / (mention.match?.heightMetres ?? 1)
  return mention.pose === 'hugging' && isDressable(mention) && isDressable(target) && size > 0.5
}

/** True when an animal plays music, sports or a board game like a person. False for an animal with
 *  a ball or a toy, which it plays with like an animal. */
function isGame(mention: Mention, { target, role, kind }: MentionRelation): boolean {
  const { category, noun } = target.match?.entry ?? {}
  const isMusic = category === 'instrument' && (role === 'near' || mention.pose === 'playing')
  const isMatch = mention.pose === 'playing' && (/sport/.test(category ?? '') || /chess|checkers|cards|board/.test(noun ?? ''))
  return role !== undefined && kind !== 'riding' && (isMusic || isMatch)
}

/** Reads "a cat playing chess against a dog": the dog plays as well, and has the same relations to
 *  the things of the game. */
export function joinOpponents(mentions: readonly Mention[]): void {
  for (const player of mentions.filter(({ pose }) => pose === 'playing'))
    for (const { kind, target } of player.relations) {
      if (kind !== 'in-front-of' || !isAnimate(target) || (target.pose !== undefined && target.pose !== 'playing')) continue
      target.pose = 'playing'
      const shared = player.relations.filter(one => one.kind === 'beside' && !isAnimate(one.target))
      for (const one of shared) if (!target.relations.some(other => other.target === one.target)) target.relations.push({ ...one })
    }
}

/** Returns the relation of a player to an instrument, a ball or another thing: in the hands, behind
 *  a drum kit, beside a piano or a board, at which the player then sits. */
function played(relation: MentionRelation): MentionRelation {
  const { target } = relation
  const category = target.match?.entry.category
  if (isAnimate(target)) return target.match && target.match.heightMetres > 0.35 ? { kind: 'facing', target, role: 'before' } : relation
  const isPlayed = category === 'instrument' || category === 'sport' || category === 'toy' || category === 'object'
  if (!isPlayed || relation.kind === 'on') return relation
  if (/drum kit|^drums$/.test(target.match?.entry.noun ?? '')) return { kind: 'behind', target }
  if (/piano|chess|checkers|board|harp/.test(target.match?.noun ?? '')) return { kind: 'beside', target }
  if (!isHoldable(target)) return relation
  if (/harp|cello/.test(target.match?.noun ?? '')) return relation
  return { kind: 'holding', target, role: 'held' }
}

/** Returns a relation in which two adults or two animals face each other. When the first one hugs,
 *  shakes hands, dances or speaks, the other one gets the matching pose. */
function together(mention: Mention, { target }: MentionRelation): MentionRelation {
  const pose = mention.pose
  if (pose === 'hugging' || pose === 'reaching' || pose === 'dancing' || pose === 'speaking')
    target.pose ??= pose === 'speaking' ? 'looking' : pose
  return { kind: 'facing', target, role: 'before' }
}

function isGrownUp({ match }: Mention): boolean {
  return match?.person !== undefined && match.person.age !== 'baby' && match.person.age !== 'child' && match.heightMetres > 1.3
}

/** Corrects relations such as those in "blowing out candles on a cake": the candles are on the
 *  cake, and the person holds the cake instead of standing on it. */
export function sortSurfaces(mentions: readonly Mention[]): void {
  for (const mention of mentions.filter(isPerson)) {
    const small = mention.relations.find(({ kind, target, part }) => kind === 'on' && part === undefined && isSmall(target))
    const held = small && mention.relations.find(({ kind, target }) => kind === 'holding' && target !== small.target)
    if (!small || !held) continue
    held.target.relations.push({ kind: 'on', target: small.target })
    mention.relations = mention.relations.filter(relation => relation !== held && relation !== small)
    mention.relations.push({ kind: 'holding', target: small.target, role: 'held' })
  }
}

function isSmall(target: Mention): boolean {
  return (
    isHoldable(target) &&
    !isAnimate(target) &&
    (target.match?.heightMetres ?? 1) < 0.5 &&
    !/board|ski|scooter|rug|carpet|mat/.test(target.match?.entry.key ?? '')
  )
}

/** Relates two people who hold hands, hug, dance, fight or stand back to back, as in "a boy and a
 *  girl holding hands": one of them faces the other. */
export function pairPeople(mentions: readonly Mention[]): void {
  const isPaired = ({ pose, looks }: Mention) => /^(reaching|hugging|dancing|fighting)$/.test(pose ?? '') || looks.includes('back to back')
  const people = mentions.filter(mention => isPerson(mention) && isPaired(mention))
  const [one, other, more] = people
  if (!one || !other || more || one.relations.length + other.relations.length > 0) return
  one.relations.push({ kind: 'facing', target: other })
}

/** Places the food that a person at a table eats, and the devices with which the person works, on
 *  the table instead of in the hands. */
export function layTable(mentions: readonly Mention[]): void {
  for (const mention of mentions.filter(isPerson)) {
    const table = mention.relations.find(({ kind, target }) => kind !== 'holding' && /^(table|desk)$/.test(target.match?.entry.noun ?? ''))
    if (!table) continue
    mention.relations = mention.relations.filter(({ kind, target }) => {
      const isLaid = kind === 'holding' && isTableware(mention, target)
      if (isLaid) target.relations.push({ kind: 'on', target: table.target })
      return !isLaid
    })
  }
}

function isTableware({ pose }: Mention, { match }: Mention): boolean {
  const category = match?.entry.category ?? ''
  if (pose === 'eating' || pose === 'sitting') return /^(food|dish|dessert|fruit|vegetable)$/.test(category)
  return /laptop|computer|typewriter|sewing machine|keyboard|puzzle/.test(`${match?.entry.noun} ${match?.noun}`)
}

/** Returns the noun of the drawing that replaces a thing in use: flowers in a hand are a bouquet,
 *  and a board game beside players stands on its table. Undefined for other things. */
export function actedThing({ match }: Mention, mentions: readonly Mention[]): string | undefined {
  const acted = swaps[match?.entry.key ?? '']
  const isActed = mentions.some(
    other =>
      (isPerson(other) || acted?.by === 'on') && other.relations.some(({ kind, target }) => kind === acted?.by && target.match === match),
  )
  return isActed ? acted?.noun : undefined
}

const swaps: Record<string, { by: MentionRelation['kind']; noun: string }> = {
  'drawn:flowers': { by: 'holding', noun: 'bouquet' },
  'noto:leaf-fluttering-in-wind': { by: 'on', noun: 'broad leaf' },
  'drawn:chess-board': { by: 'beside', noun: 'chess table' },
}
