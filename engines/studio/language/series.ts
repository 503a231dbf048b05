/** Splits a prompt for a series of pictures into the text that all pictures share and the text of
 *  each single picture (its step). */
import { readNumber } from './numbers.ts'
import { withoutEnd } from './trim.ts'

interface SeriesText {
  /** The text that all pictures share, without words such as "a series of four pictures"; may be
   *  empty. */
  shared: string
  /** The text of each step, in order; empty when the prompt has no steps. */
  steps: string[]
  /** Number of pictures that the prompt asks for ("four panels"). */
  count?: number
}

/** Number of characters in which the beginnings of steps are searched. Text after them belongs to
 *  the last step. */
const mostRead = 4000
/** Largest number of steps; further ones are added to the text of the last step. */
const mostSteps = 30

const numberWords: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
}
const numberWord = `${Object.keys(numberWords).join('|')}|\\d{1,2}`
const verb = '(?:(?:please )?(?:create|draw|make|generate|paint|show|illustrate|tell|design|give)(?: me| us)? )?'
const group =
  '(?:(?:an? |the )?(?:consistent |short |coherent |little )?(?:series|set|sequence|story|storyboard|collection|comic(?: strip)?)(?: of)? )?'
const adjective =
  '(?:(?:consistent|different|separate|sequential|coherent|related|connected|single|short|little|small|illustrated|comic|story|consecutive) ){0,3}'
const picture =
  '(?:pictures?|images?|photos?|illustrations?|drawings?|paintings?|panels?|frames?|scenes?|pages?|shots?|cards?|posters?|variations?|stages?|steps?|parts?)'
const ending =
  '(?:[ -](?:story|comic(?: strip)?|sequence|series|strip|storyboard|set))?(?: (?:of|about|showing|with|in which|where|that shows?|for|featuring))?'

/** Matches "Draw a series of four pictures of", "a four-panel story about", "3 images:". */
const counted = new RegExp(`(?:^|\\b)${verb}${group}(?:an? |the )?(${numberWord})[ -]${adjective}${picture}\\b${ending}\\s?[:,]?`, 'i')
/** Matches "A story about", "a series of pictures of". */
const uncounted = new RegExp(
  `^${verb}(?:an? |the )?(?:consistent |short |coherent |little )?(?:story|storyboard|series|sequence|set|comic(?: strip)?)(?: of ${picture})?(?: (?:of|about|showing|with|in which|where))?\\s?:?`,
  'i',
)
const countedChinese =
  /(?:请)?(?:帮我)?(?:画|生成|创作|绘制|制作|做)?(?:一组|一套|一系列)?(?:共)?(?<!第)([2-9]|1\d|[两二三四五六七八九]|十[一二三四五]?)(?:张|幅|格|页|个(?:画面|场景|镜头|分镜))(?:连环画|连环漫画|漫画|连贯的?|系列)?(?:图片|图|插画|照片|画面|画|组图|故事)?(?:，?(?:讲述|描绘|展示|分别是|分别为|内容是|关于))?的?\s?[:：，,]?/
const uncountedChinese =
  /^(?:请)?(?:帮我)?(?:画|生成|创作|绘制|制作|做)?(?:一组|一套|一系列)(?:连贯的?|系列)?(?:图片|图|插画|照片|画面|画|组图|故事)?(?:，?(?:讲述|描绘|展示|关于))?的?\s?[:：，,]?/

/** Returns the shared text and the steps of any prompt. The run time grows linearly with its
 *  length. */
export function readSeries(prompt: string): SeriesText {
  const text = prompt
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\bthe same\b/gi, 'the')
    .replace(/同一(?=[只个位名条匹辆座])/g, '一')
    .trim()
  const found = counted.exec(text.slice(0, mostRead)) ?? countedChinese.exec(text.slice(0, mostRead))
  const opening = found ?? uncounted.exec(text) ?? uncountedChinese.exec(text)
  const said = found?.[1] === undefined ? undefined : countOf(found[1])
  const count = said !== undefined && said >= 2 ? said : undefined
  // The words about the series are removed. If they end with a colon, the colon is kept, because a
  // list of steps may follow it.
  const cut = opening && opening[0] !== '' ? parted(text, opening) : text
  return { ...stepsOf(cut, count), ...(count === undefined ? {} : { count }) }
}

