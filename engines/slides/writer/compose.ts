/** Writes a deck from a title alone. Its slides hold facts from the dictionary, if the dictionary
 *  has the subject, and questions that a talk of this kind should answer. */
import type { SearchRecord } from '@generation-gateway/kit/requests/search.ts'
import type { Slide, SlidesWriteResult } from '@generation-gateway/kit/requests/slides.ts'
import { domainOf } from './domains.ts'
import type { WordFacts } from './entries.ts'
import { dictionary, type RankedSlide } from './fact-slide.ts'
import { comparisonSlides, factSlides, workingSlides } from './fact-slides.ts'
import { factsOf } from './facts.ts'
import { capitalised, type Frame, shownOf, slideOf } from './frame.ts'
import { indexSlides } from './index-slides.ts'
import { tongues, type WriterLanguage } from './languages.ts'
import { type Topic, type TopicKind, topicOf } from './topic.ts'
import { escaped, type WordNet } from './wordnet.ts'

interface DeckRequest {
  title: string
  language: 'en' | 'zh'
  /** Approximate number of slides, 3 to 40; when absent, as many as there is content for. */
  slides?: number
  /** Dictionary; absent when its pack is not installed. */
  nouns?: WordNet
  /** Search results for the title. */
  found?: readonly SearchRecord[]
}

/** Largest number of slides of a deck when the request sets no length. */
const usualMost = 14
/** When a deck has this many slides with facts, nearly all general slides get rank 3, so that only
 *  a longer deck has them. */
const enoughFacts = 4
/** Largest number of slides of facts when the request sets no length. `told` applies to a title
 *  that only names a subject; `asked` to a title that asks a question about its subject
 *  (history, effect, how it works). */
const mostFacts = { told: 9, asked: 5 }

/** Writes the deck. The `comment` of the result names the sources of the deck's contents. */
export function composeDeck({ title: given, language, slides: requested, nouns, found = [] }: DeckRequest): SlidesWriteResult {
  const title = given
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const tongue = tongues[language]
  const titled = topicOf(title, language)
  const known = language === 'en' && nouns && !isWork(titled) ? factsOf(titled.subject, nouns, title) : undefined
  const otherFacts = language === 'en' && nouns && titled.other !== undefined ? factsOf(titled.other, nouns, title) : undefined
  const settled = settle(titled, known)
  const facts = known && !isDoing(known, titled.subject) ? calledAs(known, settled) : undefined
  const topic = facts && isOneAndBare(facts, settled) ? { ...settled, subject: facts.called } : settled
  const read = indexSlides(topic.subject, found, language)
  const usual = asksMore(topic) ? mostFacts.asked : mostFacts.told
  const reported = [...limited(factsOn(topic, facts, otherFacts), requested === undefined ? usual : Number.POSITIVE_INFINITY), ...read]
  const framed = framesOf(topic, tongue, language, reported.filter(({ rank }) => rank < 3).length >= enoughFacts).map(
    (frame): RankedSlide => ({ rank: frame.rank, slide: slideOf(frame, topic, tongue.origin) }),
  )
  const all = [...reported, ...framed]
  // Slides of rank 3 are only used to reach a requested length.
  const slides = requested ?? Math.min(usualMost, 3 + all.filter(({ rank }) => rank < 3).length)
  const hasAgenda = slides >= 6
  const hasSections = slides >= 12 && reported.length >= 4
  const room = slides - 2 - (hasAgenda ? 1 : 0) - (hasSections ? 2 : 0)
  const chosen = choose(all, room)
  const factPart = chosen.filter(each => reported.includes(each)).map(({ slide }) => slide)
  const framePart = chosen.filter(each => !reported.includes(each)).map(({ slide }) => slide)
  const section = (name: string, notes: string): Slide => ({ layout: 'section', title: name, points: [], notes })
  // A lesson begins with its learning goal.
  const lead = topic.kind === 'lesson' ? framePart.splice(0, 1) : []
  const body =
    hasSections && framePart.length > 0
      ? [...lead, section(tongue.facts, tongue.notes.facts), ...factPart, section(tongue.questions, tongue.notes.questions), ...framePart]
      : [...lead, ...factPart, ...framePart]
  const shown = capitalised(shownOf(topic))
  const agenda: Slide = { layout: 'agenda', title: tongue.agenda, points: agendaOf(body), notes: tongue.notes.agenda }
  const made: Slide[] = [
    {
      layout: 'title',
      title: topic.title,
      subtitle: tongue.subtitles[topic.kind],
      points: [],
      picture: shown,
      notes: tongue.notes.welcome,
    },
    ...(hasAgenda ? [agenda] : []),
    ...body,
    { layout: 'closing', title: tongue.closing.title, subtitle: tongue.closing.subtitle, points: [], notes: tongue.notes.closing },
  ]
  return {
    title: topic.title,
    language,
    slides: made,
    comment: commentOn({
      ...{ told: reported.length - read.length, read: read.length > 0 ? found.length : 0, facts, other: otherFacts },
      isLookedUp: !isWork(titled),
      language,
    }),
  }
}

