/** Looks up the nouns of a title in the dictionary. */
import { fullName, isFitForAll, type Mention, type NamedKind, tidy, type WordFacts } from './entries.ts'
import { mentionsOf } from './mentions.ts'
import { escaped, type Synset, type WordNet } from './wordnet.ts'

/** Returns the facts about a phrase. When the dictionary lacks the whole phrase, the part of the
 *  phrase before the first preposition is looked up, then the same part without its first word, and
 *  so on; then the parts after the prepositions. Undefined when nothing is found. `context` is the
 *  title, whose other words help to choose between several senses. */
export function factsOf(phrase: string, nouns: WordNet, context: string): WordFacts | undefined {
  const clean = phrase
    .replace(/[^\p{L}\p{N}\s'’.-]/gu, ' ')
    .trim()
    .replace(/^the\s+/i, '')
  const parts = [
    clean,
    ...clean.split(
      /\s+(?:in|on|at|for|of|with|from|to|by|about|without|under|and|into|through|as|during|after|before)\s+(?:the\s+|a\s+|an\s+)?/i,
    ),
  ]
  for (const [k, part] of parts.entries()) {
    const words = part.split(/\s+/).filter(word => word !== '')
    // The first part is the whole phrase, which is only looked up unchanged. Every other part is
    // also looked up without its first word, its first two words, and so on.
    for (let from = 0; from < (k === 0 ? 1 : words.length); from++) {
      const found = sensesOf(words.slice(from).join(' '), nouns)
      if (found && (words.length > from + 1 || !isLight(found.word)))
        return askedAs(words.slice(from).join(' '), describe(found.word, found.senses, nouns, context))
    }
  }
  return undefined
}

/** Returns the facts with the word in the form (singular or plural) that the title uses. */
function askedAs(written: string, facts: WordFacts): WordFacts {
  const requested = written.toLowerCase()
  if (/^\p{Lu}/u.test(facts.word) && written === facts.word) return facts
  return { ...facts, titleForm: requested, called: requested === facts.word ? facts.called : requested }
}

/** Returns the senses of a phrase; a phrase in the plural is also looked up in the singular. */
function sensesOf(phrase: string, nouns: WordNet): { word: string; senses: Synset[] } | undefined {
  const isShort = /^\p{Lu}{2,4}$/u.test(phrase)
  const joined = phrase.includes(' ') ? [phrase.replaceAll(' ', ''), phrase.replaceAll(' ', '-')] : []
  for (const word of [phrase, ...joined].flatMap(each => [each, ...singulars(each)])) {
    // Letters, numbers and symbols, which the dictionary also contains, are not subjects of talks.
    if (!/\p{L}.*\p{L}/u.test(word)) continue
    // An abbreviation must match in capitals: `AI` must not find the sloth `ai`.
    const senses = nouns.senses(word).filter(({ words }) => !isShort || words.includes(phrase))
    if (senses.length > 0) return { word, senses }
  }
  return undefined
}

function describe(requested: string, senses: Synset[], nouns: WordNet, context: string): WordFacts {
  const synset = chooseSense(requested, senses, nouns, context)
  const word = synset.words.find(each => each.toLowerCase() === requested.toLowerCase()) ?? requested.toLowerCase()
  const named = (...signs: string[]) => namedOf(nouns.related(synset, ...signs), nouns)
  const above: Synset[] = []
  for (let each: Synset | undefined = nouns.related(synset, '@', '@i')[0]; each && above.length < 12; each = nouns.related(each, '@')[0])
    above.push(each)
  const isInstance = synset.pointers.some(({ sign }) => sign === '@i')
  const [nearest] = above
  const facts: WordFacts = {
    word,
    titleForm: word,
    called: word,
    synset,
    senses: senses.length,
    definition: tidy(synset.definition),
    whole: wholeOf(synset.definition),
    alsoCalled: synset.words.filter(other => other.toLowerCase() !== word.toLowerCase()),
    classes: above.map(each => nameOf(each, nouns)),
    // For a class of people, the kinds in the dictionary are mostly labels that others gave to
    // these people. So these kinds are left out.
    kinds: synset.lexicalFile === 18 && !isInstance ? [] : named('~'),
    parts: named('%p'),
    substances: named('%s'),
    members: named('%m'),
    instances: named('~i'),
    terms: named('-c'),
    isInstance,
    siblings: nearest
      ? nearestFirst(
          nouns.related(nearest, isInstance ? '~i' : '~').filter(({ offset }) => offset !== synset.offset),
          synset,
          nouns,
        )
      : [],
    inherited: isInstance
      ? []
      : above
          .slice(0, 2)
          .map(each => ({ of: each.words[0] ?? '', parts: namedOf(nouns.related(each, '%p'), nouns) }))
          .filter(({ parts }) => parts.length > 0),
    inside: nouns
      .related(synset, '%p')
      .filter(isFitForAll)
      .map(each => ({ of: each.words[0] ?? '', parts: namedOf(nouns.related(each, '%p'), nouns) }))
      .filter(({ parts }) => parts.length > 1)
      .sort((a, b) => b.parts.length - a.parts.length),
    mentions: [],
  }
  const mentions = mentionsOf(facts, nouns)
  return { ...facts, mentions, ...(hasArticle(facts, mentions) ? { called: `the ${word}` } : {}) }
}

/** True when sentences need "the" before the word. Either most definitions have "the" before it,
 *  because there is only one (`the solar system`); or the word is a countable animal, thing or body
 *  part, and "the" stands for all of its kind (`the lighthouse`). */
function hasArticle({ word, synset, classes, isInstance }: WordFacts, mentions: readonly Mention[]): boolean {
  if (isInstance || /^\p{Lu}/u.test(synset.words[0] ?? '')) return false
  // Matches only where the word is not the first part of a compound, such as "silk" in "a silk
  // scarf".
  const after = '(?=$|[;,.:)]|\\s(?:of|in|on|for|to|that|which|with|and|or|from|at|by|is|has|as|used)\\b)'
  const count = (article: string) =>
    mentions.filter(({ whole }) => new RegExp(`\\b${article} ${escaped(word)}${after}`, 'u').test(whole)).length
  const [withThe, withA] = [count('the'), count('an?')]
  const isStuff = classes.some(({ name }) => /^(?:fabric|clothing|material|covering)$/.test(name))
  const isCounted = !isStuff && [5, 6, 8].includes(synset.lexicalFile) && /^(?:an?|any) /.test(tidy(synset.definition)) && withA > 0
  return isCounted || (withThe >= 4 && withThe > mentions.length / 2 && withThe > 2 * withA)
}

function namedOf(synsets: readonly Synset[], nouns: WordNet): NamedKind[] {
  return unique(synsets.filter(isFitForAll).map(each => nameOf(each, nouns)))
}

/** Sorts dictionary entries by how many words their definitions share with the subject's
 *  definition, most first. */
function nearestFirst(synsets: readonly Synset[], subject: Synset, nouns: WordNet): NamedKind[] {
  const reported = new Set(contentWords(subject.definition))
  const scored = synsets.map(each => ({ each, score: contentWords(each.definition).filter(word => reported.has(word)).length }))
  return namedOf(
    scored.sort((a, b) => b.score - a.score).map(({ each }) => each),
    nouns,
  )
}

/** Returns the sense with the highest score. Each word of the title in the definition and
 *  related words of a sense counts most; a sense whose main name is the word, and a more common
 *  sense, score higher, too. */
function chooseSense(word: string, senses: Synset[], nouns: WordNet, context: string): Synset {
  const reported = contentWords(context).filter(each => !word.toLowerCase().includes(each))
  const isName = /^\p{Lu}/u.test(word)
  const scores = senses.slice(0, 6).map((sense, k) => {
    const near = [sense, ...nouns.related(sense, '@', '@i', '~', '%p', '#p', ';c')]
      .flatMap(each => [...each.words, each.definition])
      .join(' ')
      .toLowerCase()
    const shared = reported.filter(each => near.includes(each)).length
    const isFirst = sense.words[0]?.toLowerCase() === word.toLowerCase()
    const isInstance = sense.pointers.some(({ sign }) => sign === '@i')
    // In a talk about how something works, a sense that is a thing with parts is more likely than a
    // sense that is an idea.
    const isOfParts = working.test(context) && (sense.pointers.some(({ sign }) => sign === '%p') || sense.lexicalFile === 6)
    // When the title has no other words ("Heart"), the sense that is a body part is more likely.
    const isOfBody = reported.length === 0 && sense.lexicalFile === 8
    const hinted = fields.some(([hint, file]) => file === sense.lexicalFile && hint.test(context))
    // An abbreviation in the dictionary is mostly an office of the United States, which is rarely
    // the subject of a talk.
    const isOffice = /^\p{Lu}{2,4}$/u.test(word) && /\bUnited States\b/.test(sense.definition)
    return (
      shared * 2 -
      (isOffice ? 1 : 0) +
      (hinted ? 1.5 : 0) +
      (isOfParts ? 1.5 : 0) +
      (isOfBody ? 0.6 : 0) +
      (isFirst ? 0.7 : 0) +
      (isInstance === isName ? 0.2 : 0) -
      k * 0.5
    )
  })
  return senses[scores.indexOf(Math.max(...scores))] as Synset
}

const working = /\bhow\b.*\b(?:works?|worked|functions?|operates?|(?:is|are) (?:made|built))\b/i

/** Words of a title that hint at a class, with the number of that class (`lexicalFile`). A sense of
 *  this class is preferred. */
const fields: readonly (readonly [RegExp, number])[] = [
  [/\b(?:human|body|anatomy)\b/i, 8],
  [/\b(?:animals?|wild|species)\b/i, 5],
  [/\b(?:plants?|garden|botany)\b/i, 20],
  [/\b(?:food|recipes?|cook\w*|eat\w*|drink\w*|kitchen)\b/i, 13],
  [/\b(?:city|country|travel\w*|visit\w*|trip)\b/i, 15],
]

function nameOf(synset: Synset, nouns: WordNet): NamedKind {
  return { name: fullName(synset), definition: tidy(synset.definition), below: countBelow(synset, nouns, new Set()) }
}

/** Returns the number of all entries below `synset` (its kinds, their kinds and so on), each
 *  counted once, up to 2000. */
function countBelow(synset: Synset, nouns: WordNet, seen: Set<number>): number {
  for (const { sign, offset } of synset.pointers) {
    if (sign !== '~' || seen.has(offset) || seen.size > 2000) continue
    seen.add(offset)
    countBelow(nouns.synset(offset), nouns, seen)
  }
  return seen.size
}

function wholeOf(definition: string): string {
  const plain = definition
    .replace(/^\([^)]*\)\s*/, '')
    .replace(/\s*\([^)]{60,}\)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  let kept = ''
  for (const part of plain.split(/;\s*/)) {
    if (kept !== '' && kept.length + part.length > 320) break
    kept += kept === '' ? part : `; ${part}`
  }
  return kept
}

function unique(all: NamedKind[]): NamedKind[] {
  return all.filter(({ name }, k) => name !== '' && all.findIndex(other => other.name === name) === k)
}

function singulars(phrase: string): string[] {
  const endings: [RegExp, string][] = [
    [/ies$/, 'y'],
    [/ves$/, 'f'],
    [/(s|x|z|ch|sh|o)es$/, '$1'],
    [/men$/, 'man'],
    [/s$/, ''],
  ]
  return endings.filter(([ending]) => ending.test(phrase)).map(([ending, instead]) => phrase.replace(ending, instead))
}

/** True for words that say little about a subject by themselves. */
function isLight(word: string): boolean {
  return /^(a|an|the|of|in|on|at|by|to|it|its|one|two|three|be|is|are|do|does|was|were|can|who|what|why|how|i|us|he|she|his|her|as|no|new|way|ways|thing|things|part|use|good|bad|best|top|need|day|year|time|world|today|work)$/i.test(
    word,
  )
}

function contentWords(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter(
    word =>
      !/^(the|and|for|with|from|that|this|what|how|why|are|was|our|your|their|its|into|about|between|does|can)$/.test(word) &&
      !isLight(word),
  )
}
