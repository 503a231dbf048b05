/** Builds the answer to a request for content, as the pieces of a stream or as a whole. A whole
 *  answer is joined from the same pieces, so both always agree. */
import { randomUUID } from 'node:crypto'
import type { TextResult, TextUsage, TokenLogprob } from '@generation-gateway/kit/requests/text.ts'
import { brokenOff, type RunEvent } from '../shared/answer-runs.ts'
import { AnswerParts } from './answer-parts.ts'
import type { AnswerPart, Candidate, ContentAnswer, FinishReason, Usage } from './reply-schema.ts'
import type { ContentBody } from './schema.ts'

/** The properties that all pieces of one answer share. */
interface Answer {
  model: string
  count: number
  showsThoughts: boolean
}

export function newAnswer({ generationConfig: config }: ContentBody, model: string): Answer {
  return { model, count: config?.candidateCount ?? 1, showsThoughts: config?.thinkingConfig?.includeThoughts === true }
}

/** Yields the pieces of an answer. The last piece of each candidate has its `finishReason`, and
 *  the last piece of the answer has the token counts. Yields nothing before the model's first
 *  event, so that an error before it can still be answered with an HTTP status. Throws the
 *  errors of `events`, and `upstream_error` for an answer that does not end. */
export async function* piecesOf({ model, count, showsThoughts }: Answer, events: AsyncIterable<RunEvent>): AsyncGenerator<ContentAnswer> {
  const runs = Array.from({ length: count }, () => new AnswerParts(showsThoughts))
  const head = { modelVersion: model, responseId: randomUUID().replaceAll('-', '') }
  const results: TextResult[] = []
  for await (const { index, event } of events) {
    const run = runs[index]
    if (!run) continue
    if (event.type === 'finish') {
      results.push(event.result)
      const usage = results.length === count ? { usageMetadata: usageOf(results.map(result => result.usage)) } : {}
      yield { candidates: [lastPiece(run, index, event.result)], ...usage, ...head }
      continue
    }
    const parts = run.take(event)
    if (parts.length === 0) continue
    const logprobs = event.type === 'text' && event.logprobs ? { logprobsResult: logprobsOf(event.logprobs) } : {}
    yield { candidates: [{ content: { role: 'model', parts }, index, ...logprobs }], ...head }
  }
  if (results.length < count) throw brokenOff()
}

/** Returns the whole answer once it has ended. Throws the errors of `pieces`. */
export async function wholeOf(pieces: AsyncIterable<ContentAnswer>): Promise<ContentAnswer> {
  let whole: ContentAnswer | undefined
  for await (const piece of pieces) {
    whole ??= { ...piece, candidates: [] }
    if (piece.usageMetadata) whole.usageMetadata = piece.usageMetadata
    for (const candidate of piece.candidates) join(whole.candidates, candidate)
  }
  if (!whole) throw brokenOff()
  whole.candidates.sort((one, other) => one.index - other.index)
  return whole
}

function lastPiece(run: AnswerParts, index: number, result: TextResult): Candidate {
  const parts = run.end()
  const { brokenCall } = run
  const finishMessage = `The model called the function ${brokenCall} with arguments that are not a JSON object.`
  return {
    // Clients treat an answer as broken when its last piece has no part.
    content: { role: 'model', parts: parts.length === 0 ? [{ text: '' }] : parts },
    finishReason: brokenCall === undefined ? finishReason(result, run.hasRefused) : 'MALFORMED_FUNCTION_CALL',
    ...(brokenCall === undefined ? {} : { finishMessage }),
    index,
  }
}

function finishReason({ finish }: TextResult, hasRefused: boolean): FinishReason {
  if (finish === 'length') return 'MAX_TOKENS'
  return finish === 'content_filter' || hasRefused ? 'SAFETY' : 'STOP'
}

/** Returns the token counts of several answers to one prompt. The tokens of the prompt count
 *  once. */
function usageOf(parts: readonly TextUsage[]): Usage {
  const sum = (field: 'outputTokens' | 'reasoningTokens') => parts.reduce((total, part) => total + part[field], 0)
  const { inputTokens: prompt = 0, cachedInputTokens: cached = 0 } = parts[0] ?? {}
  const output = sum('outputTokens')
  const thoughts = Math.min(sum('reasoningTokens'), output)
  return {
    promptTokenCount: prompt,
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
    candidatesTokenCount: output - thoughts,
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    totalTokenCount: prompt + output,
  }
}

function logprobsOf(tokens: readonly TokenLogprob[]): NonNullable<Candidate['logprobsResult']> {
  return {
    chosenCandidates: tokens.map(({ token, logprob }) => ({ token, logProbability: logprob })),
    topCandidates: tokens.map(({ top }) => ({ candidates: top.map(({ token, logprob }) => ({ token, logProbability: logprob })) })),
  }
}

/** Joins a piece of a candidate with the earlier pieces of the same candidate. */
function join(candidates: Candidate[], { content, logprobsResult, ...rest }: Candidate): void {
  let whole = candidates.find(({ index }) => index === rest.index)
  if (!whole) {
    whole = { content: { role: 'model', parts: [] }, index: rest.index }
    candidates.push(whole)
  }
  for (const part of content.parts) addPart(whole.content.parts, part)
  if (rest.finishReason !== undefined && whole.content.parts.length === 0) whole.content.parts.push({ text: '' })
  Object.assign(whole, rest)
  if (!logprobsResult) return
  const { chosenCandidates = [], topCandidates = [] } = whole.logprobsResult ?? {}
  chosenCandidates.push(...logprobsResult.chosenCandidates)
  topCandidates.push(...logprobsResult.topCandidates)
  whole.logprobsResult = { chosenCandidates, topCandidates }
}

/** Adds a part. Text without a signature is appended to the part before it when both are thoughts
 *  or both belong to the answer. */
function addPart(parts: AnswerPart[], part: AnswerPart): void {
  const last = parts.at(-1)
  if (part.text === '' && part.thoughtSignature === undefined) return
  const isMore = part.text !== undefined && part.thoughtSignature === undefined && last?.text !== undefined && last.thought === part.thought
  if (isMore) last.text += part.text ?? ''
  else parts.push({ ...part })
}
