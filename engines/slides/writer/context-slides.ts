/** Makes slides about the surroundings of a subject: parts of its class, its relatives, years,
 *  related people, places, events and words, a summary, and a quiz. */

import type { Mention, NamedKind, WordFacts } from './entries.ts'
import { isTooWide, type RankedSlide, short, slideOf } from './fact-slide.ts'
import { capitalised } from './frame.ts'
import { datedOf } from './mentions.ts'

const mostCards = 6
const mostRows = 7
const mostSteps = 6

/** Returns the slides in the order in which a talk presents them. */
export function contextSlides(facts: WordFacts): RankedSlide[] {
  const all = [
    inheritedSlide(facts),
    relativesSlide(facts),
    yearsSlide(facts),
    ...mentionSlides(facts),
    shortSlide(facts),
    quizSlide(facts),
  ]
  return all.filter(each => each !== undefined)
}

/** Classes that are so general that the subject often lacks their parts: a lighthouse has no
 *  "plates", although a structure may have some. */
const hasPartsOfAny = /^(?:structure|device|instrument|machine|equipment|body part|organism|plant|animal|construction|building)$/

/** Returns a slide of the parts that a subject inherits from its class: a bicycle has the parts of
 *  a wheeled vehicle. */
function inheritedSlide({ inherited, called, parts }: WordFacts): RankedSlide | undefined {
  const near = inherited.filter(({ of }) => !hasPartsOfAny.test(of))
  const reported = near.flatMap(({ of, parts: all }) =>
    all.filter(({ name }) => !parts.some(part => part.name.endsWith(name))).map(part => ({ ...part, of })),
  )
  if (reported.length < 3) return undefined
  const rows = reported.slice(0, mostRows).map(({ name, definition, of }) => [capitalised(name), capitalised(short(definition, 110)), of])
  return {
    rank: parts.length >= 3 ? 3 : 2,
    slide: slideOf('table', `What ${called} can have by class`, {
      table: { head: ['Part', 'What it is', 'Of any'], rows },
      notes: `The dictionary lists these as parts of the wider classes; look whether each holds for ${called}.`,
    }),
  }
}

function relativesSlide({ siblings, classes: [nearest], isInstance, called }: WordFacts): RankedSlide | undefined {
  const reported = siblings.filter(({ definition }) => definition !== '')
  if (!nearest || isTooWide(nearest) || reported.length < 3) return undefined
  const rest = reported.length - mostCards
  return {
    rank: 2,
    slide: slideOf('points', isInstance ? `More under “${nearest.name}”` : `Other kinds of ${nearest.name}`, {
      points: cardsOf(reported.slice(0, mostCards)),
      notes: `Ask what each has in common with ${called}, and what not.${rest > 0 ? ` The dictionary has ${rest} more.` : ''}`,
    }),
  }
}

/** Returns a timeline of the years that the definitions mention; undefined when there are fewer
 *  than three. */
function yearsSlide({ mentions, word, called }: WordFacts): RankedSlide | undefined {
  const dated = datedOf(mentions, word)
  if (dated.length < 3) return undefined
  const best = [...dated].sort(
    (a, b) => mentions.findIndex(({ name }) => name === a.name) - mentions.findIndex(({ name }) => name === b.name),
  )
  const kept = new Set(best.slice(0, mostSteps))
  const steps = dated
    .filter(each => kept.has(each))
    .map(({ shownYear, name, definition }) => ({ label: shownYear, title: capitalised(name), text: capitalised(short(definition, 150)) }))
  const left = dated.length - steps.length
  return {
    rank: 1,
    slide: slideOf('timeline', `${capitalised(called)} in years`, {
      steps,
      notes: `The years are those of the definitions${left > 0 ? `; ${left} more are left out` : ''}. The dictionary is of 2011: look up what has happened since.`,
    }),
  }
}

const groups = {
  people: { title: (name: string) => `People around ${name}`, head: 'Who' },
  places: { title: (name: string) => `Places that go with ${name}`, head: 'Place' },
  events: { title: (name: string) => `What happens around ${name}`, head: 'Event or action' },
  words: { title: (name: string) => `Words that go with “${name}”`, head: 'Word' },
} as const

/** Returns one slide for each group of mentions (people, places, events, words) with at least three
 *  entries. The entries of smaller groups share a slide. */
