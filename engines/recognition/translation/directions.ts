/** A supported translation direction. README.md lists the directions that were left out after a
 *  test, because their text is incomprehensible or their programs fail. */
export interface Direction {
  /** BCP 47 language tag; it has a region only when that region has its own spelling. */
  from: string
  to: string
  /** Apertium's name of the direction; the file is `<mode>.mode`. */
  mode: string
  /** Engine pack with the files of this direction. */
  pack: TranslationPack
}

export type TranslationPack = 'translation' | 'translation-nordic'

export const directions: readonly Direction[] = [
  ...of('translation', [
    ['en', 'es', 'eng-spa'],
    ['es', 'en', 'spa-eng'],
    ['en', 'ca', 'eng-cat'],
    ['es', 'fr', 'es-fr'],
    ['fr', 'es', 'fr-es'],
    ['es', 'it', 'spa-ita'],
    ['it', 'es', 'ita-spa'],
    ['es', 'pt', 'es-pt'],
    ['es', 'pt-BR', 'es-pt_BR'],
    ['pt', 'es', 'pt-es'],
    ['es', 'ca', 'spa-cat'],
    ['ca', 'es', 'cat-spa'],
    ['es', 'gl', 'es-gl'],
    ['gl', 'es', 'gl-es'],
    ['ro', 'es', 'ro-es'],
    ['eu', 'es', 'eu-es'],
  ]),
  ...of('translation-nordic', [
    ['sv', 'da', 'swe-dan'],
    ['da', 'sv', 'dan-swe'],
    ['sv', 'no', 'swe-nob'],
    ['no', 'sv', 'nob-swe'],
    ['da', 'no', 'dan-nob'],
    ['no', 'da', 'nob-dan'],
    ['no', 'nn', 'nob-nno'],
    ['nn', 'no', 'nno-nob'],
  ]),
]

function of(pack: TranslationPack, rows: [from: string, to: string, mode: string][]): Direction[] {
  return rows.map(([from, to, mode]) => ({ from, to, mode, pack }))
}

/** Returns the shortest route between two languages through usable directions; among equally short
 *  ones, earlier entries of `directions` are preferred. Undefined when there is none; empty when
 *  both are the same language. */
export function route(from: string, to: string, mayUse: (direction: Direction) => boolean): Direction[] | undefined {
  const ways: { at: string; steps: Direction[] }[] = [{ at: from, steps: [] }]
  const seen = new Set([from])
  for (const way of ways) {
    if (way.at === to) return way.steps
    for (const direction of directions) {
      if (direction.from !== way.at || seen.has(direction.to) || !mayUse(direction)) continue
      seen.add(direction.to)
      ways.push({ at: direction.to, steps: [...way.steps, direction] })
    }
  }
  return undefined
}
