/** The kinds of talks that titles can ask for, and how their subject is found. */
export type TopicKind =
  | 'process'
  | 'comparison'
  | 'question'
  | 'report'
  | 'plan'
  | 'product'
  | 'lesson'
  | 'effect'
  | 'history'
  | 'working'
  | 'case'
  | 'event'
  | 'company'
  | 'person'
  | 'place'
  | 'living'
  | 'nature'
  | 'thing'
  | 'idea'

export interface Topic {
  kind: TopicKind
  title: string
  /** The subject as used inside a sentence: `red pandas`. */
  subject: string
  /** The second subject of a comparison; for an effect, the thing that is affected. */
  other?: string
}

type Pattern = readonly [TopicKind, RegExp]

/** Patterns for the kinds of titles; the first one that matches applies. The regular-expression
 *  group `s` captures the subject, `o` the second subject (`other`). */
const english: readonly Pattern[] = [
  ['case', /^(?:\d+ )?(?:reasons )?why (?<s>.+?) (?:should|must|ought to|needs? to) (?<o>.+)$/i],
  ['case', /^(?:(?:the |a )?(?:business )?case|(?:\d+ )?(?:reasons|arguments)) (?:for|against) (?<s>.+)$/i],
  [
    'comparison',
    /^(?:comparing |comparison of |the difference between |differences between )(?<s>.+?) (?:and|with|to|versus|vs\.?) (?<o>.+)$/i,
  ],
  ['comparison', /^(?<s>.+?)[,:]? (?:vs\.?|versus|or|compared (?:to|with)|against) (?<o>.+)$/i],
  ['process', /^(?:how to|steps to|guide to|a guide to|the guide to|a beginner'?s guide to) (?<s>.+)$/i],
  [
    'lesson',
    /^(?:an? )?(?:introduction to|intro to|basics of|the basics of|fundamentals of|lesson on|lesson:|course on|training on|getting started with|understanding|learning) (?<s>.+)$/i,
  ],
  ['lesson', /^(?<s>.+?)(?: 101| for beginners| basics| fundamentals| for kids| for children| explained)$/i],
  [
    'thing',
    /^(?:exploring|discovering|(?:the )?exploration of|(?:a |the )?(?:tour|journey|trip|voyage) (?:of|to|into|through)|(?:the )?(?:wonderful |hidden |secret )?(?:world|wonders?|secrets?|magic|beauty|art|science) of|all about|facts about|inside|getting to know) (?<s>.+)$/i,
  ],
  ['history', /^(?:a |the )?(?:brief |short )?(?:history|story|origins?|rise|evolution) of (?<s>.+)$/i],
  [
    'effect',
    /^(?:the )?(?:impacts?|effects?|influence|consequences|benefits|importance|role|future|risks?|challenges) (?:of|for) (?<s>.+?) (?:on|in|for|to) (?<o>.+)$/i,
  ],
  [
    'effect',
    /^(?:the )?(?:impacts?|effects?|influence|consequences|benefits|importance|role|future|risks?|challenges|power) of (?<s>.+)$/i,
  ],
  ['effect', /^how (?<s>.+) (?:affects?|changes?|shapes?|helps?|influences?|transforms?) (?<o>.+)$/i],
  [
    'report',
    /^(?<s>.*?)\b(?:annual report|quarterly report|report|quarterly review|year in review|review|results|retrospective|status update|update|summary|findings)\b(?: (?:of|on|for) (?<o>.+))?.*$/i,
  ],
  [
    'company',
    /^(?:about |introducing |welcome to )?(?<s>.+?),? (?:company|corporate|firm|organi[sz]ation|team|agency|studio)?\s*(?:overview|profile|presentation|introduction|credentials)$/i,
  ],
  ['company', /^about (?<s>us|.*\b(?:inc|ltd|llc|gmbh|corp|company|co|group|labs|studios?)\b\.?)$/i],
  ['product', /^(?:introducing|meet|announcing|presenting|launch of|the launch of|launching) (?<s>.+?)(?:, .+)?$/i],
  ['product', /^(?<s>.+?) (?:product launch|launch|pitch|pitch deck|demo)$/i],
  ['product', /^(?<s>.+? (?:app|product|startup))$/i],
  [
    'plan',
    /^(?:a |the |our )?(?<s>.+?) (?:business plan|action plan|plan|roadmap|strategy|proposal|campaign|project|initiative|agenda)(?: (?:for|of) .+)?$/i,
  ],
  ['plan', /^(?:a |the |our )?(?:plan|roadmap|strategy|proposal|vision) (?:for|of|to) (?<s>.+)$/i],
  ['plan', /^(?:planning|organi[sz]ing) (?<s>.+)$/i],
  // A title such as "How the bridge was built" asks about a single historical event, not about a
  // process that can be repeated.
  [
    'history',
    /^how (?:an? |the )?(?<s>.+?) (?:was|were) (?:first )?(?:\w{2,}ed|\w{2,}en|lit|made|built|grown|won|lost|found|sung|told|spun|kept|held|sold|bought|taught|born|brought|read|cut)(?: .+)?\??$/i,
  ],
  // A title such as "How a fridge works" asks for facts, so facts about the subject answer it.
  ['working', /^(?:how|inside how) (?:(?:do|does|did) )?(?:an? |the )?(?<s>.+?) (?:works?|worked|functions?|operates?)\??$/i],
  [
    'thing',
    /^(?:how|why) (?:(?:do|does|did|is|are|was|were) )?(?:an? |the )?(?<s>.+?) (?:happens?|forms?|formed|(?:is |are )?made|(?:is |are )?built|moves?|flies|fly|grows?|lives?|begins?|began)\??$/i,
  ],
  [
    'thing',
    /^(?:what|who|where) (?:is|are|was|were) (?!(?:(?:an?|the) )?(?:we|you|our|your|my|it|this|that|next|wrong|better|best|worst|right|point|use|meaning|purpose|cost|price)\b)(?<s>.+?)\??$/i,
  ],
  [
    'question',
    /^why (?:an? |the )?(?!(?:do|does|did|is|are|was|were|should|can|could|will|we)\b)(?<s>.+?) (?:is|are|was|were) (?<o>.+?)\??$/i,
  ],
  ['question', /^(?:what|why|who|when|where|how|should|can|could|is|are|do|does|will) (?<s>.+?)\??$/i],
  [
    'process',
    /^(?<s>(?:making|building|baking|cooking|growing|writing|designing|creating|setting up|running|managing|learning|teaching|brewing|training|restoring|installing) .+)$/i,
  ],
]

const chinese: readonly Pattern[] = [
  ['case', /^(?:为什么|为何)?(?<s>.{1,12}?)(?:为什么|为何)?(?:应该|应当|必须|需要|有必要)(?<o>.{2,}?)[？?]?$/],
  ['case', /^(?:为什么|为何)(?:要|应|该)(?<s>.{2,}?)[？?]?$/],
  ['working', /^(?<s>.+?)(?:是)?(?:如何|怎样|怎么)(?:工作|运作|运行)(?:的)?[？?]?$/],
  ['working', /^(?<s>.+?)(?:的)?(?:工作原理|原理|运作机制)$/],
  ['thing', /^(?<s>.+?)(?:是)?(?:如何|怎样|怎么)(?:形成|产生|诞生|制成|做成|来)(?:的)?[？?]?$/],
  ['comparison', /^(?<s>.+?)(?:与|和|跟|vs\.?|VS|对比)(?<o>.+?)(?:的)?(?:比较|对比|区别|差异|异同)$/],
  ['comparison', /^(?<s>.+?)\s*(?:vs\.?|VS|对比|还是)\s*(?<o>.+)$/],
  ['company', /^(?<s>.+?(?:公司|企业|集团|工作室|事务所|科技|机构))(?:的)?(?:介绍|简介|概况|宣传)?$/],
  ['company', /^(?:公司|企业|集团)(?:的)?(?:介绍|简介|概况)(?<s>)$/],
  ['event', /^(?<s>.*(?:战争|之战|战役|革命|起义|事变|事件|运动会|奥运会|大战|改革|迁徙))$/],
  ['process', /^(?:如何|怎样|怎么|教你)(?<s>.+?)[？?]?$/],
  ['process', /^(?<s>.+?)(?:的)?(?:指南|攻略|步骤|方法|流程|制作|教程|技巧)$/],
  ['lesson', /^(?<s>.+?)(?:的)?(?:入门|基础|基础知识|课程|培训|导论|概论|课件|教学|讲解|简介|介绍)$/],
  ['lesson', /^(?:认识|了解|走进|学习)(?<s>.+)$/],
  ['thing', /^(?:探索|探秘|走近|漫游|揭秘|关于)(?<s>.+)$/],
  ['thing', /^(?<s>.+?)的?(?:探索|探秘|奥秘|秘密|世界|百科|知识|之美|之旅)$/],
  ['history', /^(?<s>.+?)(?:的)?(?:历史|起源|发展史|演变|由来|前世今生|发展历程)$/],
  ['effect', /^(?<s>.+?)对(?<o>.+?)的?(?:影响|作用|意义|贡献|挑战)$/],
  [
    'effect',
    /^(?<s>.+?)在(?<o>.+?)(?:中|领域|行业|里)?的?(?:应用|作用|前景|未来)(?:现状|前景|趋势)?(?:[、与和及].+?)?(?:研究|分析|探讨|浅析)?$/,
  ],
  ['effect', /^(?<s>.+?)(?:的)?(?:影响|作用|意义|好处|价值|未来|趋势|发展趋势|前景|挑战)$/],
  ['report', /^(?<s>.*?)(?:年度|季度|月度|工作|项目|销售|财务|市场|述职|调研|年终)?(?:报告|总结|汇报|回顾|复盘|分析)$/],
  ['product', /^(?<s>.+?)(?:的)?(?:产品发布|发布会|产品介绍|发布|推介|路演|融资)$/],
  ['plan', /^(?<s>.+?)(?:的)?(?:商业计划书|商业计划|创业计划书|创业计划|计划书|计划|规划|方案|策划|策划书|路线图|战略|提案|活动)$/],
  ['question', /^(?:什么是|为什么|为何|是否|要不要|该不该)(?<s>.+?)[？?]?$/],
  ['question', /^(?<s>.+?)[？?]$/],
]

/** Titles that ask for advantages and disadvantages. */
const weighed: Readonly<Record<'en' | 'zh', RegExp>> = {
  en: /^(?:(?:the )?(?:pros and cons|advantages and disadvantages|benefits and (?:drawbacks|risks)) of (?<of>.+)|(?<s>.+?)[:,–—-]? (?:(?:the )?pros and cons|(?:the )?advantages and disadvantages|for and against|for or against))\??$/i,
  zh: /^(?<s>.+?)(?:[：:，,]|的)?(?:利与弊|利弊(?:分析)?|优缺点|优点与缺点|好处与坏处|正反两面)$/u,
}

/** Returns the topic of a title in English or Chinese. The kind is `thing` when nothing more
 *  precise matches; the dictionary may correct it later. */
export function topicOf(title: string, language: 'en' | 'zh'): Topic {
  const clean = title.replace(/[.。!！]+$/u, '').trim()
  const sides = weighed[language].exec(clean)?.groups
  if (sides) return { kind: 'question', title: clean, subject: inSentence(bare(sides.of ?? sides.s ?? clean, language)) }
  const main = mainPart(clean, language)
  for (const [kind, pattern] of language === 'en' ? english : chinese) {
    const groups = pattern.exec(main)?.groups
    if (!groups) continue
    const subject = bare(groups.s ?? '', language) || bare(groups.o ?? '', language) || main
    const other = bare(groups.o ?? '', language)
    // The subject of a product title is usually a name, so it keeps its capitals.
    return {
      kind,
      title: clean,
      subject: kind === 'product' ? subject.replace(/^(?=[a-z])/, 'the ') : inSentence(subject),
      ...(other !== '' && other !== subject ? { other: inSentence(other) } : {}),
    }
  }
  return { kind: 'thing', title: clean, subject: inSentence(bare(main, language)) }
}

/** Returns the main part of a title: `Coffee` for `Coffee: from bean to cup`. */
function mainPart(title: string, language: 'en' | 'zh'): string {
  const [head = title] = title.split(language === 'en' ? /:\s|\s[–—-]\s/ : /[：:——]/u)
  return head.trim().length >= 2 ? head.trim() : title
}

function bare(text: string, language: 'en' | 'zh'): string {
  const clean = text.replace(/[?？]+$/u, '').trim()
  return language === 'en'
    ? clean.replace(/^(?:a|an|the|our|your|my)\s+/i, '').replace(/^(?:is|are|do|does|we|you|should)\s+(?:the\s+|a\s+|an\s+)?/i, '')
    : clean
}

/** Returns a title's text for use inside a sentence: its first letter becomes lower case, unless
 *  further capitals show a name or an abbreviation. */
function inSentence(text: string): string {
  const words = text.split(' ')
  const capitals = words.filter(word => /^\p{Lu}/u.test(word)).length
  if (/^\p{Lu}{2}/u.test(text) || capitals === 0) return text
  // `Red Pandas` may be title case or a name, so its capitals stay until the dictionary shows which
  // it is.
  return capitals === words.length && words.length > 1 ? text : text.charAt(0).toLowerCase() + text.slice(1)
}