function countOf(word: string): number | undefined {
  const single = '一二三四五六七八九'.indexOf(word) + 1
  return numberWords[word.toLowerCase()] ?? (word === '两' ? 2 : single > 0 ? single : readNumber(word))
}

function parted(text: string, { 0: words, index }: RegExpExecArray): string {
  const before = text.slice(0, index).trim()
  const after = text.slice(index + words.length).trim()
  const isList = /[:：]$/.test(words.trim())
  if (isList) return `${before}: ${after}`
  return before === '' ? after : `${before} ${after}`
}

function stepsOf(text: string, count: number | undefined): Pick<SeriesText, 'shared' | 'steps'> {
  const read = numbered(text) ?? told(text) ?? bySeason(text) ?? listed(text) ?? enumerated(text) ?? sentences(text, count)
  if (!read) return { shared: trimmed(text), steps: [] }
  const steps = read.steps.map(trimmed).filter(step => step !== '')
  return { shared: trimmed(read.shared), steps: [...steps.slice(0, mostSteps - 1), ...rest(steps)] }
}

function rest(steps: readonly string[]): string[] {
  return steps.length < mostSteps ? steps.slice(mostSteps - 1) : [steps.slice(mostSteps - 1).join(', ')]
}

interface SeriesReading {
  shared: string
  steps: string[]
}

interface Mark {
  from: number
  to: number
}

/** Cuts a text at its marks, which are the words that begin the steps. The text before the first
 *  mark is the shared part. */
function cutAt(text: string, marks: readonly Mark[]): SeriesReading {
  const [first] = marks
  return { shared: text.slice(0, first?.from ?? 0), steps: marks.map(({ to }, index) => text.slice(to, marks[index + 1]?.from)) }
}

