/** Finds further facts about a subject: the dictionary entries whose definitions mention it
 *  (grouped into people, places, events and words), and the years in these definitions. */
import { fullName, isFitForAll, type Mention, tidy, type WordFacts } from './entries.ts'
import { escaped, type Synset, type WordNet } from './wordnet.ts'

interface DatedMention extends Mention {
  year: number
  /** The year as shown on a slide: `1789`, `285 BC`. */
  shownYear: string
}

const mostRead = 400

/** Returns the entries whose definitions mention the subject. Entries with an early mention in a
 *  short definition come first. */
export function mentionsOf(facts: WordFacts, nouns: WordNet): Mention[] {
  const known = new Set(
    [
      facts.word,
      ...facts.alsoCalled,
      ...[facts.kinds, facts.parts, facts.substances, facts.members, facts.instances].flat().map(({ name }) => name),
    ].map(name => name.toLowerCase()),
  )
  const others = nouns.senses(facts.word).filter(({ offset }) => offset !== facts.synset.offset)
  const own = signatureOf(facts.synset, nouns)
  // Collects the typical words of the word's unrelated senses. A sense in the same class as the
  // subject is skipped, because it is closely related: "volcano" means a mountain, and also the
  // vent in such a mountain.
  const foreign = others.filter(({ lexicalFile }) => lexicalFile !== facts.synset.lexicalFile).map(other => signatureOf(other, nouns))
  // Entries that mention a class of people are mostly opinions about these people, so they are left
  // out.
  if (facts.synset.lexicalFile === 18 && !facts.isInstance) return []
  const phrases = phrasesOf(facts)
  const seen = new Set<number>()
  const scored: { mention: Mention; score: number }[] = []
  for (const phrase of phrases)
    for (const synset of nouns.mentions(phrase, mostRead)) {
      const [name = ''] = synset.words
      if (seen.has(synset.offset) || synset.offset === facts.synset.offset) continue
      seen.add(synset.offset)
      if (others.some(({ offset }) => offset === synset.offset) || !isFitForAll(synset) || isTaxon(synset)) continue
      if (facts.isInstance && isOfCompound(synset.definition, phrase, nouns)) continue
      const words = wordsIn(`${synset.definition} ${synset.words.join(' ')}`)
      const nearness = shared(words, own)
      if (foreign.some(other => shared(words, other) > nearness)) continue
      // When the word has several unrelated senses, an entry is only used if it shares a typical
      // word with the sense of the subject.
      if (foreign.length > 1 && !facts.isInstance && nearness === 0) continue
      scored.push({
        mention: mentionOf(synset, phrase, known.has(name.toLowerCase())),
        score: scoreOf(synset, phrase) + Math.min(2, nearness) * 0.3,
      })
    }
  return scored.sort((a, b) => b.score - a.score).map(({ mention }) => mention)
}

/** Returns the entries whose definitions contain a year, sorted by that year. Entries about people
 *  are left out, because their years are dates of birth and death. */
export function datedOf(mentions: readonly Mention[], subjectsName: string): DatedMention[] {
  const dated = mentions.filter(({ group }) => group !== 'people').flatMap(mention => yearIn(mention, subjectsName))
  return dated.filter(({ name }, k) => dated.findIndex(other => other.name === name) === k).sort((a, b) => a.year - b.year)
}

function yearIn(mention: Mention, subjectsName: string): DatedMention[] {
  const parts = mention.whole.split(/;\s*/)
  const at = parts.find(part => years.test(part))
  const match = at === undefined ? undefined : years.exec(at)
  if (!match || at === undefined) return []
  const digits = Number(match.groups?.year)
  const isBefore = match.groups?.before !== undefined
  const isSmall = digits < 100 && match.groups?.era === undefined && !isBefore
  if (isSmall || digits > 2020) return []
  const isOfSubject = at.includes(subjectsName)
  const definition = isOfSubject || at === parts[0] ? at : `${parts[0]}; ${at}`
  return [{ ...mention, definition, year: isBefore ? -digits : digits, shownYear: `${digits}${isBefore ? ' BC' : ''}` }]
}

