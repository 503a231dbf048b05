/** Entry point of the embedder's child process. */
import { type EngineCall, serveEngine } from '@generation-gateway/kit/process/child.ts'
import type { EmbedInput } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { type EmbedAnswer, type EmbedJob, mostTokens } from './messages.ts'
import { type Network, openNetwork } from './network.ts'
import { openWordPieces, type WordPieces } from './word-pieces.ts'

/** Number of inputs whose tokens are made between two pauses. */
const inputsAtOnce = 64
/** Number of tokens that mark the begin and the end of an input. */
const marks = 2

let opened: Promise<{ network: Network; pieces: WordPieces }> | undefined

async function embed(job: EmbedJob, call: EngineCall): Promise<EmbedAnswer> {
  opened ??= open(job)
  const { network, pieces } = await opened
  const rows: number[][] = []
  let cut = 0
  for (const [index, input] of job.inputs.entries()) {
    const tokens = tokensOf(input, pieces)
    if (typeof tokens === 'string') return { badInput: { index, says: tokens } }
    const isCuttable = job.cutFrom !== undefined && index >= job.cutFrom
    const most = Math.min(mostTokens - marks, isCuttable ? (job.cutAt ?? mostTokens) : mostTokens)
    if (tokens.length > most) {
      if (!isCuttable) return { badInput: { index, says: `has ${tokens.length + marks} tokens; the model takes at most ${mostTokens}.` } }
      cut++
    }
    rows.push([pieces.begin, ...tokens.slice(0, most), pieces.end])
    if (index % inputsAtOnce === inputsAtOnce - 1) await call.giveWay()
  }
  const vectors = await network.vectors(rows, call.giveWay)
  return { vectors, tokens: rows.reduce((sum, row) => sum + row.length, 0), cut }
}

async function open({ network, tokenizer, threads }: EmbedJob) {
  const [ready, pieces] = await Promise.all([openNetwork(network, threads), openWordPieces(tokenizer)])
  return { network: ready, pieces }
}

/** Returns the tokens of an input; a sentence about what is wrong with it when it has none. */
function tokensOf(input: EmbedInput, pieces: WordPieces): number[] | string {
  if (typeof input === 'string') return pieces.tokens(input)
  const unknown = input.find(id => id >= pieces.size)
  return unknown === undefined ? input : `has the token ${unknown}; the vocabulary of the model has ids from 0 to ${pieces.size - 1}.`
}

serveEngine({ embed })
