/** Reads an instruction that combines several pictures, and finds what each picture is used for. */
import type { RelationKind } from '../scene.ts'
import { splitCommands, squeezed } from './instruction/clauses.ts'
import { withoutFiller } from './page-words.ts'

/** A thing that is copied from one picture and put into another. */
export interface BorrowedSubject {
  /** Index of the picture that contains the thing, from 0. */
  picture: number
  /** The words for the thing ("dog"); empty for the main subject of the picture. */
  words: string
  /** The thing in another picture beside or on which it is put; without it, the thing is put where
   *  there is room. */
  anchor?: { picture: number; words: string; relation: RelationKind }
}

export interface ReferencePlan {
  /** Index of the picture whose background is used as the place; absent when the words name
   *  none. */
  place?: number
  things: BorrowedSubject[]
  style?: number
  palette?: number
  /** Commands that do not refer to a picture. */
  rest: string[]
}

/** Largest number of characters of an instruction that are read, as for every instruction
 *  (docs/decisions/0012). */
const mostRead = 2000

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']
const cardinals = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const chinese = '一二三四五六七八九十'
const mention = new RegExp(
  `(?:the )?(?:${ordinals.join('|')}) (?:image|picture|photo|reference|one)\\b|(?:the )?[@<[]?(?:image|picture|photo|img|pic|figure|fig\\.|reference)(?: ?image)? ?[#_-]?(?:\\d{1,2}|(?:${cardinals.join('|')})\\b)[>\\]]?|第(?:\\d{1,2}|[${chinese}])(?:张|幅|个)(?:图片|图|照片|画)?|图片? ?(?:\\d{1,2}|[${chinese}])`,
  'giu',
)

/** Returns the plan for `count` pictures; undefined when the words refer to none of them. Accepts
 *  any text; the run time grows linearly with its length. */
export function readReferences(prompt: string, count: number): ReferencePlan | undefined {
  const text = squeezed(prompt).slice(0, mostRead)
  const marked = text.replace(mention, words => {
    const number = numberOf(words)
    return number >= 1 && number <= count ? ` ⟪${number}⟫ ` : words
  })
  if (!marked.includes('⟪')) return undefined
  const plan: ReferencePlan = { things: [], rest: [] }
  for (const command of splitCommands(squeezed(marked))) {
    if (command.includes('⟪')) readCommand(command, plan)
    else if (!isCombining(command)) plan.rest.push(command)
  }
  return plan
}

/** True for a command that asks to combine the pictures, such as "merge them". */
export function isCombining(command: string): boolean {
  return /^(?:(?:combine|merge|blend|mix|join|fuse|unite|put) (?:them|these|the (?:pictures|images|photos)|all|everything)|把?(?:它们|这些图片?|所有图片?)?(?:合并|融合|组合|结合))/i.test(
    command,
  )
}

/** Returns the words of a command (see `isCombining`) that ask for something beyond combining the
 *  pictures; empty when there are no such words. */
export function beyondCombining(command: string): string {
  return withoutFiller(command.replace(/\b(?:blend|mix|join|fuse|unite|people|scenes?|whole)\b|合并|融合|组合|结合|它们|在一起/gi, ' '))
}

function numberOf(words: string): number {
  const digits = /\d{1,2}/.exec(words)
  if (digits) return Number(digits[0])
  const lower = words.toLowerCase()
  const word = ordinals.findIndex(name => lower.includes(name))
  if (word >= 0) return word + 1
  const cardinal = cardinals.findIndex(name => lower.includes(` ${name}`))
  if (cardinal >= 0) return cardinal + 1
  return 1 + [...words].reduce((found, sign) => Math.max(found, chinese.indexOf(sign)), -1)
}

const stopWords =
  /^(?:the|an?|this|that|these|those|its|into|onto|in|on|to|with|and|put|place|add|use|take|insert|move|bring|copy|apply|paste|set|show|combine|merge|have|make|let|at|of|from|beside|behind|under|above|over|near|by|left|right|front|for|as|like|wearing|holding|riding|also|then|,)$/i

interface NamedReference {
  words: string
  /** The text before the reference to the picture. */
  before: string
  after: string
}

function readCommand(command: string, plan: ReferencePlan): void {
  const parts = command.split(/⟪(\d+)⟫/)
  for (let at = 1; at < parts.length; at += 2) {
    const picture = Number(parts[at]) - 1
    const named = nameAt((parts[at - 1] ?? '').trim(), (parts[at + 1] ?? '').trim())
    assign(plan, picture, named)
    // The words after a reference, up to `named.after`, belong to that reference. These words are
    // removed, so that they are not read as words before the next reference.
    parts[at + 1] = named.after
  }
}

/** Returns the words that say which part of a picture is meant, as in "the red dog of ⟪1⟫", "⟪1⟫'s
 *  dog" and ⟪1⟫里的狗 ("the dog in ⟪1⟫"), with the remaining text before and after. */