const number =
  /(?<=^|[\s:：;；。.,，、!！])(?:(?:panel|picture|image|scene|frame|page|step|part|shot|photo) ?(?:#|no\.? ?)?|图|第)?(\d{1,2}|[一二三四五六七八九十]{1,2})(?:张|幅|格|页|步|个)?(?:画面|场景|图)?(?:[.)、:：）](?!\d)|是|，) ?|(?<=^|[\s:：;；。.,，、!！])第([一二三四五六七八九十]{1,2}|\d{1,2})(?:张|幅|格|页)(?:图|画|画面)?(?:里|中)?[:：，、是]?/gi

/** Reads numbered steps, such as "1. ... 2. ...", "Panel 1: ..." and 第一张：... ("picture one: ...").
 *  Undefined when there are fewer than two. */
function numbered(text: string): SeriesReading | undefined {
  const marks: Mark[] = []
  for (const found of text.slice(0, mostRead).matchAll(number)) {
    if (countOf(found[1] ?? found[2] ?? '') === marks.length + 1) marks.push({ from: found.index, to: found.index + found[0].length })
  }
  return marks.length >= 2 ? cutAt(text, marks) : undefined
}

const sequence =
  /(?:(?<=^|[.,;:!?\n，。；：！？、])\s?(?:and |but )?(?:(?<start>first(?:ly| of all)?|at first|to begin with|in the first (?:one|picture|image|panel)|首先|先是?|一开始|第一(?:步|幕)?)|(?<next>then|next|after that|afterwards?|later(?: on)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|fifth|soon|finally|lastly|last|at last|in the end|eventually|at the end|然后|接着|接下来|随后|之后|后来|再(?=[去来到往回走跑])|紧接着|第[二三四五六](?:步|幕)?|最后|最终|终于))(?![\p{L}-])|\s(?:and )?(?<middle>then|finally|afterwards|after that)(?=\s)|(?<chinese>首先|然后|接着|接下来|随后|紧接着|最后|最终))[,，:：]?\s?/giu

/** Reads "First ..., then ..., finally ..." as steps; undefined when there are no such words or
 *  only one step. */
function told(text: string): SeriesReading | undefined {
  const found = [...text.slice(0, mostRead).matchAll(sequence)]
  const [first] = found
  if (!first) return undefined
  const marks = found.map(one => ({ from: one.index, to: one.index + one[0].length }))
  const { shared, steps } = cutAt(text, marks)
  const opens = first.groups?.start !== undefined || first.groups?.chinese === '首先'
  // In "A cat wakes up, then it eats", the text before "then" is no shared part but the first step.
  if (!opens && trimmed(shared) !== '') return { shared: '', steps: [shared, ...steps] }
  return steps.length >= 2 ? { shared, steps } : undefined
}

/** Reads "a courtyard across the seasons" as four steps, one for each season; undefined for other
 *  prompts. */
function bySeason(text: string): SeriesReading | undefined {
  const found = /,? ?(?:(?:across|through|throughout|during|in) )?(?:all )?the (?:four )?seasons\b|(?:的|在)?(?:一年)?四季(?:变化)?/i.exec(
    text,
  )
  if (!found) return undefined
  const steps = /\p{Script=Han}/u.test(found[0])
    ? ['在春天', '在夏天', '在秋天', '在冬天']
    : ['in spring', 'in summer', 'in autumn', 'in winter']
  return { shared: `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`, steps }
}

/** Reads the list after a colon, as in "Three images of a lighthouse: dawn, noon, dusk"; the items
 *  may also be lines below a heading. Undefined when there are fewer than two. */
function listed(text: string): SeriesReading | undefined {
  const colon = text.slice(0, mostRead).search(/[:：]/)
  if (colon < 0) return undefined
  const shared = text.slice(0, colon)
  const run = trimmed(shared) === '' ? enumerated(text.slice(colon + 1)) : undefined
  if (run) return run
  const list = text.slice(colon + 1)
  const items = list.split(list.includes('\n') ? '\n' : /[;；]/.test(list) ? /[;；]/ : /[,，、]/)
  const last = items.length > 1 ? items : list.split(/ and |和/)
  const steps = last.map(item => trimmed(item).replace(/^(?:and|then|[-*•]|和) ?/i, '')).filter(item => item !== '')
  return steps.length >= 2 ? { shared, steps } : undefined
}

const english =
  'spring|summer|autumn|fall|winter|dawn|sunrise|morning|noon|midday|afternoon|evening|sunset|dusk|twilight|night|midnight|day|rain|snow|fog|sunshine|[a-z]{2,12}ing'
const chinese = '春天?|夏天?|秋天?|冬天?|清晨|早晨|早上|黎明|日出|中午|正午|下午|黄昏|傍晚|日落|夜晚|晚上|深夜|雨天|雪天|晴天|雾天'
const item = `(?:(?:in|at|during|on) )?(?:the )?(?:a )?(?:${english})\\b|(?:在)?(?:${chinese})`
const items = new RegExp(
  `(?:\\b|(?<=\\p{Script=Han}))(?:${item})(?:(?:, ?(?:and |then )?| and | then |[，、和] ?)?(?:${item})){1,12}`,
  'giu',
)

/** Reads a list of seasons, times of day, weather or activities without a colon, as in "... in
 *  spring, summer, autumn and winter" and "sleeping, eating and playing". Undefined when there is
 *  no such list. */
function enumerated(text: string): SeriesReading | undefined {
  for (const found of text.slice(0, mostRead).matchAll(items)) {
    const [run] = found
    const steps = [...run.matchAll(new RegExp(item, 'giu'))].map(([step]) => step)
    const preposition = /^(in|at|during|on) /i.exec(run)?.[1]
    if (steps.length < 2 || new Set(steps).size < steps.length) continue
    const shared = `${text.slice(0, found.index)} ${text.slice(found.index + run.length)}`
    return {
      shared,
      steps: preposition ? steps.map(step => (/^(?:in|at|during|on) /i.test(step) ? step : `${preposition} ${step}`)) : steps,
    }
  }
  return undefined
}

/** Reads the last sentences as steps, as many as the prompt requests pictures; the sentences before
 *  them are shared. Without a requested number, every sentence is a step. Undefined when there are
 *  too few. */
function sentences(text: string, count: number | undefined): SeriesReading | undefined {
  const parts = text
    .split(/[.。!！;；\n](?!\d)/)
    .map(trimmed)
    .filter(part => part !== '')
  if (parts.length < 2 || (count !== undefined && parts.length < count)) return undefined
  const extra = count === undefined ? 0 : parts.length - count
  return { shared: parts.slice(0, extra).join('. '), steps: parts.slice(extra) }
}

function trimmed(text: string): string {
  return withoutEnd(text.replace(/^[\s,，.。;；:：、]+/, ''), /[\s,，.。;；:：、]/)
}
