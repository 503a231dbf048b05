/** Decides whether a dot belongs to an abbreviation or ends a sentence. */

/** Abbreviations that do not end a sentence, because a name or a number follows them. One that
 *  `trailing` has too (`St.`) ends a sentence when a word of `starters` follows. */
const leading = setOf(`
  mr mrs ms dr prof ee rev hon gen col capt cmdr lt sgt cpl maj adm gov sen rep pres supt msgr st mt ft messrs mme mlle
  vs cf viz eg ie approx ca fig figs vol nos pp ed eds ch sec art al op cit
  jan feb mar apr jun jul aug sept sep oct nov dec mon tue tues wed thu thur thurs fri
  sr sra srta dra ud uds avda pág págs núm p.ej sig sigg dott ing avv geom on egr spett pag exmo exma av`)
/** Abbreviations that may end a sentence: the sentence ends when the word after the dot has a
 *  capital first letter. */
const trailing = setOf(`etc uu inc ltd co corp jr sr esq phd m.d b.a m.a ph.d a.m p.m am pm u.s u.k u.n e.u d.c b.c a.d
  ave blvd rd ln hwy dept univ assn bros est no tel ext apt bldg min max hr hrs sec in ft lb lbs oz sat sun st mt p s.a ecc`)
const starters =
  setOf(`the a an this that these those he she it we they you i his her its our their my your there here in on at by for from with
  but and so if when while after before as because although however then now what who where why how one some many most all no not yes
  el la los las un una le les il lo gli i un' une des o os as um uma ele ela elle eles`)

/** True when a dot does not end a sentence: it belongs to an abbreviation or to the number of a
 *  list item, or the next word begins with a small letter. `before` is the text before the dot,
 *  and `next` the word after it. `isDot` is false when a closing quote or bracket follows the
 *  dot. */
export function endsInAbbreviation(before: string, next: string, isDot: boolean): boolean {
  if (/^\p{Ll}/u.test(next)) return true
  const word = /[\p{L}\p{M}.]+$/u.exec(before)?.[0] ?? ''
  if (!isDot || word === '') return isDot && /(?:^|\s)\(?\d{1,3}$/.test(before) && before.trim().length <= 4
  const lower = word.toLowerCase()
  const beginsSentence = starters.has(next.toLowerCase().replace(/[^\p{L}]+$/u, '')) && /^\p{Lu}/u.test(next)
  // Initials as in `J. R. R. Tolkien` and `Harry S. Truman`; but in `vitamin C. The`, the dot ends
  // the sentence.
  if (/^(?:\p{L}\.)*\p{L}$/u.test(word)) return lower !== 'i' && !beginsSentence && /^\p{Lu}|^\d/u.test(next)
  if (lower === 'no') return /^\d/.test(next)
  if (trailing.has(lower)) return leading.has(lower) ? !beginsSentence : !beginsSentence && !/^\p{Lu}/u.test(next)
  return leading.has(lower)
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter(word => word !== ''))
}
