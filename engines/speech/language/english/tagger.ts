/** Parts of speech (Penn Treebank tags) by an averaged perceptron: the weights are Hibari's, trained on spaCy's tags. */

/** As the pack's `tagger.json.gz` has it. */
export interface TaggerModel {
  tags: string[]
  tagdict: Record<string, string>
  vocab: string[]
  weights: Record<string, Record<string, number>>
}

export interface Tagger {
  /** One tag for each token of a sentence; punctuation and clitics (`n't`, `'s`) are tokens of their own. */
  tag(tokens: readonly string[]): string[]
}

/** Weights in flat arrays: the model's own objects would take several times the memory. */
export function createTagger({ tags, tagdict, vocab, weights }: TaggerModel): Tagger {
  const known = new Set(vocab)
  const always = new Map(Object.entries(tagdict))
  const indexOf = new Map(tags.map((tag, index) => [tag, index]))
  const places = new Map<string, number>()
  const total = Object.values(weights).reduce((sum, row) => sum + Object.keys(row).length, 0)
  const columns = new Uint8Array(total)
  const values = new Float32Array(total)
  const ends = new Uint32Array(Object.keys(weights).length)
  let filled = 0
  let row = 0
  for (const feature in weights) {
    for (const tag in weights[feature]) {
      columns[filled] = indexOf.get(tag) ?? 0
      values[filled++] = weights[feature]?.[tag] ?? 0
    }
    places.set(feature, row)
    ends[row++] = filled
  }
  const scores = new Float64Array(tags.length)

  /** The best tag; of equal ones the last by name, as in training. */
  const best = (features: readonly string[]): string => {
    scores.fill(0)
    for (const feature of features) {
      const place = places.get(feature)
      if (place === undefined) continue
      for (let at = place === 0 ? 0 : (ends[place - 1] ?? 0); at < (ends[place] ?? 0); at++) {
        const column = columns[at] ?? 0
        scores[column] = (scores[column] ?? 0) + (values[at] ?? 0)
      }
    }
    let found = 0
    for (let tag = 1; tag < scores.length; tag++) {
      const lead = (scores[tag] ?? 0) - (scores[found] ?? 0)
      if (lead > 0 || (lead === 0 && (tags[tag] ?? '') > (tags[found] ?? ''))) found = tag
    }
    return tags[found] ?? 'NN'
  }

  return {
    tag(tokens) {
      const window = ['-START2-', '-START-', ...tokens.map(token => seen(token, known)), '-END-', '-END2-']
      let [before, beforeThat] = ['-START-', '-START2-']
      return tokens.map((token, index) => {
        const tag = always.get(token) ?? best(features(token, index, window, before, beforeThat))
        ;[before, beforeThat] = [tag, before]
        return tag
      })
    },
  }
}

function features(token: string, index: number, window: readonly string[], before: string, beforeThat: string): string[] {
  const at = (offset: number): string => window[index + 2 + offset] ?? ''
  return [
    'b',
    `s3=${[...token].slice(-3).join('')}`,
    `p1=${[...token][0] ?? ''}`,
    `w=${at(0)}`,
    `sh=${shape(token)}`,
    index === 0 ? 'i0' : 'i+',
    `t-1=${before}`,
    `t-2=${beforeThat}`,
    `t-12=${before},${beforeThat}`,
    `w-1=${at(-1)}`,
    `s3-1=${at(-1).slice(-3)}`,
    `w-2=${at(-2)}`,
    `w+1=${at(1)}`,
    `s3+1=${at(1).slice(-3)}`,
    `w+2=${at(2)}`,
  ]
}

/** A word as the weights know it: rare ones by their shape only. */
function seen(token: string, known: ReadonlySet<string>): string {
  let word = token.toLowerCase()
  if (token.includes('-') && !token.startsWith('-')) word = '!HYPHEN'
  else if (/^\d{4}$/.test(token)) word = '!YEAR'
  else if (/^\d/.test(token)) word = '!DIGITS'
  return known.has(word) ? word : `<${shape(token)}>`
}

function shape(token: string): string {
  if (/^\p{L}+$/u.test(token)) {
    if (token === token.toLowerCase()) return 'x'
    if (token === token.toUpperCase()) return token.length > 1 ? 'XX' : 'X1'
    return /^\p{Lu}\P{Lu}+$/u.test(token) ? 'Xx' : 'xX'
  }
  if (/^\d+$/.test(token)) return 'd'
  return [...token.slice(0, 4)].map(char => (/\d/.test(char) ? 'd' : /\p{L}/u.test(char) ? 'x' : char)).join('')
}