/** True for plans, reports, products, companies and cases. Facts of the dictionary about the words
 *  in such titles would not help, so the dictionary is not searched. */
function isWork({ kind }: Topic): boolean {
  return kind === 'report' || kind === 'plan' || kind === 'product' || kind === 'company' || kind === 'case'
}

/** True for topics that are about knowledge. All other topics are about actions, so their decks end
 *  with a slide about next steps. */
function isKnowledge({ kind }: Topic): boolean {
  return ['thing', 'idea', 'living', 'nature', 'place', 'person', 'event'].includes(kind) || asksMore({ kind })
}

/** True for topics that ask a question about their subject. The general slides for this question
 *  are then kept even when there are many facts. */
function asksMore({ kind }: Pick<Topic, 'kind'>): boolean {
  return ['history', 'lesson', 'question', 'effect', 'working'].includes(kind)
}

/** Returns the facts with `called`, the name of the subject in sentences, set to the title's own
 *  words and article. The dictionary's name is kept when the title lacks a needed "the". */
function calledAs(facts: WordFacts, topic: Topic): WordFacts {
  const isNamedSo = isKnowledge(topic) && sameWords(facts.word, topic.subject.replace(/^(?:the|an?) /, ''))
  return isNamedSo && !isOneAndBare(facts, topic) ? { ...facts, called: topic.subject } : facts
}

/** True when the dictionary's name of the subject is unique and needs "the" in a sentence, but the
 *  title has no article: the facts are called `the solar system`, the subject is `solar system`. */
function isOneAndBare({ called }: WordFacts, { subject }: Topic): boolean {
  return called === `the ${subject}`
}

/** Returns the slides; the `most` best ones keep their rank, and all others get rank 3, with which
 *  they appear only in a longer deck. */
function limited(slides: readonly RankedSlide[], most: number): RankedSlide[] {
  const kept = new Set([...slides].sort((a, b) => a.rank - b.rank).slice(0, most))
  return slides.map(each => (kept.has(each) ? each : { ...each, rank: 3 }))
}

/** Returns the general slides (frames) for a topic: first those of its field, then those of its
 *  kind. */
function framesOf(
  topic: Topic,
  { frames, domains, extra, knowledge, common }: WriterLanguage,
  language: 'en' | 'zh',
  hasFacts: boolean,
): Frame[] {
  const domain = domainOf(topic.title, topic.kind, language)
  const own = (domain && domains[topic.kind]?.[domain]) ?? []
  const general = frames[topic.kind].map(frame => (own.length > 0 ? { ...frame, rank: 3 as const } : frame))
  const both = merged(topic, general, extra[topic.kind] ?? [])
  if (!isKnowledge(topic)) return [...own, ...both, ...common]
  const requested = asksMore(topic)
  const rankOf = ({ rank, withFacts }: Frame, k: number) => (hasFacts ? (withFacts ?? (requested ? rank : k === 0 ? 2 : 3)) : rank)
  const isFull = hasFacts || both.filter(({ rank }) => rank < 3).length >= 8
  return [
    ...both.map((frame, k): Frame => ({ ...frame, rank: rankOf(frame, k) })),
    // The first frame asks "What is it? Since when? How many?", which makes no sense for a person.
    ...knowledge.slice(topic.kind === 'person' ? 1 : 0).map((frame): Frame => (isFull ? { ...frame, rank: 3 } : frame)),
    ...common.map((frame): Frame => ({ ...frame, rank: 3 })),
  ]
}

