/** Texts for decks, in each language in which the built-in writer can write. */
import type { Frame } from './frame.ts'
import { commonEnglish, englishFrames } from './frames/en.ts'
import { englishDomains } from './frames/en-domains.ts'
import { knowledge as englishKnowledge } from './frames/en-reasons.ts'
import { chineseExtra, englishExtra } from './frames/extra.ts'
import { chineseFrames, commonChinese } from './frames/zh.ts'
import { chineseDomains } from './frames/zh-domains.ts'
import { knowledge as chineseKnowledge } from './frames/zh-reasons.ts'
import type { TopicKind } from './topic.ts'

export interface WriterLanguage {
  frames: Readonly<Record<TopicKind, readonly Frame[]>>
  /** Slide templates (frames) for topics of one field, such as cooking, by kind of topic; used
   *  before `frames`. */
  domains: typeof englishDomains
  /** Additional tables and example charts, by kind of topic. */
  extra: typeof englishExtra
  /** Slide templates (frames) for a talk about anything that exists. */
  knowledge: readonly Frame[]
  common: readonly Frame[]
  subtitles: Readonly<Record<TopicKind, string>>
  agenda: string
  facts: string
  questions: string
  closing: { title: string; subtitle: string }
  /** Sentence about the origin of a slide's text, appended to its notes. */
  origin: string
  /** Speaker notes of the pages that the writer adds around the contents: title, agenda, sections
   *  and closing. */
  notes: { welcome: string; agenda: string; facts: string; questions: string; closing: string }
}

export const tongues: Readonly<Record<'en' | 'zh', WriterLanguage>> = {
  en: {
    frames: englishFrames,
    domains: englishDomains,
    extra: englishExtra,
    knowledge: englishKnowledge,
    common: commonEnglish,
    subtitles: {
      process: 'Step by step',
      comparison: 'Side by side',
      question: 'A question to work through',
      case: 'A proposal, and its reasons',
      report: 'Plan, result and what comes next',
      plan: 'From a goal to the next steps',
      product: 'What it is for, and for whom',
      lesson: 'An introduction',
      effect: 'What changes, and for whom',
      history: 'From the beginning to today',
      working: 'Part by part',
      event: 'What led to it, and what it led to',
      company: 'Who we are, and what we do',
      person: 'A life and its traces',
      place: 'A portrait',
      living: 'A closer look',
      nature: 'What happens, and why',
      thing: 'A closer look',
      idea: 'An idea and its edges',
    },
    agenda: 'What we will look at',
    facts: 'The facts',
    questions: 'The questions',
    closing: { title: 'Thank you', subtitle: 'What would you like to know?' },
    origin: 'Advice and questions of the built-in writer; it claims no facts on the subject.',
    notes: {
      welcome: 'Say who you are, and why this matters to you.',
      agenda: 'Say which of these matters most today, and how long it all takes.',
      facts: 'Pause. What follows is looked up, and says where it is from.',
      questions: 'Pause. From here on the room works too: leave time for answers.',
      closing: 'Wait for the first question; it often takes ten seconds. Then say where you can be reached.',
    },
  },
  zh: {
    frames: chineseFrames,
    domains: chineseDomains,
    extra: chineseExtra,
    knowledge: chineseKnowledge,
    common: commonChinese,
    subtitles: {
      process: '一步一步来',
      comparison: '放在一起看',
      question: '一起寻找答案',
      case: '一项建议与它的理由',
      report: '计划、结果与下一步',
      plan: '从目标到行动',
      product: '做什么，为谁做',
      lesson: '入门讲解',
      effect: '改变什么，影响谁',
      history: '从起源到今天',
      working: '由部分看整体',
      event: '前因与后果',
      company: '我们是谁，做什么',
      person: '人物与足迹',
      place: '走近这里',
      living: '仔细看一看',
      nature: '观察与思考',
      thing: '仔细看一看',
      idea: '概念与边界',
    },
    agenda: '目录',
    facts: '认识',
    questions: '思考',
    closing: { title: '谢谢', subtitle: '欢迎提问' },
    origin: '本页是内置写作程序给出的方法与问题，不陈述关于主题的事实。',
    notes: {
      welcome: '介绍自己，并说明为什么选择这个题目。',
      agenda: '说明今天最重要的是哪一部分，一共需要多长时间。',
      facts: '停顿一下。下面的内容有出处。',
      questions: '停顿一下。从这里开始请大家一起想，留出回答的时间。',
      closing: '等第一个提问，常常需要十秒。然后说明怎样联系自己。',
    },
  },
}
