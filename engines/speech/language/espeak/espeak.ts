/** Converts texts in Spanish, French, Italian, Portuguese and Hindi to chunks with phonemes. The
 *  phonemes come from eSpeak NG, which the gateway's process starts as a child process. */
import type { PackFiles } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createCutter, type Unit } from '../cut.ts'
import { fromESpeak } from '../ipa.ts'
import type { Chunk, SpokenText } from '../plan.ts'
import { withPronunciations } from '../pronunciations.ts'
import { type Sentence, sentencesOf } from '../sentences.ts'
import { type ESpeakLanguage, normaliseFor } from './normalise.ts'
import { eSpeakPack } from './packs.ts'
import { findESpeak } from './program.ts'

const voices: Record<ESpeakLanguage, string> = { es: 'es', fr: 'fr', it: 'it', pt: 'pt-br', hi: 'hi' }
/** Number of sentences in each run of eSpeak: 1 in the first, 4 in the second, and so on. The first
 *  runs are small, so that the first sound comes early. */
const batches = [1, 4, 16, 64]

export function isReadByESpeak(language: string): language is ESpeakLanguage {
  return language in voices
}

/** Yields the chunks of a text in one of eSpeak's languages. Each chunk is made when the caller
 *  requests it. Before each run of the program, `take` waits for a place in the queue. Throws
 *  `capability_unavailable` when eSpeak NG is not installed, and `internal_error` when it fails. */
export async function* chunksByESpeak(
  text: SpokenText & { language: ESpeakLanguage },
  packs: PackFiles,
  { signal, take }: { signal?: AbortSignal; take?(): Promise<Disposable> } = {},
): AsyncGenerator<Chunk> {
  const program = findESpeak(packs)
  if (!program)
    throw new GatewayError(
      'capability_unavailable',
      `eSpeak NG is not installed, which tells how this language is pronounced. ${packs.howToGet(eSpeakPack)}`,
    )
  const { text: marked, given } = withPronunciations(text.text, text.pronunciations ?? [])
  const cutter = createCutter(text)
  let batch: Sentence[] = []
  let round = 0
  const readInTurn = async (clauses: readonly string[]): Promise<string[]> => {
    using _place = await take?.()
    return await program.read(clauses, voices[text.language], signal)
  }
  const read = async (): Promise<Chunk[]> => {
    const sentences = batch.map(({ text: sentence, end }) => ({ parts: partsOf(normaliseFor(text.language, sentence)), end }))
    batch = []
    round++
    const clauses = sentences.flatMap(({ parts }) => parts.filter(part => part.kind === 'clause').map(part => part.text))
    const lines = await readInTurn(clauses)
    let at = 0
    return sentences.flatMap(({ parts, end }) => {
      const units = parts.flatMap(part =>
        part.kind === 'clause' ? unitsOf(part.text, lines[at++] ?? '', text.language) : [unitOf(part, given)],
      )
      return cutter.add(units, end)
    })
  }
  for (const sentence of sentencesOf(marked)) {
    batch.push(sentence)
    if (batch.length >= (batches[round] ?? batches.at(-1)!)) yield* await read()
  }
  yield* await read()
  yield* cutter.flush()
}

interface Part {
  text: string
  kind: 'clause' | 'mark' | 'given'
  isApart: boolean
}

/** Splits a sentence into clauses, punctuation marks and placeholders of given phonemes.
 *  Brackets, quotes, dashes and the Spanish marks `¿` and `¡` always split. Other marks split
 *  only at the end of a word, so those in 3.5 and U.S. belong to the word. */
function partsOf(sentence: string): Part[] {
  const parts: Part[] = []
  const marks = /[\uE000-\uF8FF]|[¿¡("]+|[;:,.!?…।॥]+(?=[\s)"]|$)|[)"]|—/gu
  let from = 0
  const clause = (to: number): void => {
    const text = sentence.slice(from, to)
    if (/[\p{L}\p{N}\p{So}]/u.test(text)) parts.push({ text: text.trim(), kind: 'clause', isApart: from === 0 || /^\s/.test(text) })
  }
  for (const match of sentence.matchAll(marks)) {
    clause(match.index)
    const text = match[0]
    const isApart = /\s/.test(sentence.charAt(match.index - 1))
    if (/[\uE000-\uF8FF]/.test(text)) parts.push({ text, kind: 'given', isApart })
    else if (!/^[¿¡]+$/.test(text)) parts.push({ text: text.replace(/[¿¡]/g, '').slice(0, 1), kind: 'mark', isApart })
    from = match.index + text.length
  }
  clause(sentence.length)
  return parts
}

function unitOf({ text, kind, isApart }: Part, given: readonly string[]): Unit {
  if (kind === 'given') return { text, phonemes: given[text.charCodeAt(0) - 0xe000] ?? '', isApart, isMark: false }
  return { text, phonemes: /[।॥]/.test(text) ? '.' : text === '"' ? '”' : text, isApart, isMark: true }
}

/** Italian possessives. eSpeak gives them only secondary stress, and then Kokoro runs them into the
 *  next word: "mia sorella" sounded like "mi assorella". */
const italianOwners = /^(?:mi[aoe]|miei|tu[aoe]|tuoi|su[aoe]|suoi)$/i

/** Returns the words of a clause with their phonemes. eSpeak sometimes joins words, so it may
 *  return fewer words than the clause has; the last returned word then gets the rest of the
 *  clause's text. */
function unitsOf(clause: string, line: string, language: ESpeakLanguage): Unit[] {
  const spoken = fromESpeak(line)
    .split(' ')
    .filter(word => word !== '')
  const written = clause.split(' ')
  return spoken.map((phonemes, index) => {
    const text = (index === spoken.length - 1 ? written.slice(index).join(' ') : written[index]) ?? ''
    const isWeak = language === 'it' && italianOwners.test(text)
    return { text, phonemes: isWeak ? phonemes.replace('ˌ', 'ˈ') : phonemes, isApart: true, isMark: false }
  })
}
