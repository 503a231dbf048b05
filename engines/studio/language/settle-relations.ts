import { usesHands } from './animal-look.ts'
import { cutStems, cutToHand, isHoldable } from './attach.ts'
import { isAnimate, isDressable, isPerson, type Mention, type MentionRelation } from './draft.ts'
import { joinOpponents, layTable, pairPeople, peopleRelation, sortSurfaces, washInTub } from './people-relations.ts'

const walked = /bridge|stairs|hill|rug|pier|path|wave|ladder/

/** Corrects the relations of all mentions, because a verb alone does not say where its object is.
 *  The object of eating, working and the like is held when it fits into a hand, and otherwise is in
 *  front of the being. */
export function settleRelations(mentions: readonly Mention[]): void {
  for (const mention of mentions) mention.relations = mention.relations.map(relation => peopleRelation(mention, relation))
  washInTub(mentions)
  for (const mention of mentions) cutStems(mention)
  pairPeople(mentions)
  sortSurfaces(mentions)
  layTable(mentions)
  shareSurface(mentions)
  joinOpponents(mentions)
  for (const mention of mentions) mention.relations = mention.relations.flatMap(relation => settleRelation(mention, relation, mentions))
}

const boards = /table|desk|shelf|counter|bench|tray|sofa|windowsill|plate|piano|crate/

/** Reads "a fiddle next to a ball on a table": places both things on the table. */
function shareSurface(mentions: readonly Mention[]): void {
  for (const mention of mentions) {
    const on = mention.relations.find(({ kind, target }) => kind === 'on' && boards.test(target.match?.entry.noun ?? ''))
    const beside = mention.relations.find(({ kind, target }) => kind === 'beside' && target !== on?.target)
    if (!on || !beside || isAnimate(mention) || isAnimate(beside.target) || beside.target.relations.length > 0) continue
    beside.target.relations.push({ kind: 'on', target: on.target })
    mention.relations = mention.relations.filter(relation => relation !== beside)
  }
}

const fixedKinds: ReadonlySet<string> = new Set(['riding', 'wearing', 'chasing', 'on', 'around'])
const readable = /^(book|newspaper|magazine|letter|map|mobile phone|phone|tablet|scroll)$/

const figures =
  /^(circle|square|rectangle|triangle|oval|ellipse|star|heart|green heart|hexagon|pentagon|octagon|diamond|rhombus|cross|arrow|crescent|letter|number|ring)$/

/** True for a flat geometric figure, such as a circle or a star. */
function isFigure({ match }: Mention): boolean {
  return match !== undefined && (figures.test(match.entry.noun) || figures.test(match.noun))
}

function settleRelation(mention: Mention, relation: MentionRelation, mentions: readonly Mention[]): MentionRelation[] {
  const { kind, role, target } = relation
  if (isMicrophone(target) && isAnimate(mention) && kind !== 'behind') return [{ kind: 'holding', target }]
  // Giraffes and cows that eat the leaves of a tree stand below it.
  if ((kind === 'on' || kind === 'in') && isDressable(mention) && isTree(target) && (mention.match?.heightMetres ?? 0) > 1.2)
    return [{ kind: 'beside', target }]
  // A figure in another one, such as a star in a circle, is drawn on the surface of the other,
  // because both are flat.
  if (kind === 'in' && isFigure(mention) && isFigure(target)) return [{ kind: 'printed-on', target }]
  if (role === undefined || fixedKinds.has(kind)) return [relation]
  if (kind === 'facing') return [lookAt(mention, relation)]
  if (walked.test(target.match?.entry.noun ?? '') && role === 'near') return [{ kind: 'on', target }]
  if (kind === 'holding' && target.count === undefined && !target.isPlural) cutToHand(target)
  const isGrip = kind === 'holding' && isHoldable(target) && (canHold(mention) || !heldBySomeone(mentions, target))
  if (isGrip && (role === 'held' || canHold(mention))) return [{ kind: 'holding', target }]
  if (isGrip && bites(mention, target)) {
    mention.looks.push('in mouth')
    return [{ kind: 'holding', target }]
  }
  const back = role === 'before' ? 'in-front-of' : 'beside'
  if (!target.relations.some(other => other.target === mention)) target.relations.push({ kind: back, target: mention })
  return []
}

/** Returns the relation of looking at something. A newspaper or another text is held in the hands
 *  and read; everything else is faced. */
function lookAt(mention: Mention, relation: MentionRelation): MentionRelation {
  if (!(isPerson(mention) || isDressable(mention)) || !readable.test(relation.target.match?.noun ?? '')) return relation
  if (mention.pose === undefined || mention.pose === 'looking') mention.pose = 'reading'
  return { kind: 'holding', target: relation.target }
}

function isMicrophone({ match }: Mention): boolean {
  return match?.entry.noun === 'microphone'
}

function heldBySomeone(mentions: readonly Mention[], target: Mention): boolean {
  return mentions.some(
    mention => isPerson(mention) && mention.relations.some(relation => relation.target === target && relation.kind === 'holding'),
  )
}

function canHold(mention: Mention): boolean {
  return isPerson(mention) || usesHands(mention) || /gripping hand/.test(mention.match?.noun ?? '')
}

/** True for food that an eating animal holds in its mouth. False for drinks and for food in a dish,
 *  which are in front of the animal. */
function bites(mention: Mention, { match }: Mention): boolean {
  const eats = mention.pose === 'eating' && isDressable(mention)
  return (
    eats &&
    match !== undefined &&
    match.heightMetres < 0.6 &&
    !/bowl|pot|cup|glass|bucket|milk|honey|water|soup|plate|cake|grass/.test(match.noun)
  )
}

function isTree({ match }: Mention): boolean {
  return match?.entry.key.startsWith('tree:') === true && match.entry.key !== 'tree:branch'
}
