import { normalForm } from '../normal-form.ts'

/** One token of a prompt: a word in Latin letters, a number or a single Chinese character. */
export interface PromptToken {
  /** All spellings under which the token is searched. The first is that of the prompt. In the
   *  others, punctuation inside the word is left out, or digits are replaced by letters of similar
   *  shape. */
  readonly forms: readonly string[]
  /** Position in the prompt, in words. A Chinese character counts as half a word, so that the rules
   *  can use the same distances for both languages. At the start of a new clause (after a comma,
   *  full stop, bracket or line break) one more word is counted. */
  readonly at: number
  readonly isHan: boolean
  /** For Chinese tokens: true when the next token belongs to the same run of characters. */
  readonly isJoined: boolean
  /** True when a comma, a full stop, a bracket or a line break stands before the token. */
  readonly startsClause: boolean
}

const longestJoined = 24
const longestSpelled = 60
// Characters that are not visible in a text: format characters (soft hyphen, zero-width characters,
// direction marks, tags), variation selectors and Hangul fillers.
const invisible = /\p{Cf}|\p{Variation_Selector}|\u115f|\u1160|\u3164/gu
const marks = /\p{Mn}/gu
const foreignLetters = /[\u0370-\u052f]/
const letterRuns = /[a-z\u0370-\u052f]+/g
// Matches a word together with signs inside it that possibly stand for letters, or a run of Chinese
// characters together with signs that possibly separate them.
const compounds = /[a-z0-9@$!|*#'\u2019._~+\-^=/\\]+|\p{Script=Han}(?:[*_\-.·~+^#]{0,3}\p{Script=Han})*/gu
const latinStart = /^[a-z0-9@$!|*#'\u2019._~+\-^=/\\]/
const pieces = /[a-z0-9]+/g
// Distance, in words, that the end of a clause adds. Words on both sides of a comma or full stop
// seldom belong together.
const clauseGap = 1
const clauseEnd = /[.,;:!?()[\]{}"\n，。、；：！？（）「」《》]/
const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '+': 't',
}
// Cyrillic and Greek letters, each with the Latin letter that it looks like. The two strings list
// the letters in the same order.
const twins = new Map(zip('аесорхуікмтнвԁѕјһαεορτυνικ', 'aecopxyikmthbdsjhaeoptuvik'))

/** Returns the text in the spelling that the rules use: lower case; plain letters in place of
 *  full-width and styled ones; no accents and no invisible characters; Latin letters in place of
 *  Cyrillic and Greek look-alikes inside Latin words; simplified Chinese characters in place of the
 *  traditional ones that `simplified` lists. */
export function normalizePrompt(prompt: string, simplified: ReadonlyMap<string, string>): string {
  const plain = normalForm(prompt, 'NFKD').replace(marks, '').replace(invisible, '').toLowerCase()
  const latin = foreignLetters.test(plain)
    ? plain.replace(letterRuns, run => (/[a-z]/.test(run) ? Array.from(run, letter => twins.get(letter) ?? letter).join('') : run))
    : plain
  return latin.replace(/\p{Script=Han}/gu, character => simplified.get(character) ?? character)
}

/** Returns the tokens of a normalised prompt in order. Takes time linear in its length. */
export function tokenizePrompt(text: string): PromptToken[] {
  const tokens: DraftToken[] = []
  let end = 0
  let isLone = false
  for (const match of text.matchAll(compounds)) {
    const gap = text.slice(end, match.index)
    const isLatin = latinStart.test(match[0])
    const groups = isLatin ? readCompound(match[0]) : (match[0].match(/\p{Script=Han}/gu) ?? []).map(character => [character])
    // Single Chinese characters that spaces separate are joined to one run. A space beside a group
    // of several characters separates two phrases.
    const continues = isLone && !isLatin && groups.length === 1 && gap.trim() === ''
    if (continues) tokens.at(-1)!.isJoined = true
    isLone = !isLatin && groups.length === 1
    appendTokens(tokens, groups, {
      isHan: !isLatin,
      startsClause: clauseEnd.test(gap) || clauseEnd.test(text.slice(Math.max(0, end - 1), end)),
    })
    end = match.index + match[0].length
  }
  return mergeSpelledWords(tokens)
}

interface DraftToken extends PromptToken {
  forms: string[]
  isJoined: boolean
}

function appendTokens(tokens: DraftToken[], groups: string[][], { isHan, startsClause }: { isHan: boolean; startsClause: boolean }): void {
  for (const [index, forms] of groups.entries()) {
    const last = tokens.at(-1)
    const isStart = startsClause && index === 0
    const at = last === undefined ? 0 : last.at + (last.isHan ? 0.5 : 1) + (isStart ? clauseGap : 0)
    tokens.push({ forms, at, isHan, isJoined: isHan && index < groups.length - 1, startsClause: isStart })
  }
}

/** Returns the spellings of each word of a compound such as "b-l-ood". The spellings of the whole
 *  compound without its signs are added to those of the first word. */
function readCompound(compound: string): string[][] {
  const words = compound.match(pieces)?.map(piece => unique([piece, ...withoutStretching(piece), ...readLookAlikes(piece)])) ?? []
  const first = words[0]
  const stripped = compound.replace(/[^a-z0-9]/g, '')
  if (first === undefined || stripped.length === compound.length || compound.length > longestJoined * 2) return words
  if (stripped.length > longestJoined) return words
  const whole = [stripped, ...withoutStretching(stripped), ...readLookAlikes(compound), ...fillBlank(compound)]
  words[0] = unique([...first, ...whole])
  return words
}

/** Returns two spellings of a word in which a letter is repeated three times or more: with each
 *  repetition shortened to one letter, and to two. "nuuude" gives "nude" and "nuude". Empty for
 *  other words. */
function withoutStretching(word: string): string[] {
  return /(.)\1\1/.test(word) ? [word.replace(/(.)\1{2,}/g, '$1'), word.replace(/(.)\1{2,}/g, '$1$1')] : []
}

/** Returns the word with digits and signs replaced by the letters that they look like. Empty when
 *  the word has no digits or signs, or no letters. */
function readLookAlikes(word: string): string[] {
  if (word.length > longestJoined || !/[a-z]/.test(word) || !/[0-9@$!|+]/.test(word)) return []
  const read = Array.from(word.replace(/[!|+]+$/, ''), sign => lookAlikes[sign] ?? sign)
    .join('')
    .replace(/[^a-z]/g, '')
  return word.includes('1')
    ? [
        read,
        Array.from(word, sign => (sign === '1' ? 'l' : (lookAlikes[sign] ?? sign)))
          .join('')
          .replace(/[^a-z]/g, ''),
      ]
    : [read]
}

/** Returns the words that a word with one masked letter ("f*sh") may stand for: one for each
 *  vowel. */
function fillBlank(compound: string): string[] {
  const blank = /^([a-z]+)[*#]([a-z]+)$/.exec(compound)
  return blank === null ? [] : ['a', 'e', 'i', 'o', 'u'].map(vowel => `${blank[1]}${vowel}${blank[2]}`)
}

/** Merges three or more single letters in a row into one word ("b l o o d"). The first letter may
 *  be the article "a", so the word without a first "a" is added as a second spelling. */
function mergeSpelledWords(tokens: readonly DraftToken[]): PromptToken[] {
  const merged: PromptToken[] = []
  let saved = 0
  for (let start = 0; start < tokens.length; start++) {
    const first = tokens[start]!
    let end = start
    while (end < tokens.length && end - start < longestSpelled && /^[a-z]$/.test(tokens[end]!.forms[0] ?? '')) end++
    const isWord = end - start >= 3
    const word = tokens
      .slice(start, end)
      .map(({ forms }) => forms[0])
      .join('')
    merged.push({ ...first, at: first.at - saved, forms: isWord ? [word, word.slice(1)] : first.forms })
    if (!isWord) continue
    saved += end - start - 1
    start = end - 1
  }
  return merged
}

function unique(words: string[]): string[] {
  return words.length < 2 ? words : [...new Set(words)]
}

function* zip(left: string, right: string): Generator<[string, string]> {
  const others = Array.from(right)
  for (const [index, letter] of Array.from(left).entries()) yield [letter, others[index] ?? letter]
}
