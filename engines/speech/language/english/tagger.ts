/** Determines the parts of speech (Penn Treebank tags) with an averaged perceptron. Its weights
 *  come from the pack of the speech model Hibari; they were trained on the tags that spaCy
 *  gives. */
import { packObject } from './packed-object.ts'

export interface Tagger {
  /** Returns one tag for each token of a sentence; punctuation and clitics (`n't`, `'s`) are
   *  separate tokens. */
  tag(tokens: readonly string[]): string[]
}

/** Creates the tagger. `json` is the pack's `tagger.json` with the members `tags`, `tagdict` (words
 *  with only one tag), `vocab` and, last, `weights` (feature -> tag -> weight). The weights are
 *  stored in flat arrays, because objects would take several times the memory. */
export function createTagger(json: Uint8Array): Tagger {
  const decoder = new TextDecoder()
  const start = Buffer.from(json.buffer, json.byteOffset, json.length).indexOf(weightsName)
  const head: { tags: string[]; tagdict: Record<string, string>; vocab: string[] } = JSON.parse(
    `${decoder.decode(json.subarray(0, start))}}`,
  )
  const { tags } = head
  const known = new Set(head.vocab)
  const always = new Map(Object.entries(head.tagdict))
  const { places, ends, columns, values } = readWeights(json, start + weightsName.length, tags)
  const scores = new Float64Array(tags.length)

  /** Returns the tag with the highest score. On a tie, the last tag by name wins, as it did in the
   *  training. */
  const best = (features: readonly string[]): string => {
    scores.fill(0)
    for (const feature of features) {
      const place = places.find(feature)?.index
      if (place === undefined) continue
      for (let at = place === 0 ? 0 : ends[place - 1]!; at < ends[place]!; at++) {
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

/** Parses the weights of all features into two flat lists. The weights of feature number `index`
 *  end at position `ends[index]`; `columns` has the tag of each weight. */
function readWeights(json: Uint8Array, start: number, tags: readonly string[]) {
  const ends = new Uint32Array(Math.ceil(json.length / shortestFeature))
  const columnOf = new Map(tags.map((tag, index) => [keyOf(encoder.encode(tag), 0, tag.length), index]))
  let columns = new Uint8Array(1 << 19)
  let values = new Float32Array(1 << 19)
  let filled = 0
  const places = packObject(json, start, value => {
    for (let at = value.from; at < value.to - 1; ) {
      let nameTo = at + 2
      while (json[nameTo] !== quote) nameTo++
      let to = nameTo + 2
      while (json[to] !== comma && json[to] !== close) to++
      if (filled === values.length)
        [columns, values] = [grown(columns, new Uint8Array(filled * 2)), grown(values, new Float32Array(filled * 2))]
      columns[filled] = columnOf.get(keyOf(json, at + 2, nameTo)) ?? 0
      values[filled++] = numberAt(json, nameTo + 2, to)
      at = to
    }
    ends[value.index] = filled
  })
  return { places, ends, columns, values }
}

const weightsName = ',"weights":'
const quote = 0x22
const comma = 0x2c
const close = 0x7d
/** Assumed least average length in bytes of a feature with its weights. */
const shortestFeature = 16
const encoder = new TextEncoder()

function grown<List extends Uint8Array | Float32Array>(from: List, into: List): List {
  into.set(from)
  return into
}

/** Returns a hash number for the name of a tag. */
function keyOf(bytes: Uint8Array, from: number, to: number): number {
  let key = 0
  for (let at = from; at < to; at++) key = (Math.imul(key, 131) + bytes[at]!) | 0
  return key
}

/** Parses a number such as `-2.3`: a sign, digits, perhaps a point and digits. */
function numberAt(json: Uint8Array, from: number, to: number): number {
  let value = 0
  let scale = 0
  for (let at = from; at < to; at++) {
    const digit = json[at]! - 48
    if (digit >= 0 && digit < 10) {
      value = value * 10 + digit
      scale *= 10
    } else if (digit === -2) scale = 1
  }
  return (json[from] === 45 ? -value : value) / (scale || 1)
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

/** Returns the form of a word from which features are built: the word in lower case, or a code such
 *  as `!YEAR`, if the vocabulary has it; else the shape of the word. */
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
