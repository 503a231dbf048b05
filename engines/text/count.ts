/** The tokens of a prompt, counted piece by piece: other conversations take their steps meanwhile, and a prompt that is too long is not counted to its end. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LlamaText, type Token } from 'node-llama-cpp'
import type { OpenModel } from './model.ts'

/** Characters that are made into tokens at a time: 10 to 40 ms of one core (decision 0012). */
const pieceLength = 16_384
/** How far before its end a piece looks for a space to end at. */
const furthestSpace = 2_000

type Piece = LlamaText['values'][number]

export interface Counting {
  model: OpenModel['model']
  /** One token more than this ends the counting. */
  most: number
  isCancelled(): boolean
  /** Between two pieces: lets others count theirs. */
  giveWay(): Promise<void>
}

interface Counted {
  tokens: Token[]
  /** False when the counting ended early. */
  isWhole: boolean
}

/** The tokens of a prompt. A long text is cut before spaces, where no usual token reaches across: its tokens are those of the whole. */
export async function countedTokens(contextText: LlamaText, { model, most, isCancelled, giveWay }: Counting): Promise<Counted> {
  const tokens: Token[] = []
  let left = contextText.values.reduce((sum, value) => sum + weightOf(value), 0)
  let sinceTurn = 0
  for (const piece of piecesOf(contextText)) {
    // A little more is counted to its end: then the refusal can say the number.
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

/** Characters; a mark of the template costs about as much as a hundred of them. */
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

/** The place of the last space after a word before `end`; else `end`, but never between the halves of one character. */
function cutBefore(text: string, end: number): number {
  for (let at = end; at > end - furthestSpace; at--) if (text[at] === ' ' && text[at - 1] !== ' ') return at
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end
}
