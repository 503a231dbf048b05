/** Two steps of normalisation: `tidy`, the first step, removes markup; `readSigns`, which runs
 *  after numbers and abbreviations, converts symbols, punctuation and words in other scripts. */

import { romanised } from './scripts.ts'
import type { NormaliserStep } from './speaking.ts'

const names: Record<string, string> = {
  '&': 'and',
  '+': 'plus',
  '=': 'equals',
  '@': 'at',
  '%': 'percent',
  '‰': 'per mille',
  '#': 'hash',
  '°': 'degrees',
  '§': 'section',
  '¶': 'paragraph',
  '†': 'dagger',
  '‡': 'double dagger',
  '©': 'copyright',
  '®': 'registered',
  '™': 'trademark',
  '℠': 'service mark',
  '±': 'plus or minus',
  '×': 'times',
  '÷': 'divided by',
  '√': 'square root of',
  '∞': 'infinity',
  '≈': 'about',
  '≠': 'is not equal to',
  '≤': 'at most',
  '≥': 'at least',
  '<': 'less than',
  '>': 'greater than',
  '∑': 'sum',
  '∏': 'product',
  '∫': 'integral',
  '∂': 'partial',
  '∆': 'delta',
  '∈': 'in',
  '∉': 'not in',
  '∪': 'union',
  '∩': 'intersection',
  '⊂': 'subset of',
  '∀': 'for all',
  '∃': 'there exists',
  '∅': 'empty set',
  '∇': 'nabla',
  '∴': 'therefore',
  '∵': 'because',
  '→': 'to',
  '⇒': 'implies',
  '←': 'from',
  '↔': 'to and from',
  '⇔': 'if and only if',
  '↑': 'up',
  '↓': 'down',
  $: 'dollar',
  '£': 'pound',
  '€': 'euro',
  '¥': 'yen',
  '¢': 'cent',
  '₹': 'rupee',
  '₿': 'bitcoin',
  '^': 'caret',
  '~': 'tilde',
  '\\': 'backslash',
  '/': 'slash',
  '*': 'asterisk',
  '|': 'vertical bar',
  _: 'underscore',
  '`': 'backtick',
  '′': 'prime',
  '″': 'double prime',
  '✓': 'check mark',
  '✔': 'check mark',
  '✗': 'cross',
  '✘': 'cross',
  '★': 'star',
  '☆': 'star',
  '♥': 'heart',
  '♪': 'music note',
  '♫': 'music notes',
  '−': 'minus',
  '∙': 'dot',
  '¬': 'not',
  '∧': 'and',
  '∨': 'or',
  ª: '',
  º: '',
  '¤': 'currency sign',
  '¦': 'broken bar',
  '‖': 'double bar',
  '№': 'number',
  '℃': 'degrees Celsius',
  '℉': 'degrees Fahrenheit',
  '♯': 'sharp',
  '♭': 'flat',
}

/** The first step of normalisation, before numbers. It removes Markdown and HTML marks, and gives
 *  quotes, dashes and spaces one form each. */
export const tidy: NormaliserStep = text =>
  text
    .replace(/\u00AD|[\u200B-\u200F\u202A-\u202E]|[\u2060-\u2064\u2066-\u2069\uFEFF]|[\uFE0E\uFE0F]/g, '')
    .replace(/[\p{Cc}\u00A0\u2000-\u200A\u202F\u205F\u3000]/gu, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp|#39|apos);/g, (_, entity: string) => entities[entity] ?? ' ')
    .replace(/<\/?[a-z][a-z\d]*(?:\s[^<>]*)?\/?>/gi, ' ')
    .replace(/!?\[([^\][]+)\]\(([^()\s]+)\)/g, '$1')
    .replace(/(\*{1,3}|_{2,3}|~~|`{1,3})(?=\S)([^*_~`]*[^\s*_~`])\1/g, '$2')
    .replace(/(?<![\p{L}\d_])_(?=\S)([^_]*\S)_(?![\p{L}\d_])/gu, '$1')
    .replace(/·/g, ' ')
    .replace(/[‘’‛ʼ＇]/g, "'")
    .replace(/[«»„‟「」『』《》]/g, '"')
    .replace(/(?<=\d) [-−] (?=\d+ ?=)/g, ' minus ')
    .replace(/(?<=\d) ?\* ?(?=\d)/g, ' times ')
    .replace(/(?<!\d ?)(?<=\s|^)[–—―-]{1,3}(?=\s)|(?<=\s)[–—―-]{1,3}(?=\s(?!\d))|[—―]|-{2,3}(?=\p{L})|(?<=\p{L})–(?=\p{L})/gu, ' — ')
    .replace(/\.{3,}|(?:\. ){2,}\./g, '…')
    .replace(/[‐‑]/g, '-')

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'" }

/** A step after numbers and abbreviations. It replaces symbols by their names, brackets and quotes
 *  by punctuation, and words in other scripts by Latin letters. */
export const readSigns: NormaliserStep = text =>
  romanised(
    text
      .replace(/(?<![\p{L}\d])-(?=\p{L})|(?<=\p{L})-(?![\p{L}])/gu, ' ')
      .replace(/(?<=\p{L})-(?=\p{L}·)|(?<=·)-(?=\p{L})/gu, ' ')
      .replace(/[[{]/g, '(')
      .replace(/[\]}]/g, ')')
      .replace(/(?<![\p{L}·])'|'(?![\p{L}])(?<![s·]')/gu, keepsElision)
      .replace(/={2,3}/g, ' equals ')
      .replace(/!={1,2}/g, ' is not equal to ')
      .replace(/<=/g, ' at most ')
      .replace(/>=/g, ' at least ')
      .replace(/[-=]>/g, ' to ')
      .replace(/&&/g, ' and ')
      .replace(/\|\|/g, ' or ')
      .replace(/[•‣▪◦]| \| /g, ', ')
      .replace(/([=*~_#|\\/<>^+-])\1{2,}/g, ' — '),
  )
    .replace(/(?<=\p{L})·?[/](?=\p{L})/gu, ' slash ')
    .replace(/[^\p{L}\p{M}\s;:,.!?—…"“”()'·\uE000-\uF8FF-]/gu, sign => ` ${names[sign] ?? nameOfRest(sign)} `)
    .replace(/[!?]{2,}/g, (marks: string) => (marks.includes('?') ? '?' : '!'))
    .replace(/ +(?=[;:,.!?…)])/g, '')
    .replace(/([,;:])(?:\s*[,;:])+/g, '$1')
    .replace(/\(\s+/g, '(')
    .replace(/\s{2,}/g, ' ')
    .trim()

/** Keeps the apostrophe of shortened words (`'em`, `'cause`, `'tis`), and removes one that is a
 *  quotation mark. */
function keepsElision(_: string, at: number, all: string): string {
  return /^'(?:em|cause|til|tis|twas|bout|round|n|cos|cuz|neath|gainst)\b/i.test(all.slice(at)) ? "'" : ''
}

/** Returns a name for a symbol that no other rule covers. */
function nameOfRest(sign: string): string {
  if (/\p{So}|\p{Sm}|\p{Sk}|\p{Sc}/u.test(sign)) return 'symbol'
  return /\p{N}/u.test(sign) ? 'number' : ''
}
