import type { DifferingPlace, Subject } from '../scene.ts'
import { type Draft, type MemberDifference, note } from './draft.ts'
import { colourWords } from './lexicon/colours.ts'

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']
const places: Record<string, DifferingPlace> = {
  middle: 'middle',
  center: 'middle',
  centre: 'middle',
  central: 'middle',
  top: 'top',
  topmost: 'top',
  uppermost: 'top',
  bottom: 'bottom',
  lowest: 'bottom',
  left: 'left',
  leftmost: 'left',
  right: 'right',
  rightmost: 'right',
  last: 'right',
}
const where = [...Object.keys(places), ...ordinals].join('|')
const phrase = new RegExp(
  `[,;.:]? ?\\b(?:(?:and|with|but|where) )?(?:the (?<before>${where}) one|the one (?:in|on|at) the (?<after>${where})|(?:only )?one of (?:them|which))` +
    ' (?:(?:is|being|in|colou?red|painted) ){1,2}(?:bright |dark |light |deep |pale )?(?<colour>[a-z]{3,10})(?= ?(?:$|[.,;]| and | on | in | at | against ))',
  'gi',
)

/** Removes the phrases about the colour of one member of a group from the text ("the middle one is
 *  green", "one of them is brown"). Returns the remaining text and these differences. */
export function takeDiffering(written: string): { text: string; differing: MemberDifference[] } {
  if (!/\bone\b/i.test(written)) return { text: written, differing: [] }
  const line = written.replace(/\s+/g, ' ')
  const differing: MemberDifference[] = []
  const text = line.replace(phrase, (words: string, ...rest: unknown[]) => {
    const groups = namesOf(rest.at(-1))
    const place = (groups.get('before') ?? groups.get('after') ?? '').toLowerCase()
    const colour = (groups.get('colour') ?? '').toLowerCase()
    if (!colourWords.has(colour)) return words
    const at = places[place] ?? (ordinals.includes(place) ? ordinals.indexOf(place) : 'any')
    differing.push({ words: words.replace(/^[,;.: ]+/, ''), before: line.slice(0, line.indexOf(words)), at, colour })
    return ''
  })
  return differing.length > 0 ? { text, differing } : { text: written, differing }
}

function namesOf(groups: unknown): Map<string, string> {
  if (typeof groups !== 'object' || groups === null) return new Map()
  return new Map(Object.entries(groups).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Returns the subjects, with each difference added to the last group that the prompt names before
 *  it. When there is no such group, when it has too few members, or when it consists of people, the
 *  words are reported as not drawn. */
export function giveDiffering(draft: Draft, subjects: readonly Subject[]): Subject[] {
  const given = [...subjects]
  for (const { words, before, at, colour } of draft.differing) {
    const index = given.findLastIndex(({ count, words: said }) => count > 1 && before.includes(said.split(' ').at(-1) ?? said))
    const group = given[index]
    const found = colourWords.get(colour)
    const isThere = group !== undefined && (typeof at !== 'number' || at < group.count) && (group.differing?.length ?? 0) < group.count
    if (isThere && found && !group.person) given[index] = { ...group, differing: [...(group.differing ?? []), { at, colour: found }] }
    else note(draft, words)
  }
  return given
}
