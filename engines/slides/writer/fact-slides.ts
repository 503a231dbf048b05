/** Slides of the dictionary's facts about a subject (definition, classes, kinds, parts, names), and
 *  slides that compare two subjects. */
import { contextSlides } from './context-slides.ts'
import type { NamedKind, WordFacts } from './entries.ts'
import { dictionary, isTooWide, type RankedSlide, short, slideOf } from './fact-slide.ts'
import { capitalised } from './frame.ts'

const mostRows = 7

/** Returns the slides in the order in which a talk presents them: definition, class, kinds, parts
 *  ... A slide is left out when the dictionary has no facts for it. */
export function factSlides(facts: WordFacts): RankedSlide[] {
  const all = [
    definitionSlide(facts),
    classSlide(facts),
    listSlide(facts, 'kinds'),
    kindsChart(facts),
    listSlide(facts, 'parts'),
    insideSlide(facts),
    listSlide(facts, 'substances'),
    facts.isInstance ? undefined : listSlide(facts, 'members'),
    listSlide(facts, 'instances'),
    listSlide(facts, 'terms'),
    ...contextSlides(facts),
  ]
  return all.filter(each => each !== undefined)
}

/** Returns slides for a talk about how something works: its parts and processes first; people and
 *  places only as additions. */
export function workingSlides(facts: WordFacts): RankedSlide[] {
  const own = { ...facts, mentions: facts.mentions.filter(({ group }) => group === 'events' || group === 'words') }
  const ranked = (rank: RankedSlide['rank'], ...slides: (RankedSlide | undefined)[]) =>
    slides.filter(each => each !== undefined).map((each): RankedSlide => ({ ...each, rank }))
  return [
    ...ranked(1, definitionSlide(own), listSlide(own, 'parts'), insideSlide(own), listSlide(own, 'substances')),
    ...contextSlides(own),
    ...ranked(2, listSlide(own, 'kinds')),
    ...ranked(3, classSlide(own), kindsChart(own)),
  ]
}

/** Returns slides that compare two subjects: the classes they share, and their facts side by
 *  side. */
export function comparisonSlides(a: WordFacts, b: WordFacts): RankedSlide[] {
  const [left, right] = [capitalised(a.word), capitalised(b.word)]
  const shared = a.classes.find(({ name }) => b.classes.some(other => other.name === name))
  const rows = [
    ['What it is', a.definition, b.definition],
    ['A kind of', nameList(a.classes.slice(0, 1)), nameList(b.classes.slice(0, 1))],
    ['Also called', a.alsoCalled.slice(0, 3).join(', ') || '–', b.alsoCalled.slice(0, 3).join(', ') || '–'],
    ['Kinds in the dictionary', kindsPhrase(a), kindsPhrase(b)],
    ['Parts', nameList([...a.parts, ...a.substances].slice(0, 4)), nameList([...b.parts, ...b.substances].slice(0, 4))],
  ].filter(([, x, y]) => x !== '–' || y !== '–')
  const table: RankedSlide = {
    rank: 1,
    slide: slideOf('table', `${left} and ${b.word} side by side`, {
      table: { head: ['', left, right], rows },
      notes: `${sensesNote(a)} ${sensesNote(b)}`,
    }),
  }
  if (!shared || isTooWide(shared)) return [table]
  const note = `The nearest class that the dictionary puts both into is "${shared.name}".`
  return [
    {
      rank: 2,
      slide: slideOf('quote', `What both are: ${shared.name}`, {
        quote: { text: capitalised(shared.definition), by: `${dictionary} on ${shared.name}` },
        notes: note,
      }),
    },
    table,
  ]
}

function definitionSlide(facts: WordFacts): RankedSlide {
  const others = facts.alsoCalled.slice(0, 4).join(', ')
  const by = `${dictionary} on ${facts.word}${others === '' ? '' : `, also ${others}`}`
  const title = facts.isInstance ? capitalised(facts.called) : `What the word “${facts.word}” means`
  return { rank: 1, slide: slideOf('quote', title, { quote: { text: `${capitalised(facts.whole)}.`, by }, notes: sensesNote(facts) }) }
}

function sensesNote({ word, senses, definition, synset }: WordFacts): string {
  const more =
    senses > 1
      ? `The dictionary has ${senses} senses of "${word}"; this deck takes: ${definition}.`
      : `The dictionary has one sense of "${word}".`
  const example = synset.examples[0]
  return example === undefined ? more : `${more} Its example: "${example}".`
}

/** Returns a slide of the chain of classes, from the most general one down to the subject. */
function classSlide({ word, classes, definition, isInstance }: WordFacts): RankedSlide | undefined {
  const telling = classes.filter(each => !isTooWide(each)).slice(0, 4)
  if (telling.length < 2 || isInstance) return undefined
  const steps = [...telling.reverse(), { name: word, definition }].map((each, k) => ({
    label: String(k + 1),
    title: capitalised(each.name),
    text: capitalised(short(each.definition, 110)),
  }))
  return {
    rank: 2,
    slide: slideOf('timeline', `What counts as what: from ${telling[0]?.name ?? ''} to ${word}`, {
      steps,
      notes: 'Each is a kind of the one before it.',
    }),
  }
}

