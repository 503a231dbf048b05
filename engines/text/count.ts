/** Counts the tokens of a prompt piece by piece: other conversations run in between, and a prompt
 *  that is too long is not counted to its end. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LlamaText, type Token } from 'node-llama-cpp'
import type { OpenModel } from './model.ts'

/** Characters per piece: tokenizing one takes 10 to 40 ms of one core (decision 0012). */
const pieceLength = 16_384
/** Characters before the end of a piece in which a space is searched for as its end. */
const furthestSpace = 2_000

type Piece = LlamaText['values'][number]

export interface CountOptions {
  model: OpenModel['model']
  /** Counting ends at one token more than this. */
  most: number
  isCancelled(): boolean
  /** Called between two pieces, so that other counts may run. */
  giveWay(): Promise<void>
}

interface CountResult {
  tokens: Token[]
  /** False when counting ended early. */
  isWhole: boolean
}

/** Returns the tokens of a prompt. A long text is cut before spaces, which no common token spans,
 *  so the tokens are those of the whole text. */
export async function countedTokens(contextText: LlamaText, { model, most, isCancelled, giveWay }: CountOptions): Promise<CountResult> {
  const tokens: Token[] = []
  let left = contextText.values.reduce((sum, value) => sum + weightOf(value), 0)
  let sinceTurn = 0
  for (const piece of piecesOf(contextText)) {
    // If little is left it is counted to the end, so that the refusal can state the number.
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

/** Returns the cost of a piece in characters; a mark of the template costs about as much as a
 *  hundred. */
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

/** Returns the position of the last space after a word before `end`; else `end`, but never between
 *  two surrogates. */
function cutBefore(text: string, end: number): number {
  for (let at = end; at > end - furthestSpace; at--) if (text[at] === ' ' && text[at - 1] !== ' ') return at
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end
}
