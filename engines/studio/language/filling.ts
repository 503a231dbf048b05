import type { RelationKind } from '../scene.ts'
import { contained } from './attach.ts'
import { isAnimate, type Mention } from './draft.ts'

/** Reads "a jar full of buttons" and relates the contents to the container. In a container of
 *  glass, many copies are visible through its wall; in any other one, a small heap is visible at
 *  the top. */
export function fill(source: Mention, mention: Mention, relation: RelationKind): void {
  const isSeenThrough = seeThrough.test(source.match?.noun ?? '') || source.looks.includes('glass')
  const isLoose = mention.isPlural && !isAnimate(mention) && (mention.match?.heightMetres ?? 1) < 0.4
  if (relation === 'in' && isLoose && mention.count === undefined) mention.count = isSeenThrough ? 18 : 6
  if (relation === 'in' && isLoose) mention.looks.push(isSeenThrough ? 'filling' : 'piled')
  const kind = relation === 'in' && isSeenThrough ? 'printed-on' : contained(relation, source)
  mention.relations.push({ kind, target: source })
}

const seeThrough =
  /^(glass )?(jar|mason jar|bottle|glass|aquarium|fish tank|fishbowl|light bulb|vial|flask|terrarium|snow globe|hourglass|test tube|gumball machine)$/