const lists = {
  kinds: { title: (word: string) => `Kinds of ${word}`, head: 'Kind', rank: 1, least: 2 },
  parts: { title: (word: string) => `Parts of ${word}`, head: 'Part', rank: 1, least: 2 },
  substances: { title: (word: string) => `What is in ${word}`, head: 'Substance', rank: 2, least: 2 },
  members: { title: (word: string) => `What belongs to ${word}`, head: 'Member', rank: 2, least: 2 },
  instances: { title: (word: string) => `${capitalised(word)} by name`, head: 'Name', rank: 1, least: 3 },
  terms: { title: (word: string) => `Words of ${word}`, head: 'Word', rank: 2, least: 4 },
} as const

/** Returns a slide with the parts of the subject's own parts. Returns none for a single named
 *  thing such as a city, because the dictionary lists other places as the "parts" of a place. */
function insideSlide({ inside, called, isInstance }: WordFacts): RankedSlide | undefined {
  const rows = inside
    .flatMap(({ of, parts }) =>
      parts
        .slice(0, inside.length > 1 ? 4 : mostRows)
        .map(part => [capitalised(of), capitalised(part.name), capitalised(short(part.definition, 110))]),
    )
    .slice(0, mostRows)
  if (isInstance || rows.length < 3) return undefined
  return {
    rank: 2,
    slide: slideOf('table', inside.length === 1 ? `Inside the ${inside[0]?.of ?? ''}` : `Inside the parts of ${called}`, {
      table: { head: ['Part', 'Has', 'What it is'], rows },
      notes: 'Go one level down only where somebody asks; the next page leads back to the whole.',
    }),
  }
}

/** Returns a slide with a list of the subject's kinds, parts or the like: cards for up to six
 *  entries with short names, otherwise a table. When there are too many entries, those with the
 *  most kinds of their own are shown, and the notes say how many are left out. */
function listSlide(facts: WordFacts, which: keyof typeof lists): RankedSlide | undefined {
  const { title, head, rank, least } = lists[which]
  const all = facts[which].filter(({ definition }) => definition !== '')
  if (all.length < least) return undefined
  const chosen = [...all].sort((a, b) => b.below - a.below).slice(0, all.length <= 6 ? 6 : mostRows)
  const left = all.length - chosen.length
  const notes =
    left > 0
      ? `The dictionary has ${all.length}; these have the most kinds of their own, ${left} are left out.`
      : `All ${all.length} that the dictionary has.`
  const isShort = chosen.length <= 6 && chosen.every(({ name }) => name.length <= 40)
  if (isShort)
    return {
      rank,
      slide: slideOf('points', title(which === 'members' || which === 'parts' ? facts.called : facts.titleForm), {
        points: chosen.map(({ name, definition }) => `${capitalised(name)}: ${short(definition, 120)}`),
        notes,
      }),
    }
  const rows = chosen.map(({ name, definition }) => [capitalised(name), capitalised(short(definition, 120))])
  return {
    rank,
    slide: slideOf('table', title(which === 'members' || which === 'parts' ? facts.called : facts.titleForm), {
      table: { head: [head, 'What it is'], rows },
      notes,
    }),
  }
}

/** Returns a chart that shows how many kinds the dictionary lists below each kind of the subject.
 *  These numbers are facts, because they are counted. */
function kindsChart(facts: WordFacts): RankedSlide | undefined {
  const counted = facts.kinds
    .filter(({ below }) => below >= 2)
    .sort((a, b) => b.below - a.below)
    .slice(0, 6)
  if (counted.length < 3) return undefined
  const [first] = counted
  const total = facts.kinds.reduce((sum, { below }) => sum + below + 1, 0)
  return {
    rank: 2,
    slide: slideOf('chart', `Kinds of ${facts.titleForm}, counted`, {
      points: [`${total} kinds in all`, `${capitalised(first?.name ?? '')} has most: ${first?.below}`],
      chart: {
        kind: 'bar',
        labels: counted.map(({ name }) => capitalised(name)),
        series: [{ name: 'Kinds', values: counted.map(({ below }) => below) }],
      },
      source: `counted in ${dictionary}`,
      notes: 'The numbers count entries of the dictionary below each kind; they say nothing of how common the things are.',
    }),
  }
}

function nameList(all: readonly NamedKind[]): string {
  return all.length === 0 ? '–' : all.map(({ name }) => name).join(', ')
}

function kindsPhrase({ kinds }: WordFacts): string {
  const count = kinds.reduce((sum, { below }) => sum + below + 1, 0)
  return count === 0
    ? '–'
    : `${count}, such as ${kinds
        .slice(0, 3)
        .map(({ name }) => name)
        .join(', ')}`
}
