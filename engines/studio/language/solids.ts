import type { Draft, Mention } from './draft.ts'
import { words } from './lexicon/senses.ts'
import type { FindArt } from './tokens.ts'

const solids = /^(cube|block|sphere|cone|cylinder|torus|box|square|circle|triangle|rectangle)$/
const materials: ReadonlySet<string> = new Set(words('wooden, plastic, glass, metal, metallic, paper, shiny, transparent, rubber'))

/** Reads "pyramid" as a small geometric solid, not as the building in Egypt, when it has a colour
 *  or a material, or when the prompt names another solid: "a blue pyramid", "a pyramid on a
 *  cube". */
export function takeSolids(draft: Draft, find: FindArt): void {
  const hasSolid = draft.mentions.some(mention => solids.test(mention.match?.entry.noun ?? ''))
  const solid = find('triangular pyramid', 'en')
  for (const mention of draft.mentions)
    if (solid && mention.match?.noun === 'pyramid' && (hasSolid || isMade(mention))) mention.match = { ...solid, word: 'pyramid' }
}

function isMade(mention: Mention): boolean {
  return mention.colours.length > 0 || mention.looks.some(look => materials.has(look))
}