/** Returns the general frames of the topic's kind with the additional ones (tables, charts) among
 *  them. A report begins with the first additional frame. In a plan, the additional frames follow
 *  the first three general ones, so that milestones come after the phases. In any other deck, they
 *  follow the first general one. */
function merged({ kind }: Topic, general: readonly Frame[], added: readonly Frame[]): Frame[] {
  if (kind === 'report') return [...added.slice(0, 1), ...general.slice(0, 1), ...added.slice(1), ...general.slice(1)]
  const before = kind === 'plan' ? 3 : 1
  return [...general.slice(0, before), ...added, ...general.slice(before)]
}

function factsOn(topic: Topic, facts: WordFacts | undefined, other: WordFacts | undefined): RankedSlide[] {
  // For a process ("baking bread"), the dictionary is searched for the object, not the action.
  const phrase = topic.kind === 'process' ? topic.subject.replace(/^\S+\s+/, '') : topic.subject
  const [isOn, isOnOther] = [facts && isAbout(facts, phrase), other && isAbout(other, topic.other ?? '')]
  if (topic.kind === 'comparison' || topic.kind === 'process') {
    const both = [...(facts && isOn ? definitions(facts) : []), ...(other && isOnOther ? definitions(other) : [])]
    return facts && other && isOn && isOnOther ? [...both, ...comparisonSlides(facts, other)] : both
  }
  // When the dictionary has only a part of the phrase ("learning" for "machine learning"), its
  // facts about that part are not facts about the subject. So only the definition of the part is
  // used.
  const own = facts ? (isOn ? onSubject(facts, topic) : definitionBeside(facts)) : []
  return other ? [...own, ...definitions(other)] : own
}

function onSubject(facts: WordFacts, { kind }: Topic): RankedSlide[] {
  return kind === 'working' ? workingSlides(facts) : factSlides(facts)
}

/** True when the word is an action in this title: in `working from home`, "working" is not the noun
 *  of the dictionary, which means a part of a mine. */
function isDoing({ word }: WordFacts, subject: string): boolean {
  return /ing$/.test(word) && new RegExp(`^${escaped(word)} \\p{L}`, 'iu').test(subject)
}

/** Returns a slide with the definition of a word that is only a part of the phrase. Returns none
 *  for a word below four letters, because short words have too many meanings. */
function definitionBeside(facts: WordFacts): RankedSlide[] {
  return facts.word.length < 4 ? [] : definitions(facts).map((each): RankedSlide => ({ ...each, rank: 2 }))
}

/** True when the facts are about the whole phrase: the dictionary's word equals the phrase, or its
 *  part before the first preposition. A proper name always counts. */
function isAbout({ word, titleForm, isInstance }: WordFacts, phrase: string): boolean {
  const [head = ''] = phrase
    .replace(/^(?:the|an?)\s+/i, '')
    .split(/\s+(?:in|on|at|for|of|with|from|to|by|about|without|under|and|into|through|as|during|after|before)\s+/i)
  return isInstance || head.toLowerCase() === titleForm.toLowerCase() || sameWords(word, head)
}

function definitions(facts: WordFacts): RankedSlide[] {
  return factSlides(facts).slice(0, 1)
}

/** Returns the topic, corrected with the dictionary's facts. The kind is corrected because a title
 *  of a single noun does not show it; the spelling of the subject is corrected so that a name keeps
 *  its capitals. */
