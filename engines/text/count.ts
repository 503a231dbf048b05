/** Counts the tokens of a prompt piece by piece: other conversations run in between, and the count
 *  of a much too long prompt stops early. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LlamaText, type Token } from 'node-llama-cpp'
import type { OpenModel } from './model.ts'

/** Characters per piece: splitting one into tokens takes 10 to 40 ms on one core (decision
 *  0012). */
const pieceLength = 16_384
/** Number of characters before the end of a piece in which a space is searched; the piece is cut
 *  there. */
const furthestSpace = 2_000

type Piece = LlamaText['values'][number]

export interface CountOptions {
  model: OpenModel['model']
  /** Largest number of tokens allowed; counting may stop after it. */
  most: number
  isCancelled(): boolean
  /** Called and awaited between two pieces, so that other requests can be counted. */
  giveWay(): Promise<void>
}

interface CountResult {
  tokens: Token[]
  /** False when counting stopped before the end. */
  isWhole: boolean
}

/** Returns the tokens of a prompt. A long text is cut before spaces; as no common token spans a
 *  space, the tokens are the same as for the whole text. */
export async function countedTokens(contextText: LlamaText, { model, most, isCancelled, giveWay }: CountOptions): Promise<CountResult> {
  const tokens: Token[] = []
  let left = contextText.values.reduce((sum, value) => sum + weightOf(value), 0)
  let sinceTurn = 0
  for (const piece of piecesOf(contextText)) {
    // When little text is left, it is counted to the end, so that the refusal can state the exact
    // number.
    if ((tokens.length > most && left > pieceLength) || isCancelled()) return { tokens, isWhole: false }
    if (sinceTurn >= pieceLength) {
      sinceTurn = 0
      await nextTurn()
      await giveWay()
    }
    const options = tokens.length > 0 ? 'trimLeadingSpace' : undefined
    for (const token of LlamaText([piece]).tokenize(model.tokenizer, options)) tokens.push(token)
    sinceTurn += weightOf(piece)
    left -= weightOf(piece)
  }
  return { tokens, isWhole: true }
}

/** Returns the cost of a piece, in characters; a special token of the chat template costs about as
 *  much as a hundred characters. */
function weightOf(piece: Piece): number {
  return typeof piece === 'string' ? piece.length : 100
}

function* piecesOf({ values }: LlamaText): Generator<Piece> {
  for (const value of values) {
    if (typeof value === 'string') yield* pieces(value)
    else yield value
  }
}

function* pieces(text: string): Generator<string> {
  let start = 0
  while (text.length - start > pieceLength) {
    const end = cutBefore(text, start + pieceLength)
    yield text.slice(start, end)
    start = end
  }
  yield text.slice(start)
}

/** Returns the position of the last space after a word before `end`; without one, `end`, moved so
 *  that it does not split a surrogate pair. */
function cutBefore(text: string, end: number): number {
  for (let at = end; at > end - furthestSpace; at--) if (text[at] === ' ' && text[at - 1] !== ' ') return at
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end
}