function mentionSlides(facts: WordFacts): RankedSlide[] {
  const name = facts.called
  const written = facts.isInstance ? facts.word : facts.titleForm
  const fresh = facts.mentions.filter(({ isListed }) => !isListed)
  const slides: RankedSlide[] = []
  const small: Mention[] = []
  for (const group of ['people', 'places', 'events', 'words'] as const) {
    const all = fresh.filter(each => each.group === group)
    if (all.length < 3) small.push(...all)
    else {
      const isPlace = facts.isInstance && facts.synset.lexicalFile === 15
      const title = group === 'places' && isPlace ? `${name} on the map` : groups[group].title(group === 'words' ? written : name)
      slides.push({ rank: slides.length < 2 ? 1 : 2, slide: listOf(title, groups[group].head, all) })
    }
  }
  if (small.length >= 2) slides.push({ rank: slides.length === 0 ? 1 : 2, slide: listOf(`What goes with ${name}`, 'Name', small) })
  return slides
}

function listOf(title: string, head: string, all: readonly Mention[]): RankedSlide['slide'] {
  const notes = `Entries of the dictionary that speak of it${all.length > mostRows ? `; it has ${all.length - mostRows} more` : ''}.`
  if (all.length <= mostCards) return slideOf('points', title, { points: cardsOf(all), notes })
  const rows = all.slice(0, mostRows).map(({ name, definition }) => [capitalised(name), capitalised(short(definition, 160))])
  return slideOf('table', title, { table: { head: [head, 'What the dictionary says'], rows }, notes })
}

/** Returns a slide that sums up the main facts on one page. */
function shortSlide(facts: WordFacts): RankedSlide | undefined {
  const { definition, classes, kinds, parts, substances, members, instances, alsoCalled, isInstance, called } = facts
  const telling = classes.filter(each => !isTooWide(each))
  const lines: (readonly [string, readonly string[]])[] = [
    ['Kind of', isInstance ? [] : telling.slice(0, 2).map(({ name }) => name)],
    ['Also called', alsoCalled.slice(0, 4)],
    ['Kinds', names(kinds)],
    ['Parts', names(parts)],
    ['Made of', names(substances)],
    ['Members', isInstance ? [] : names(members)],
    ['Examples', names(instances)],
    [
      'Goes with',
      facts.mentions
        .filter(({ isListed }) => !isListed)
        .slice(0, 4)
        .map(({ name }) => name),
    ],
  ]
  const reported = lines.filter(([, all]) => all.length > 0).map(([lead, all]) => `${lead}: ${all.join(', ')}`)
  if (reported.length < 3) return undefined
  return {
    rank: 1,
    slide: slideOf('points', `${capitalised(called)} in short`, {
      points: [`What it is: ${short(definition, 120)}`, ...reported.slice(0, 5)],
      notes: 'Let the audience say what they remember before you show this page.',
    }),
  }
}

/** Returns a quiz slide: the audience guesses words from their definitions; the answers are in the
 *  notes. */
function quizSlide(facts: WordFacts): RankedSlide | undefined {
  const own = facts.word.toLowerCase()
  const askable = [facts.parts, facts.kinds, facts.terms, facts.substances, facts.mentions.filter(({ group }) => group !== 'people')]
    .flat()
    .filter(({ name, definition }) => isAskable(name, definition, own))
    .filter(({ name }, k, all) => all.findIndex(other => other.name === name) === k)
  const chosen = askable.filter((_each, k) => k % Math.max(1, Math.floor(askable.length / 4)) === 0).slice(0, 4)
  if (chosen.length < 3) return undefined
  const signs = ['A', 'B', 'C', 'D']
  return {
    rank: 2,
    slide: slideOf('points', 'Which word is meant?', {
      points: chosen.map(({ definition }, k) => `${signs[k]}: ${short(definition, 120)}`),
      notes: `Answers: ${chosen.map(({ name }, k) => `${signs[k]} ${name}`).join(', ')}. Let pairs write down theirs first.`,
    }),
  }
}

/** True when a definition suits the quiz: it has 20 to 120 characters and does not contain the word
 *  that the audience must guess. */
function isAskable(name: string, definition: string, subject: string): boolean {
  const words = name.toLowerCase().split(/[\s-]+/)
  return (
    definition.length >= 20 &&
    definition.length <= 120 &&
    name.toLowerCase() !== subject &&
    !words.some(word => word.length > 3 && definition.toLowerCase().includes(word.slice(0, 5)))
  )
}

function cardsOf(all: readonly Pick<NamedKind, 'name' | 'definition'>[]): string[] {
  return all.map(({ name, definition }) => `${capitalised(name.replace(/:\s/g, ' '))}: ${short(definition, 120)}`)
}

function names(all: readonly NamedKind[]): string[] {
  return [...all]
    .sort((a, b) => b.below - a.below)
    .slice(0, 4)
    .map(({ name }) => name)
}