function settle(topic: Topic, facts: WordFacts | undefined): Topic {
  const subject =
    facts &&
    !facts.isInstance &&
    sameWords(facts.word, topic.subject) &&
    !/\p{Lu}{2}/u.test(topic.subject) &&
    !/\p{Lu}/u.test(facts.synset.words[0] ?? '')
      ? topic.subject.toLowerCase()
      : topic.subject
  const spoken = withArticle(facts?.isInstance ? capitalisedWords(subject, facts) : subject, topic)
  const settled = { ...topic, subject: spoken }
  if (topic.kind !== 'thing' || !facts || !sameWords(facts.word, topic.subject)) return settled
  return { ...settled, kind: kindOf(facts) }
}

/** Returns the subject with the article that the title has before it: `the bicycle`, `a bicycle`;
 *  unchanged when the title has none. */
function withArticle(subject: string, { kind, title }: Topic): string {
  const isOne = isKnowledge({ kind, title, subject }) || kind === 'comparison'
  const article = isOne ? new RegExp(`\\b(the|an?) ${escaped(subject)}(?!\\p{L})`, 'iu').exec(title)?.[1] : undefined
  return article === undefined ? subject : `${article.toLowerCase()} ${subject}`
}

function kindOf({ synset, isInstance }: WordFacts): TopicKind {
  switch (synset.lexicalFile) {
    case 5:
    case 20:
      return 'living'
    case 4:
    case 11:
    case 28:
      return isInstance ? 'event' : 'idea'
    case 15:
      return isInstance ? 'place' : 'thing'
    case 18:
      return isInstance ? 'person' : 'thing'
    case 17:
    case 19:
    case 22:
      return 'nature'
    case 6:
    case 8:
    case 13:
    case 27:
      return 'thing'
    default:
      return 'idea'
  }
}

/** Returns the subject with the capitals that the dictionary uses for a name. */
function capitalisedWords(subject: string, { synset }: WordFacts): string {
  return synset.words.find(word => word.toLowerCase() === subject.toLowerCase()) ?? capitalised(subject)
}

function sameWords(word: string, subject: string): boolean {
  return Math.abs(word.length - subject.length) <= 3 && subject.toLowerCase().startsWith(word.toLowerCase().slice(0, -2))
}

/** Returns the slides with the lowest (most important) ranks that fit, in their original order. */
function choose(all: readonly RankedSlide[], room: number): RankedSlide[] {
  const kept = new Set([...all].sort((a, b) => a.rank - b.rank).slice(0, Math.max(1, room)))
  return all.filter(each => kept.has(each))
}

function agendaOf(body: readonly Slide[]): string[] {
  const titles = body.filter(({ layout }) => layout !== 'section').map(({ title }) => title)
  const every = Math.ceil(titles.length / 10)
  return titles.filter((_title, k) => k % every === 0)
}

interface DeckSources {
  /** Number of slides that contain facts from the dictionary. */
  told: number
  /** Number of search records; 0 when no slide was made from them. */
  read: number
  facts: WordFacts | undefined
  other: WordFacts | undefined
  /** True when the dictionary was searched. */
  isLookedUp: boolean
  language: 'en' | 'zh'
}

function commentOn({ told, read, facts, other, isLookedUp, language }: DeckSources): string {
  const words = [facts?.word, other?.word].filter(word => word !== undefined).map(word => `"${word}"`)
  const sources = [
    ...(told > 0 ? [`the facts on ${words.join(' and ')} from ${dictionary}`] : []),
    ...(read > 0 ? [`what ${read} records of the search index say`] : []),
  ]
  const lack = language === 'zh' ? '; it has no dictionary of Chinese' : isLookedUp ? '; its dictionary has nothing on the title' : ''
  const made = sources.length === 0 ? `made this deck of its own outline${lack}` : `took ${sources.join(', and ')}`
  return `The built-in writer ${made}. All else is advice on method, examples that are marked as such, and questions to answer: no figure and no date is made up.`
}
