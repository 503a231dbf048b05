/** Splits a normalised sentence into tokens: words, spelled letters, placeholders for given
 *  phonemes, and punctuation marks. */

export interface Token {
  text: string
  /** `letters` is an abbreviation that is spelled, such as `F·B·I·`, possibly with a clitic.
   *  `given` is one placeholder character for a pronunciation that the request specifies. */
  kind: 'word' | 'letters' | 'given' | 'mark'
  /** True when a space precedes the token; false for `known` in `well-known`. */
  isApart: boolean
}

/** Character code of the first placeholder for a requested pronunciation; the n-th placeholder is
 *  `firstGiven + n`. */
export const firstGiven = 0xe000
export const mostGiven = 0x1900

const pattern =
  /(?<given>[\uE000-\uF8FF])|(?<letters>(?:\p{L}·)+(?:['’](?:s|d|ll|ve|re)\b|s\b)?)|(?<word>['’]?[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*['’]?)|(?<mark>[;:,.!?—…"“”()])/gu

export function tokensOf(sentence: string): Token[] {
  const tokens: Token[] = []
  let end = -1
  for (const match of sentence.matchAll(pattern)) {
    const kind = kinds.find(each => match.groups?.[each] !== undefined) ?? 'word'
    const isJoined = tokens.length > 0 && (match.index === end || sentence.slice(end, match.index) === '-')
    tokens.push({ text: match[0].replaceAll('’', "'"), kind, isApart: !isJoined })
    end = match.index + match[0].length
  }
  return tokens
}

const kinds = ['given', 'letters', 'word', 'mark'] as const

/** Returns the sentence split as the tagger expects (clitics and hyphens are separate words), and
 *  for each token the index of its first word in `words`. */
export function forTagger(tokens: readonly Token[]): { words: string[]; starts: number[] } {
  const words: string[] = []
  const starts = tokens.map((token, index) => {
    const isCompound = !token.isApart && token.kind === 'word' && tokens[index - 1]?.kind === 'word'
    if (isCompound) words.push('-')
    const start = words.length
    words.push(...taggerWords(token))
    return start
  })
  return { words, starts }
}

function taggerWords({ text, kind }: Token): string[] {
  if (kind === 'given') return ['Word']
  if (kind === 'letters') return [text.replaceAll('·', '')]
  if (kind === 'mark') return [text]
  const parts = /^(.+?)(n't|'(?:s|d|ll|ve|re|m))$/i.exec(text)
  if (!parts || /^(can't|won't|shan't|let's)$/i.test(text)) {
    const special = clitics.get(text.toLowerCase())
    return special ? [...special] : [text]
  }
  return [parts[1] ?? '', parts[2] ?? '']
}

const clitics = new Map([
  ["can't", ['ca', "n't"]],
  ["won't", ['wo', "n't"]],
  ["shan't", ['sha', "n't"]],
  ["let's", ['let', "'s"]],
  ['cannot', ['can', 'not']],
  ['gonna', ['gon', 'na']],
])
