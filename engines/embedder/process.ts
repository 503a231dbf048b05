/** Entry point of the embedder's child process. */
import { loadOnce } from '@generation-gateway/kit/load-once.ts'
import { type EngineCall, serveEngine } from '@generation-gateway/kit/process/child.ts'
import { type EmbedInput, mostInputTokens } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { type EmbedAnswer, type EmbedJob, mostTokens } from './messages.ts'
import { type Network, openNetwork } from './network.ts'
import { openWordPieces, type WordPieces } from './word-pieces.ts'

/** Number of inputs after which splitting into tokens pauses. It pauses earlier when inputs with
 *  `charactersAtOnce` characters were split. */
const inputsAtOnce = 64
const charactersAtOnce = 262_144
/** Number of tokens that mark the beginning and the end of an input. */
const marks = 2
/** Number of tokens up to which an input is counted, so that an error can name its length. */
const mostCounted = mostInputTokens

/** The opened networks with their tokenizers, by the path of the network. */
const opened = new Map<string, Promise<{ network: Network; pieces: WordPieces }>>()

async function embed(job: EmbedJob, call: EngineCall): Promise<EmbedAnswer> {
  const { network, pieces } = await loadOnce(opened, job.network, () => open(job))
  const rows: number[][] = []
  let cut = 0
  let read = 0
  for (const [index, input] of job.inputs.entries()) {
    const isCuttable = job.cutFrom !== undefined && index >= job.cutFrom
    const most = Math.min(mostTokens - marks, isCuttable ? (job.cutAt ?? mostTokens) : mostTokens)
    const tokens = tokensOf(input, pieces, (isCuttable ? most : mostCounted) + 1)
    if (typeof tokens === 'string') return { badInput: { index, says: tokens } }
    if (tokens.length > most) {
      if (!isCuttable) return { badInput: { index, says: tooLong(tokens.length) } }
      cut++
    }
    rows.push([pieces.begin, ...tokens.slice(0, most), pieces.end])
    read += input.length
    if (read < charactersAtOnce && index % inputsAtOnce !== inputsAtOnce - 1) continue
    read = 0
    await call.giveWay()
  }
  const vectors = await network.vectors(rows, call.giveWay)
  return { vectors, tokens: rows.reduce((sum, row) => sum + row.length, 0), cut }
}

async function open({ network, tokenizer, threads }: EmbedJob) {
  const [ready, pieces] = await Promise.all([openNetwork(network, threads), openWordPieces(tokenizer)])
  return { network: ready, pieces }
}

function tooLong(tokens: number): string {
  const has = tokens > mostCounted ? `more than ${mostCounted}` : tokens + marks
  return `has ${has} tokens; the model takes at most ${mostTokens}.`
}

/** Returns the tokens of an input, or at least the first `most`. For a list with a token id that
 *  the vocabulary lacks, returns the end of a sentence about it. */
function tokensOf(input: EmbedInput, pieces: WordPieces, most: number): number[] | string {
  if (typeof input === 'string') return pieces.tokens(input, most)
  const unknown = input.find(id => id >= pieces.size)
  return unknown === undefined ? input : `has the token ${unknown}; the vocabulary of the model has ids from 0 to ${pieces.size - 1}.`
}

serveEngine({ embed })
