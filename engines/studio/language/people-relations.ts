import { isHoldable } from './attach.ts'
import { isAnimate, isPerson, type Mention, type MentionRelation } from './draft.ts'

/** What a person does with a thing or another person, told from what the thing is: instruments and balls are held, grown people faced. */
export function peopleRelation(mention: Mention, relation: MentionRelation): MentionRelation {
  if (!isPerson(mention)) return relation
  const { kind, target, role } = relation
  const isMusic = target.match?.entry.category === 'instrument' && role === 'near'
  if ((mention.pose === 'playing' || isMusic) && role !== undefined && kind !== 'riding') return played(relation)
  // "singing into a microphone": nobody is inside of it.
  if (kind === 'in' && isHoldable(target) && target.match && target.match.heightMetres < 0.5)
    return { kind: 'holding', target, role: 'held' }
  if (kind === 'holding' && isAnimate(target) && !isPerson(target) && (target.match?.heightMetres ?? 0) > 0.45)
    return { kind: 'facing', target, role: 'before' }
  if (isGrownUp(target) && (kind === 'holding' || kind === 'facing')) return together(mention, relation)
  // What is pointed at, banged on or got into stays where it is.
  if (mention.pose === 'reaching' && kind === 'holding') return { kind: 'facing', target, role: 'before' }
  return relation
}

/** Music and ball games are in the hands of who plays them; a piano and a board are sat at. */
function played(relation: MentionRelation): MentionRelation {
  const { target } = relation
  const category = target.match?.entry.category
  if (isAnimate(target)) return target.match && target.match.heightMetres > 0.35 ? { kind: 'facing', target, role: 'before' } : relation
  const isPlayed = category === 'instrument' || category === 'sport' || category === 'toy' || category === 'object'
  if (!isPlayed || relation.kind === 'on') return relation
  if (/piano|chess|checkers|board|harp/.test(target.match?.noun ?? '')) return { kind: 'beside', target }
  if (!isHoldable(target)) return relation
  if (/harp|cello/.test(target.match?.noun ?? '')) return relation
  return { kind: 'holding', target, role: 'held' }
}

/** Two grown people who hug, shake hands or dance do the same. */
function together(mention: Mention, { target }: MentionRelation): MentionRelation {
  const pose = mention.pose
  if (pose === 'hugging' || pose === 'reaching' || pose === 'dancing' || pose === 'speaking')
    target.pose ??= pose === 'speaking' ? 'looking' : pose
  return { kind: 'facing', target, role: 'before' }
}

function isGrownUp({ match }: Mention): boolean {
  return match?.person !== undefined && match.person.age !== 'baby' && match.person.age !== 'child' && match.heightMetres > 1.3
}

/** What one eats or works at is on the table where one sits. */
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
