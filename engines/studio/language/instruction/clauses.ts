import { withoutEnd } from '../trim.ts'

const verbs =
  'add|put|place|insert|include|draw|remove|delete|erase|get rid|take out|take away|eliminate|replace|swap|substitute|change|turn|make|convert|transform|render|redraw|restyle|crop|cut|trim|zoom|rotate|tilt|flip|mirror|brighten|darken|lighten|increase|decrease|reduce|raise|lower|boost|saturate|desaturate|blur|sharpen|invert|apply|set|move|shift|enlarge|shrink|scale|resize|write|print|colou?r|recolou?r|paint|tint|give|frame|warm|cool|let|show|adjust|soften|keep|use|sepia|black and white|grayscale|greyscale'

/** Matches the break between two commands. The match begins only at the first of several
 *  punctuation marks and includes at most four adverbs; otherwise a long run of marks or adverbs
 *  would take quadratic time. */
const englishBreak = new RegExp(
  `\\s?(?:(?<![.;!\\n])[.;!\\n]+|,\\s?(?:and\\s)?(?:then\\s|also\\s)?|\\sand\\s(?:then\\s|also\\s)?|\\sthen\\s|\\swhile\\s)\\s?(?=(?:(?:please|also|then|finally)\\s){0,4}(?:${verbs})\\b)`,
  'i',
)

const chineseBreak =
  /\s?(?:[。；！!;\n]+|[，,、]?\s?(?:并且|并|然后|再|同时|接着|最后|还要|另外|以及|和)(?=把|将|让|使|加|添|去|删|移|旋转|向|往|逆|顺|裁|翻|水平|垂直|左右|上下|调|变|换|改|模糊|锐化|写|放大|缩小|提高|降低|增|减|给|在|转)|[，,]\s?(?=把|将|让|使|加|添|去|删|移|旋转|向|往|逆|顺|裁|翻|水平|垂直|左右翻|上下翻|调|变|换|改|模糊|锐化|写|放大|缩小|提高|降低|增|减|给|在|转|整体|背景|画面|亮|暗))\s?/

const opening =
  /^(?:please|kindly|also|then|and|finally|now|next|first|firstly|secondly|can you|could you|would you|will you|i want(?: you)? to|i'd like(?: you)? to|i would like(?: you)? to|you should|let's|请你?|帮我|麻烦|首先|然后|接着|最后|再)[\s,，]*/i

/** Returns the commands of an instruction. The caller must have replaced quoted strings by marks
 *  and shortened runs of white space (`squeezed`). */
export function splitCommands(text: string): string[] {
  const isChinese = /\p{Script=Han}/u.test(text)
  return text
    .split(isChinese ? chineseBreak : englishBreak)
    .flatMap(part => part.split(isChinese ? englishBreak : /\.\s(?=[A-Z])/))
    .map(part => part.trim().replace(opening, ''))
    .map(part => withoutEnd(part, /[.!?。！？,，;；\s]/).trim())
    .filter(part => part !== '')
}

/** Returns the text with each run of white space shortened to one newline (if the run contains one)
 *  or one space. The rules expect this, and would search long runs slowly. */
export function squeezed(text: string): string {
  return text.replace(/\s+/g, run => (run.includes('\n') ? '\n' : ' '))
}
