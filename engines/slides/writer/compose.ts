/** A deck from a title alone: facts of the dictionary where it has some, and the questions that a talk of its kind has to answer. */
import type { SearchRecord } from '@generation-gateway/kit/requests/search.ts'
import type { Slide, SlidesWriteResult } from '@generation-gateway/kit/requests/slides.ts'
import { domainOf } from './domains.ts'
import type { Facts } from './entries.ts'
import { dictionary, type RankedSlide } from './fact-slide.ts'
import { comparisonSlides, factSlides } from './fact-slides.ts'
import { factsOf } from './facts.ts'
import { capitalised, type Frame, shownOf, slideOf } from './frame.ts'
import { commonEnglish, englishFrames } from './frames/en.ts'
import { englishDomains } from './frames/en-domains.ts'
import { chineseExtra, englishExtra } from './frames/extra.ts'
import { chineseFrames, commonChinese } from './frames/zh.ts'
import { chineseDomains } from './frames/zh-domains.ts'
import { foundSlides } from './from-index.ts'
import { type Topic, type TopicKind, topicOf } from './topic.ts'
import { escaped, type WordNet } from './wordnet.ts'

export interface Wanted {
  title: string
  language: 'en' | 'zh'
  /** About how many, 3 to 40; absent: as many as there is something to say. */
  slides?: number
  /** Absent where the pack is not there. */
  nouns?: WordNet
  /** Of a search on the title. */
  found?: readonly SearchRecord[]
}

/** Of a deck whose length is left open. */
const usualMost = 14
/** Slides of facts that a deck can stand on: questions only end it. */
const enoughFacts = 4

interface Tongue {
  frames: Readonly<Record<TopicKind, readonly Frame[]>>
  /** Of one field; they come before the frames of the kind. */
  domains: typeof englishDomains
  /** Of a kind: tables, and charts that are examples. */
  extra: typeof englishExtra
  common: readonly Frame[]
  subtitles: Readonly<Record<TopicKind, string>>
  agenda: string
  facts: string
  questions: string
  closing: { title: string; subtitle: string }
  /** Where the text of a frame is from, for the notes. */
  origin: string
  welcome: string
}

const tongues: Readonly<Record<'en' | 'zh', Tongue>> = {
  en: {
    frames: englishFrames,
    domains: englishDomains,
    extra: englishExtra,
    common: commonEnglish,
    subtitles: {
      ...{
        process: 'Step by step',
        comparison: 'Side by side',
        question: 'A question to work through',
        report: 'Plan, result and what comes next',
      },
      ...{
        plan: 'From a goal to the next steps',
        product: 'What it is for, and for whom',
        lesson: 'An introduction',
        effect: 'What changes, and for whom',
      },
      ...{
        history: 'From the beginning to today',
        event: 'What led to it, and what it led to',
        company: 'Who we are, and what we do',
        person: 'A life and its traces',
        place: 'A portrait',
        living: 'A closer look',
        nature: 'What happens, and why',
        thing: 'A closer look',
        idea: 'An idea and its edges',
      },
    },
    agenda: 'What we will look at',
    facts: 'The facts',
    questions: 'The questions',
    closing: { title: 'Thank you', subtitle: 'What would you like to know?' },
    origin: 'Advice and questions of the built-in writer; it claims no facts on the subject.',
    welcome: 'Say who you are, and why this matters to you.',
  },
  zh: {
    frames: chineseFrames,
    domains: chineseDomains,
    extra: chineseExtra,
    common: commonChinese,
    subtitles: {
      ...{
        process: '一步一步来',
        comparison: '放在一起看',
        question: '一起寻找答案',
        report: '计划、结果与下一步',
        plan: '从目标到行动',
        product: '做什么，为谁做',
      },
      ...{
        lesson: '入门讲解',
        effect: '改变什么，影响谁',
        history: '从起源到今天',
        event: '前因与后果',
        company: '我们是谁，做什么',
        person: '人物与足迹',
        place: '走近这里',
        living: '仔细看一看',
        nature: '观察与思考',
        thing: '仔细看一看',
        idea: '概念与边界',
      },
    },
    agenda: '目录',
    facts: '认识',
    questions: '思考',
    closing: { title: '谢谢', subtitle: '欢迎提问' },
    origin: '本页是内置写作程序给出的方法与问题，不陈述关于主题的事实。',
    welcome: '介绍自己，并说明为什么选择这个题目。',
  },
}

