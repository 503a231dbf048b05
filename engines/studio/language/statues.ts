import type { Mention } from './draft.ts'
import { materialOf } from './lexicon/materials.ts'

/** Turns the mention of a statue into the thing that it shows, in the material of the statue: "a
 *  bronze statue of a horse" becomes a bronze horse. Returns false when the mention is not a
 *  statue. */
export function carve(statue: Mention, shown: Mention): boolean {
  if (statue.match?.entry.noun !== 'statue' || !shown.match) return false
  const [colour] = statue.colours
  const look = statue.looks.find(one => materialOf(one) !== undefined || solid.test(one))
  const made = look ?? (colour && materialOf(colour.name)?.look)
  statue.match = shown.match
  statue.words = [...statue.words, 'of', ...shown.words]
  statue.looks = [made ?? 'stone', 'statue', ...statue.looks.filter(one => one !== look), ...shown.looks]
  if (made !== undefined) statue.colours = []
  statue.clothes.push(...shown.clothes)
  statue.wears.push(...shown.wears)
  statue.compound = shown.compound
  statue.pose ??= shown.pose ?? 'standing'
  return true
}

/** Turns the mention of "a wooden owl statue" into a wooden owl, as `carve` does for "a statue of
 *  an owl". */
export function carveNamed(statue: Mention): void {
  const shown = statue.compoundMatch
  if (statue.match?.entry.noun !== 'statue' || !shown || !/^(animal|bird|fish|insect|creature|person)$/.test(shown.entry.category)) return
  const { words } = statue
  carve(statue, { ...statue, match: shown, words: [], looks: [], clothes: [], wears: [], compound: [] })
  statue.words = words
  delete statue.compoundMatch
}

const solid = /^(stone|marble|metal|chrome|golden|copper|ice|wooden|glass|crystal|concrete|clay|rusty|sand|snow|chocolate)$/
