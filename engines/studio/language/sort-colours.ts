import { countOf } from './counts.ts'
import { type Draft, isAnimate, isPerson, type Mention } from './draft.ts'

/** Largest number of things in a group over which several colours are distributed. */
const mostSorted = 12

/** Splits a group with several colours, as in "five balloons in red, blue and yellow", into one
 *  group for each colour. */
export function sortColours(draft: Draft): void {
  for (const mention of [...draft.mentions]) {
    const count = countOf(mention)
    if (!isSortable(mention) || count < 2 || count > mostSorted) continue
    const colours = distinct(mention).slice(0, count)
    if (colours.length < 2) continue
    const share = (index: number) => Math.floor(count / colours.length) + (index < count % colours.length ? 1 : 0)
    const others = colours.slice(1).map((colour, index): Mention => {
      const relations = mention.relations.length > 0 ? [...mention.relations] : [{ kind: 'beside' as const, target: mention }]
      return {
        ...mention,
        words: [colour.name, mention.words.at(-1) ?? ''],
        count: share(index + 1),
        colours: [colour],
        relations,
        looks: [...mention.looks],
      }
    })
    mention.count = share(0)
    mention.colours = colours.slice(0, 1)
    const at = draft.mentions.indexOf(mention)
    draft.mentions.splice(at + 1, 0, ...others)
    for (const other of draft.mentions) {
      if (others.includes(other)) continue
      const led = other.relations.filter(({ target }) => target === mention)
      for (const relation of led) if (relation.kind === 'holding') other.relations.push(...others.map(target => ({ ...relation, target })))
    }
  }
}

/** False for people and animals, and for things with a pattern, because one animal or one patterned
 *  thing has all of the colours. */
function isSortable(mention: Mention): boolean {
  return (
    mention.match !== undefined &&
    !isPerson(mention) &&
    !isAnimate(mention) &&
    !mention.looks.some(look => /striped|spotted|checkered|made of/.test(look))
  )
}

function distinct({ colours }: Mention): Mention['colours'] {
  return colours.filter((colour, index) => colours.findIndex(other => other.name === colour.name) === index)
}