/** The deck; `comment` says what it is made of. */
export function composeDeck({ title: given, language, slides: asked, nouns, found = [] }: Wanted): SlidesWriteResult {
  const title = given
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const tongue = tongues[language]
  const titled = topicOf(title, language)
  const known = language === 'en' && nouns && !isWork(titled) ? factsOf(titled.subject, nouns, title) : undefined
  const otherFacts = language === 'en' && nouns && titled.other !== undefined ? factsOf(titled.other, nouns, title) : undefined
  const topic = settle(titled, known)
  const facts =
    known && isKnowledge(topic) && sameWords(known.word, topic.subject.replace(/^the /, '')) ? { ...known, called: topic.subject } : known
  const read = foundSlides(topic.subject, found, language)
  const told = [...factsOn(topic, facts, otherFacts), ...read]
  const framed = framesOf(topic, tongue, language, told.filter(({ rank }) => rank < 3).length >= enoughFacts).map(
    (frame): RankedSlide => ({ rank: frame.rank, slide: slideOf(frame, topic, tongue.origin) }),
  )
  const all = [...told, ...framed]
  // What is of the last rank only fills a deck that was asked to be long.
  const slides = asked ?? Math.min(usualMost, 3 + all.filter(({ rank }) => rank < 3).length)
  const hasAgenda = slides >= 6
  const hasSections = slides >= 12 && told.length >= 4
  const room = slides - 2 - (hasAgenda ? 1 : 0) - (hasSections ? 2 : 0)
  const chosen = choose(all, room)
  const factPart = chosen.filter(each => told.includes(each)).map(({ slide }) => slide)
  const framePart = chosen.filter(each => !told.includes(each)).map(({ slide }) => slide)
  const section = (name: string): Slide => ({ layout: 'section', title: name, points: [], notes: '' })
  // A lesson says first what it is for.
  const lead = topic.kind === 'lesson' ? framePart.splice(0, 1) : []
  const body =
    hasSections && framePart.length > 0
      ? [...lead, section(tongue.facts), ...factPart, section(tongue.questions), ...framePart]
      : [...lead, ...factPart, ...framePart]
  const shown = capitalised(shownOf(topic))
  const agenda: Slide = { layout: 'agenda', title: tongue.agenda, points: agendaOf(body), notes: '' }
  const made: Slide[] = [
    { layout: 'title', title: topic.title, subtitle: tongue.subtitles[topic.kind], points: [], picture: shown, notes: tongue.welcome },
    ...(hasAgenda ? [agenda] : []),
    ...body,
    { layout: 'closing', title: tongue.closing.title, subtitle: tongue.closing.subtitle, points: [], notes: '' },
  ]
  return {
    title: topic.title,
    language,
    slides: made,
    comment: commentOn({ told: told.length - read.length, read: read.length > 0 ? found.length : 0, facts, other: otherFacts, language }),
  }
}

/** Plans and reports are about what is meant to happen, not about what their words mean. */
function isWork({ kind }: Topic): boolean {
  return kind === 'report' || kind === 'plan' || kind === 'product' || kind === 'company'
}

/** What is told of the world; all else is about what somebody does, and ends with next steps. */
function isKnowledge({ kind }: Topic): boolean {
  return ['thing', 'idea', 'living', 'nature', 'place', 'person', 'event', 'history', 'lesson', 'question', 'effect'].includes(kind)
}

