/** Divides words and punctuation marks into chunks of speech. A chunk ends after a sentence if
 *  possible, else after a clause, a phrase or a word. */
import { type Chunk, longestChunk, type SpokenText } from './plan.ts'
import type { Sentence } from './sentences.ts'

/** A word or a punctuation mark with its phonemes. */
export interface Unit {
  text: string
  phonemes: string
  /** True when a space precedes the unit. */
  isApart: boolean
  isMark: boolean
}

/** Usual length of a chunk in phonemes. In much longer chunks, the voices speak too fast. */
const usual = 240
/** At the start of a text, the limit for a chunk is the length of the chunk before it,
 *  multiplied by this factor. The slowest voice needs up to 0.72 of a chunk's duration to
 *  produce the chunk. At 1.35, the next chunk needs 0.97 of the current chunk's duration, so it
 *  is ready in time. */
const growth = 1.35
/** A sentence with fewer phonemes than this is spoken together with the next one, because voices
 *  speak single words badly. */
const short = 30
const longestUnit = longestChunk - 40

const pauses = new Map([
  [',', 130],
  [')', 130],
  ['”', 130],
  [';', 240],
  [':', 260],
  ['—', 220],
  ['…', 420],
  ['.', 380],
  ['!', 380],
  ['?', 400],
])
const endPauses = { sentence: 340, line: 420, paragraph: 700, heading: 800 } as const

interface Cutter {
  /** Adds a sentence and returns the chunks that are complete. */
  add(units: readonly Unit[], end: Sentence['end']): Chunk[]
  /** Returns the remaining chunks. */
  flush(): Chunk[]
}

type Sizes = Pick<SpokenText, 'firstChars' | 'mostChars' | 'isInParts'>

export function createCutter({ firstChars, mostChars = usual, isInParts = false }: Sizes): Cutter {
  let limit = Math.min(firstChars ?? mostChars, mostChars)
  let held: Unit[] = []
  let heldEnd: Sentence['end'] = 'sentence'

  const emit = (units: readonly Unit[], pauseMs: number, around: Pick<Chunk, 'before' | 'after'>): Chunk[] => {
    const phonemes = lineOf(units, unit => unit.phonemes)
    if (!/[\p{L}]/u.test(phonemes)) return []
    limit = Math.min(mostChars, Math.max(limit, Math.round(phonemes.length * growth)))
    const text = lineOf(units, unit => unit.text, '-')
      .replace(/\s+/g, ' ')
      .replace(/ (?=[.,;:!?…)])|(?<=[\p{Script=Han}，。！？；：、]) (?=\p{Script=Han})/gu, '')
    return [{ text, phonemes, pauseMs, ...around }]
  }
  const flush = (): Chunk[] => {
    const chunks: Chunk[] = []
    let rest = held
    held = []
    while (rest.length > 0) {
      const at = breakOf(rest, isInParts ? usual : limit)
      const utterance = rest.slice(0, at)
      rest = rest.slice(at)
      chunks.push(...partsOf(utterance, rest.length > 0 ? pauseAfter(utterance) : Math.max(pauseAfter(utterance), endPauses[heldEnd])))
    }
    return chunks
  }
  const partsOf = (utterance: readonly Unit[], pauseMs: number): Chunk[] => {
    const chunks: Chunk[] = []
    for (let from = 0; from < utterance.length; ) {
      const to = isInParts ? from + breakOf(utterance.slice(from), limit) : utterance.length
      chunks.push(...emit(utterance.slice(from, to), to < utterance.length ? 0 : pauseMs, aroundOf(utterance, from, to)))
      from = to
    }
    return chunks
  }
  return {
    add(units, end) {
      const sentence = units.flatMap(unit => (unit.phonemes.length > longestUnit ? parted(unit) : [unit]))
      const together = lengthOf(held) + lengthOf(sentence)
      const isJoined = held.length > 0 && heldEnd === 'sentence' && lengthOf(held) < short && together < limit
      const ready = isJoined ? [] : flush()
      held = isJoined ? [...held, ...sentence] : sentence
      heldEnd = end
      // A short sentence is held back and spoken together with the next one. At the start of a
      // text, while the chunks are still growing, it is spoken immediately, so that the sound is
      // not delayed.
      return lengthOf(held) < short && limit === mostChars ? ready : [...ready, ...flush()]
    },
    flush,
  }
}

/** Returns the texts or the phonemes of the units (`part` chooses) as one line. `joint` is written
 *  between two words of a compound (words without a space between them). */
function lineOf(units: readonly Unit[], part: (unit: Unit) => string, joint = ''): string {
  return units.map((unit, index) => between(unit, units[index - 1], joint) + part(unit)).join('')
}

