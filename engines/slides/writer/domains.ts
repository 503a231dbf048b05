/** Finds the field of a title (cooking, software ...) from its words, because advice for a field is
 *  more useful than general advice. */
import type { TopicKind } from './topic.ts'

export type Domain = 'cooking' | 'growing' | 'learning' | 'business' | 'marketing' | 'event' | 'software'

type Words = readonly (readonly [Domain, RegExp])[]

const english: Words = [
  ['marketing', /\b(?:marketing|advertis\w*|brand(?:ing)?|campaign|social media)\b/i],
  ['event', /\b(?:events?|conference|wedding|festival|party|workshop|trip|holiday|meet-?up|fair|exhibition|fundrais\w*|reunion)\b/i],
  ['business', /\b(?:business|shop|store|caf[eé]|restaurant|bakery|hotel|salon|start-?up|franchise|company)\b/i],
  ['software', /\b(?:apps?|software|website|web site|platform|program|code|api|saas|database|cloud|ai)\b/i],
  [
    'growing',
    /\b(?:grow(?:ing)?|plant(?:s|ing)?|garden(?:s|ing)?|tomato(?:es)?|vegetables?|herbs|orchids?|bonsai|compost(?:ing)?|seedlings?)\b/i,
  ],
  [
    'cooking',
    /\b(?:bak(?:e|ing)|cook(?:ing)?|recipes?|bread|cakes?|soup|pasta|pizza|noodles?|rice|stew|curry|sauce|jam|cheese|coffee|tea|brew(?:ing)?|dumplings?|sourdough|roast(?:ing)?|grill(?:ing)?)\b/i,
  ],
  ['learning', /\b(?:learn(?:ing)?|study(?:ing)?|speak|languages?|piano|guitar|violin|chess|memor\w*|exams?|practise|practice)\b/i],
]

const chinese: Words = [
  ['marketing', /营销|推广|市场|品牌|广告|宣传/],
  ['event', /活动|会议|婚礼|庆典|聚会|旅行|展览|年会|团建|晚会/],
  ['business', /店|馆|商业|创业|公司|餐厅|民宿/],
  ['software', /软件|应用|系统|平台|网站|程序|人工智能|小程序|APP/i],
  ['growing', /种植|种[^类种]|栽|养花|园艺|阳台菜|堆肥/],
  ['cooking', /烘焙|[烤煮炒炖蒸煎]|泡茶|冲泡|面包|蛋糕|饺子|拉面|火锅|红烧|[做包].{0,6}[菜饭面汤饼粽肉鱼鸡鸭虾蛋粥]|豆腐|炸酱|酿/],
  ['learning', /学习|学[^校生]|背单词|练习|练琴|考试|口语/],
]

/** Returns the field of a title of this kind; undefined when its words show none. */
export function domainOf(title: string, kind: TopicKind, language: 'en' | 'zh'): Domain | undefined {
  if (kind !== 'process' && kind !== 'plan' && kind !== 'product') return undefined
  const found = (language === 'en' ? english : chinese).filter(([, words]) => words.test(title)).map(([domain]) => domain)
  // Only plausible fields are considered, because words can mislead: a plan is rarely about
  // cooking, and a process is rarely a marketing campaign.
  const fitting: readonly Domain[] =
    kind === 'process'
      ? ['growing', 'cooking', 'learning', 'event', 'software', 'business']
      : ['event', 'marketing', 'software', 'business']
  return kind === 'process' ? fitting.find(domain => found.includes(domain)) : found.find(domain => fitting.includes(domain))
}