function nameAt(before: string, after: string): NamedReference {
  const own =
    /^(?:'s|’s) ?([\p{L}-]+(?: [\p{L}-]+){0,2}?)(?=$|,| (?:into|onto|in|on|to|with|and|next|beside|behind|under|as|for)\b)/iu.exec(after)
  if (own) return { words: own[1]?.trim() ?? '', before, after: after.slice(own[0].length).trim() }
  const han =
    /^(?:中|里|上)?面?的 ?(\p{Script=Han}{1,8}?)(?=$|[，,。 ]|放|加|移|搬|贴|和|与|到|在|里|中|上|下|旁|前|后|换|变|画|作为)/u.exec(after)
  if (han) return { words: han[1] ?? '', before, after: after.slice(han[0].length).trim() }
  const as =
    /^(?:as|for) (?:the |an? )?(background|backdrop|setting|place|scene|style(?: reference)?|palette|colou?r(?:s| palette| reference)?)\b|^(?:作为|当作?|做)(背景|场景|风格|配色|色调)(?:参考)?/i.exec(
      after,
    )
  if (as) return { words: as[1] ?? as[2] ?? '', before: '', after: after.slice(as[0].length).trim() }
  const cut = /(?:^| )(?:of|from|in|inside|out of|shown in|seen in|on)$/i.exec(before)
  const words: string[] = []
  const left = (cut ? before.slice(0, cut.index) : '').split(' ').filter(word => word !== '')
  while (left.length > 0 && words.length < 4 && !stopWords.test(left.at(-1) ?? '')) words.unshift(left.pop() ?? '')
  if (words.length === 0) return { words: '', before, after }
  return { words: words.join(' '), before: left.join(' '), after }
}

const styleWords = /\b(?:style|look|technique|manner|art ?style)\b|风格|画风/i
const paletteWords = /\b(?:palette|colou?rs?|colou?r (?:scheme|palette)|tones?|mood|lighting|light)\b|配色|色调|颜色|色彩|光线/i
const placeWords =
  /\b(?:background|backdrop|scene|scenery|setting|landscape|place|room|environment|bedroom|kitchen|street|beach|forest|garden|city|field|meadow|park|sea|sky|desert|mountains?|office|library|cafe|house|stage|world)\b|背景|场景|环境|风景|房间|卧室|厨房|街道|街|海滩|海边|沙滩|森林|花园|城市|田野|草地|公园|大海|天空|沙漠|山|办公室|图书馆|咖啡馆/i

function assign(plan: ReferencePlan, picture: number, { words, before, after }: NamedReference): void {
  const relation = relationAt(before, after)
  if (styleWords.test(words) || (words === '' && /\b(?:like|style of|look of|manner of)$/i.test(before))) {
    plan.style = picture
    return
  }
  if (paletteWords.test(words)) {
    plan.palette = picture
    return
  }
  const last = plan.things.at(-1)
  const isInto = relation === 'in' || (words === '' && relation !== undefined)
  if ((placeWords.test(words) && (relation === undefined || isInto || /\bat$/i.test(before))) || (words === '' && isInto && last)) {
    plan.place ??= picture
    return
  }
  if (relation && last && last.picture !== picture && !last.anchor) {
    last.anchor = { picture, words, relation }
    plan.place ??= picture
    return
  }
  plan.things.push({ picture, words })
}

const english: readonly (readonly [RegExp, RelationKind])[] = [
  [/\b(?:in front of|before)(?: the| an?)?$/i, 'in-front-of'],
  [/\b(?:next to|beside|near|by|alongside|together with)(?: the| an?)?$/i, 'beside'],
  [/\bbehind(?: the| an?)?$/i, 'behind'],
  [/\b(?:under|below|beneath)(?: the| an?)?$/i, 'under'],
  [/\babove(?: the| an?)?$/i, 'above'],
  [/\bleft of(?: the| an?)?$/i, 'left-of'],
  [/\bright of(?: the| an?)?$/i, 'right-of'],
  [/\b(?:into|inside|in|to)(?: the| an?)?$/i, 'in'],
  [/\b(?:onto|on top of|on|upon|over)(?: the| an?)?$/i, 'on'],
]

function relationAt(before: string, after: string): RelationKind | undefined {
  const found = english.find(([words]) => words.test(before))
  if (found) return found[1]
  if (!/(?:放|加|移|搬|贴|印|画|坐|站|换)?(?:到|进|在|入|于)$/.test(before)) return undefined
  if (/^的?(?:旁边|边上|身边|左边|右边)/.test(after)) return 'beside'
  if (/^的?(?:前面|前)/.test(after)) return 'in-front-of'
  if (/^的?(?:后面|背后|后)/.test(after)) return 'behind'
  if (/^的?(?:下面|底下|下)/.test(after)) return 'under'
  return /^的?(?:上面|上)/.test(after) ? 'on' : 'in'
}
