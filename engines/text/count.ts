/** Counts the tokens of a prompt piece by piece, so that other conversations can run in between.
 *  For a prompt that is much too long, the count stops early. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LlamaText, type Token } from 'node-llama-cpp'
import type { OpenModel } from './model.ts'

/** Characters per piece: splitting one into tokens takes 10 to 40 ms on one core (decision
 *  0012). */
const pieceLength = 16_384
/** Largest distance, in characters, from the end of a piece to the space at which the piece is
 *  cut. */
const furthestSpace = 2_000

type Piece = LlamaText['values'][number]

export interface CountOptions {
  model: OpenModel['model']
  /** Largest number of tokens allowed; counting may stop when there are more. */
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

/** Returns the tokens of a prompt. A long text is cut before spaces. No common token contains a
 *  space in its middle, so the tokens are the same as those of the whole text. */
export async function countedTokens(contextText: LlamaText, { model, most, isCancelled, giveWay }: CountOptions): Promise<CountResult> {
  const tokens: Token[] = []
  let left = contextText.values.reduce((sum, value) => sum + weightOf(value), 0)
  let sinceTurn = 0
  for (const piece of piecesOf(contextText)) {
    // When little text is left, its tokens are counted even beyond the limit, so that the refusal
    // can state the exact number.
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

/** Returns the cost of counting a piece, in characters. A special token of the chat template costs
 *  about as much as a hundred characters. */
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

/** Returns a position at which a text can be cut: the last space before `end` that follows a word.
 *  Without such a space it returns `end`, or one less if `end` would split a surrogate pair. */
function cutBefore(text: string, end: number): number {
  for (let at = end; at > end - furthestSpace; at--) if (text[at] === ' ' && text[at - 1] !== ' ') return at
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end
}