function between(unit: Unit, before: Unit | undefined, joint = ''): string {
  if (!before || /[(“]$/.test(before.phonemes) || (!unit.isApart && (unit.isMark || before.isMark))) return ''
  return unit.isApart ? ' ' : joint
}

/** Returns the context of a part of an utterance: the phonemes before unit `from` and those from
 *  unit `to` on, with the spaces at these borders. */
function aroundOf(utterance: readonly Unit[], from: number, to: number): Pick<Chunk, 'before' | 'after'> {
  const line = (units: readonly Unit[]) => lineOf(units, unit => unit.phonemes)
  const [first, next] = [utterance[from], utterance[to]]
  return {
    ...(from > 0 && first ? { before: line(utterance.slice(0, from)) + between(first, utterance[from - 1]) } : {}),
    ...(next ? { after: between(next, utterance[to - 1]) + line(utterance.slice(to)) } : {}),
  }
}

function lengthOf(units: readonly Unit[]): number {
  return units.reduce((sum, unit) => sum + unit.phonemes.length + (unit.isApart ? 1 : 0), 0)
}

function pauseAfter(units: readonly Unit[]): number {
  const mark = units.findLast(unit => !/["“”()]/.test(unit.text))
  const last = units.at(-1)
  if (!last?.isMark) return 0
  return pauses.get(mark?.isMark ? mark.phonemes : last.phonemes) ?? 60
}

/** Returns how many units from the start make a chunk of about `limit` phonemes. */
function breakOf(units: readonly Unit[], limit: number): number {
  if (lengthOf(units) <= Math.min(longestChunk, limit * 1.25)) return units.length
  let length = 0
  let best = 0
  let bestWorth = 0
  for (let index = 0; index < units.length; index++) {
    length += units[index]!.phonemes.length + (units[index]!.isApart ? 1 : 0)
    if (best > 0 && length > limit) break
    const worth = breakWorth(units, index) * nearness(length / limit)
    if (worth >= bestWorth && worth > 0) [best, bestWorth] = [index + 1, worth]
    if (length > longestUnit) return best > 0 ? best : Math.max(1, index)
  }
  return best > 0 ? best : units.length
}

/** Returns a weight from 0.1 to 1 for the length of a chunk; `share` is its length divided by the
 *  limit. The closer the length is to the limit, the larger the weight. */
function nearness(share: number): number {
  return share < 0.25 ? 0.1 : Math.min(1, share)
}

/** Returns how good a break after unit `index` is: 0 when a break is not possible, up to 8 after
 *  the end of a sentence or clause. */
function breakWorth(units: readonly Unit[], index: number): number {
  const [unit, next] = [units[index]!, units[index + 1]]
  if (!next?.isApart || (next.isMark && !/[("“—]/.test(next.text))) return 0
  if (unit.isMark) return /[(“]/.test(unit.text) ? 0 : /[.!?…;:—]/.test(unit.phonemes) ? 8 : 6
  const word = next.text.toLowerCase()
  if (conjunctions.has(word)) return 2.5
  if (prepositions.has(word)) return 1.5
  return holding.has(unit.text.toLowerCase()) ? 0.2 : 0.6
}

const conjunctions = wordSet(`and but or nor so because although though while when where which who that if unless until since whereas
  y pero o porque aunque cuando que si et mais ou car lorsque quand qui e ma perché quando che se mas porque quando और लेकिन कि`)
const prepositions =
  wordSet(`in on at by for from with without into onto over under between through during after before about against of to as
  en con por para sin sobre desde hasta dans avec pour sans sur chez entre depuis di in con su per tra fra da em com sem sobre até`)
/** Words after which no break should come, because they belong to the next word. */
const holding = wordSet(`the a an my your his her its our their this that these those very too of to in on at for with by from and or
  el la los las un una de del le les des du il lo gli i una uno o os as um uma mister missus doctor saint`)

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}

/** Cuts a single extremely long word into pieces that fit into a chunk. */
function parted(unit: Unit): Unit[] {
  const size = Math.ceil(unit.phonemes.length / Math.ceil(unit.phonemes.length / longestUnit))
  const parts = Math.ceil(unit.phonemes.length / size)
  const textSize = Math.ceil(unit.text.length / parts)
  return Array.from({ length: parts }, (_, part) => ({
    ...unit,
    isApart: part > 0 || unit.isApart,
    text: unit.text.slice(part * textSize, (part + 1) * textSize),
    phonemes: unit.phonemes.slice(part * size, (part + 1) * size),
  }))
}
