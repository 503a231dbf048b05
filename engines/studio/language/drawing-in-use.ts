import type { ArtCatalogue } from '../art/entry.ts'
import type { ArtKey } from '../scene.ts'
import type { Mention } from './draft.ts'

/** True for a stack of books, for which there is one drawing of the whole stack. */
function isBookStack({ match, looks, words }: Mention): boolean {
  const isLoose = looks.includes('stacked') || looks.includes('piled')
  return match?.entry.key === 'drawn:book' && isLoose && /\b(stack|pile|heap)s?\b/i.test(words.join(' '))
}

/** Returns the key of the drawing that suits the use: a skateboard that is held or painted shows
 *  its underside, a surfboard or snowboard that is ridden lies flat, and a stack of books has a
 *  drawing of its own. */
export function drawingInUse(
  key: ArtKey,
  mention: Mention,
  { mentions, art }: { mentions: readonly Mention[]; art: ArtCatalogue },
): ArtKey {
  const is = (kind: string) => (one: Mention) => one.relations.some(relation => relation.kind === kind && relation.target === mention)
  if (isBookStack(mention) && art.has('noto:books')) return 'noto:books'
  const isShown = mentions.some(is('printed-on')) || mentions.some(is('holding'))
  if (/^drawn:(surf|snow)board$/.test(key) && (mentions.some(is('riding')) || mentions.some(is('on')))) return 'drawn:flat-surfboard'
  return key === 'drawn:skateboard' && isShown ? 'drawn:skateboard-deck' : key
}
