/** Tokens of a normalised sentence: words, spelled letters, given phonemes, marks. */

export interface Token {
  text: string
  /** `letters`: `F·B·I·`, maybe with a clitic; `given`: one character that stands for phonemes
   *  of the request. */
  kind: 'word' | 'letters' | 'given' | 'mark'
  /** True when a space stands before the token; the parts of `well-known` have none. */
  isApart: boolean
}

/** First placeholder for pronunciations of the request; the n-th is n characters further. */
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

/** Returns the tokens in the tagger's division, and the index at which each token begins there: the
 *  tagger was trained on separate clitics and hyphens. */
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