/** Matches a year that stands alone, after a word or bracket that usually comes before a year. */
const years =
  /(?:\b(?:in|of|until|since|from|by|around|about|after|on|January|February|March|April|May|June|July|August|September|October|November|December)\s+|\(|,\s)(?<year>\d{2,4})(?:\s*(?<before>BC|B\.C\.)|\s*(?<era>AD|A\.D\.))?(?=\s*(?:[);,.-]|$|by\b|in\b|and\b|to\b|the\b|at\b|when\b|after\b|from\b|resulting\b))/

/** Returns the names by which a definition may mention the subject: the word, its plural in -ies,
 *  and its other names, if they are proper names or consist of several words. */
function phrasesOf({ word, alsoCalled, isInstance, synset }: WordFacts): string[] {
  const names = [
    word,
    ...(isInstance || synset.words.length > 1 ? alsoCalled.filter(other => other.includes(' ') || /^\p{Lu}/u.test(other)) : []),
  ]
  const plural = /[^aeiou]y$/.test(word) ? [word.replace(/y$/, 'ies')] : []
  return [...new Set([...names, ...plural])].filter(name => name.length > 2)
}

function mentionOf(synset: Synset, phrase: string, isListed: boolean): Mention {
  const whole = synset.definition.replace(/^\([^)]*\)\s*/, '').trim()
  const [first = '', ...rest] = whole.split(/;\s*/)
  const reported = first.includes(phrase) ? undefined : rest.find(part => part.includes(phrase))
  return {
    name: fullName(synset),
    definition: reported === undefined ? tidy(synset.definition) : `${first}; ${reported}`,
    whole,
    group: groupOf(synset),
    isListed,
  }
}

/** True when the phrase is only a part of another name in the definition: in `plaster of Paris`,
 *  Paris is not the city. */
function isOfCompound(definition: string, phrase: string, nouns: WordNet): boolean {
  const before = new RegExp(`(\\p{L}+) of ${escaped(phrase)}`, 'u').exec(definition)
  return before !== null && nouns.senses(before[0]).length > 0
}

function groupOf({ lexicalFile }: Synset): Mention['group'] {
  if (lexicalFile === 18) return 'people'
  if (lexicalFile === 15) return 'places'
  return lexicalFile === 4 || lexicalFile === 11 || lexicalFile === 28 ? 'events' : 'words'
}

function scoreOf({ definition, words }: Synset, phrase: string): number {
  const at = definition.indexOf(phrase)
  const [first = ''] = definition.split(/;\s*/)
  const isExample = /\((?:as|e\.g|especially|such as|for example)[^)]*$/.test(definition.slice(0, at))
  const isOther = /\b(?:resembling|resembles|like|instead of|unlike|other than|not|lacking|without|rather than|opposed to)\b[^;]*$/.test(
    definition.slice(0, at),
  )
  const isNamedSo = words.some(word => word.toLowerCase().includes(phrase.toLowerCase()))
  return (
    (at < first.length ? 1 : -1) +
    (isNamedSo ? 0.3 : 0) -
    (at / definition.length) * 0.5 -
    first.length / 200 -
    (isExample ? 1.5 : 0) -
    (isOther ? 2 : 0)
  )
}

/** True for Latin names of groups of living things. */
function isTaxon({ lexicalFile, words }: Synset): boolean {
  return (lexicalFile === 5 || lexicalFile === 20) && /^\p{Lu}/u.test(words[0] ?? '')
}

/** Returns the words that are typical of a sense, from its definition and related entries. */
function signatureOf(synset: Synset, nouns: WordNet): Set<string> {
  const near = nouns.related(synset, '@', '@i', '%p', '#p', '~', ';c').slice(0, 40)
  const own = new Set(synset.words.flatMap(word => [...wordsIn(word)]))
  const all = wordsIn([synset.definition, ...near.flatMap(each => [each.words.join(' '), each.definition])].join(' '))
  return new Set([...all].filter(word => !own.has(word)))
}

function wordsIn(text: string): Set<string> {
  return new Set(
    (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map(word => word.replace(/(?:e?s|ing|ed)$/, '')).filter(word => !usual.test(word)),
  )
}

const usual =
  /^(?:with|that|from|which|used|usual|usually|having|hav|some|such|have|their|into|other|made|mak|person|someone|something|especially|consist|form|part|kind|larg|small|most|often|than|being|more|very|they|when|where|whose|this)$/

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0
  for (const word of one) if (other.has(word)) count += 1
  return count
}