/** Those of the field first; then those of the kind, which fill what is left. */
function framesOf(topic: Topic, { frames, domains, extra, common }: Tongue, language: 'en' | 'zh', hasFacts: boolean): Frame[] {
  const domain = domainOf(topic.title, topic.kind, language)
  const own = (domain && domains[topic.kind]?.[domain]) ?? []
  const general = frames[topic.kind].map(frame => (own.length > 0 ? { ...frame, rank: 3 as const } : frame))
  const [first, ...rest] = general
  // A report begins with its message, all else with its first frame.
  const added = extra[topic.kind] ?? []
  const both = topic.kind === 'report' || !first ? [...added, ...general] : [first, ...added, ...rest]
  if (!isKnowledge(topic)) return [...own, ...both, ...common]
  const last = common.map(frame => ({ ...frame, rank: 3 as const }))
  const ranked = hasFacts ? both.map((frame, k) => ({ ...frame, rank: frame.withFacts ?? (k === 0 ? 2 : 3) })) : both
  return [...ranked, ...last]
}

function factsOn(topic: Topic, facts: Facts | undefined, other: Facts | undefined): RankedSlide[] {
  if (!facts) return other ? factSlides(other) : []
  if (topic.kind === 'process') return definitions(facts)
  if (topic.kind === 'comparison' && other) return [...definitions(facts), ...definitions(other), ...comparisonSlides(facts, other)]
  return other ? [...factSlides(facts), ...definitions(other)] : factSlides(facts)
}

function definitions(facts: Facts): RankedSlide[] {
  return factSlides(facts).slice(0, 1)
}

/** The kind and the subject once the dictionary was asked: titles of one noun tell no kind, and names keep their capitals. */
function settle(topic: Topic, facts: Facts | undefined): Topic {
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

/** `the bicycle` where the title has it so. */
function withArticle(subject: string, { kind, title }: Topic): string {
  const isOne = isKnowledge({ kind, title, subject }) || kind === 'comparison'
  return isOne && new RegExp(`\\bthe ${escaped(subject)}(?!\\p{L})`, 'iu').test(title) ? `the ${subject}` : subject
}

function kindOf({ synset, isInstance }: Facts): TopicKind {
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

/** The spelling of the dictionary, which has the capitals of a name. */
function capitalisedWords(subject: string, { synset }: Facts): string {
  return synset.words.find(word => word.toLowerCase() === subject.toLowerCase()) ?? capitalised(subject)
}

function sameWords(word: string, subject: string): boolean {
  return Math.abs(word.length - subject.length) <= 3 && subject.toLowerCase().startsWith(word.toLowerCase().slice(0, -2))
}

/** Those of the lowest ranks, in their order. */
function choose(all: readonly RankedSlide[], room: number): RankedSlide[] {
  const kept = new Set([...all].sort((a, b) => a.rank - b.rank).slice(0, Math.max(1, room)))
  return all.filter(each => kept.has(each))
}

function agendaOf(body: readonly Slide[]): string[] {
  const titles = body.filter(({ layout }) => layout !== 'section').map(({ title }) => title)
  const every = Math.ceil(titles.length / 10)
  return titles.filter((_title, k) => k % every === 0)
}

interface MadeOf {
  /** Slides of the dictionary. */
  told: number
  /** Records of the search index. */
  read: number
  facts: Facts | undefined
  other: Facts | undefined
  language: 'en' | 'zh'
}

function commentOn({ told, read, facts, other, language }: MadeOf): string {
  const words = [facts?.word, other?.word].filter(word => word !== undefined).map(word => `"${word}"`)
  const sources = [
    ...(told > 0 ? [`the facts on ${words.join(' and ')} from ${dictionary}`] : []),
    ...(read > 0 ? [`what ${read} records of the search index say`] : []),
  ]
  const lack = language === 'zh' ? 'it has no dictionary of Chinese' : 'its dictionary has nothing on the title'
  const made = sources.length === 0 ? `made this deck of its own outline; ${lack}` : `took ${sources.join(', and ')}`
  return `The built-in writer ${made}. All else is advice on method, examples that are marked as such, and questions to answer: no figure and no date is made up.`
}
