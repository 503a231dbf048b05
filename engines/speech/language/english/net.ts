/** Predicts the phonemes of unknown words with a neural network from the pack. The network was
 *  trained with CTC: it outputs one class for each time slot, and repeated classes and blanks are
 *  removed from the result. */
import { readFile } from 'node:fs/promises'
import { loadOnce } from '@generation-gateway/kit/load-once.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'

export interface UnknownWords {
  /** Returns the phonemes of a word; an empty text when the network knows none of the word's
   *  characters. */
  read(word: string): Promise<string>
}

/** Matches characters of the network's output that are not in Kokoro's alphabet. */
const spoken = /[^AIOQTWYabdefhijklmnopstuvwzæðŋɑɒɐɔəɛɜɡɪɹɾʃʊʌʒʤʧˈˌːθᵊᵻ]/g
const remembered = 20_000

/** Opens the network; `settings` is the path of its JSON file. */
export async function openUnknownWords(model: string, settings: string): Promise<UnknownWords> {
  const facts: { in: string[]; out: string[]; maxlen: number } = JSON.parse(await readFile(settings, 'utf8'))
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 })
  const numbers = new Map(facts.in.map((char, index) => [char, BigInt(index + 1)]))
  const known = new Map<string, Promise<string>>()

  const run = async (piece: string): Promise<string> => {
    const ids = [...piece].map(char => numbers.get(char)).filter(id => id !== undefined)
    if (ids.length === 0) return ''
    const [inputName = 'chars'] = session.inputNames
    const answer = await session.run({ [inputName]: new Tensor('int64', BigInt64Array.from(ids), [1, ids.length]) })
    const classes = Object.values(answer)[0]?.data ?? []
    let phonemes = ''
    let before = 0
    for (const each of classes) {
      const at = Number(each)
      if (at !== before && at !== 0) phonemes += facts.out[at - 1] ?? ''
      before = at
    }
    return phonemes.replace(spoken, '').replaceAll('ɾ', 'T')
  }
  return {
    read(word) {
      if (known.size >= remembered && !known.has(word)) known.clear()
      return loadOnce(known, word, async () => (await Promise.all(piecesOf(word, facts.maxlen).map(run))).join(''))
    },
  }
}

/** Splits a word that is longer than the network accepts into pieces of about equal length. */
function piecesOf(word: string, longest: number): string[] {
  const chars = [...word]
  const count = Math.ceil(chars.length / longest)
  const size = Math.ceil(chars.length / Math.max(1, count))
  return Array.from({ length: count }, (_, index) => chars.slice(index * size, (index + 1) * size).join(''))
}
