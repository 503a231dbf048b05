/** Builds whole completions, and the chunks of streamed ones, from the events of the runs. */
import { randomUUID } from 'node:crypto'
import type { TextFinish, TextResult, TextUsage, TokenLogprob } from '@generation-gateway/kit/requests/text.ts'
import { charactersIn } from '../../contract/lengths/length-keywords.ts'
import type { TextRunEvent } from '../../contract/needs/respond.ts'
import type { ReplyFrame } from '../../contract/replies.ts'
import { brokenOff, type RunEvent } from '../shared/answer-runs.ts'
import { unixSeconds } from '../shared/task-answers.ts'
import type { Choice, ChunkReply, CompletionBody, CompletionReply, FinishReason, Logprobs, Usage } from './schema.ts'
import { runsOf } from './to-requests.ts'

/** The properties that all choices of an answer share. */
export interface Answer {
  head: Pick<CompletionReply, 'id' | 'object' | 'created' | 'model'>
  /** Number of answers that the model writes to each prompt (`made`), and number of those that the
   *  caller gets (`given`). */
  made: number
  given: number
  /** Number of alternatives for each token; undefined when the caller wants no log
   *  probabilities. */
  top: number | undefined
  includesUsage: boolean
}

export function newAnswer(body: CompletionBody, model: string, now: number): Answer {
  const id = `cmpl-${randomUUID().replaceAll('-', '')}`
  return {
    head: { id, object: 'text_completion', created: unixSeconds(now), model },
    made: runsOf(body),
    given: body.n ?? 1,
    top: body.logprobs ?? undefined,
    includesUsage: body.stream_options?.include_usage === true,
  }
}

interface Run {
  text: string
  tokens: TokenLogprob[]
  result?: TextResult
}

/** Returns the whole completion once every run has ended. `runs` is the number of runs.
 *  `onUnranked` is called when the best answers cannot be chosen, because a run has no log
 *  probabilities. Throws the errors of `events`, and `upstream_error` for a run that does not
 *  end. */
export async function completionOf(
  answer: Answer,
  events: AsyncIterable<RunEvent>,
  { runs: count, onUnranked }: { runs: number; onUnranked(): void },
): Promise<CompletionReply> {
  const runs: Run[] = Array.from({ length: count }, () => ({ text: '', tokens: [] }))
  for await (const { index, event } of events) take(runs[index], event)
  if (answer.made > answer.given && runs.some(({ tokens }) => tokens.length === 0)) onUnranked()
  const best = chunked(runs, answer.made).flatMap(each => bestOf(each, answer.given))
  const choices = best.map((run, index) => ({
    index,
    text: run.text,
    logprobs: logprobsOf(answer, run.tokens, 0),
    finish_reason: finishReason(resultOf(run).finish),
  }))
  return {
    ...answer.head,
    choices,
    usage: usageOf(
      answer,
      runs.map(run => resultOf(run).usage),
    ),
  }
}

function take(run: Run | undefined, event: TextRunEvent): void {
  if (!run) return
  if (event.type === 'finish') run.result = event.result
  else run.text += textOf(event) ?? ''
  if (event.type === 'text' && event.logprobs) run.tokens.push(...event.logprobs)
}

/** Returns the text that an event adds to a completion; undefined for events that add none. */
function textOf(event: TextRunEvent): string | undefined {
  return event.type === 'text' || event.type === 'refusal' ? event.delta : undefined
}

/** Returns the `count` runs whose tokens are the most probable on average, the best first. The
 *  runs keep their order when all of them are wanted, and when a run has no log probabilities. */
function bestOf(runs: Run[], count: number): Run[] {
  if (runs.length === count || runs.some(({ tokens }) => tokens.length === 0)) return runs.slice(0, count)
  const mean = ({ tokens }: Run) => tokens.reduce((sum, { logprob }) => sum + logprob, 0) / tokens.length
  return runs.toSorted((a, b) => mean(b) - mean(a)).slice(0, count)
}

function chunked(runs: readonly Run[], size: number): Run[][] {
  return Array.from({ length: runs.length / size }, (_, index) => runs.slice(index * size, (index + 1) * size))
}

/** Yields the frames of a streamed completion: the text of each choice, then its finish reason;
 *  then the token counts if requested, and the terminator. Throws the errors of `events`, and
 *  `upstream_error` for a run that does not end. */
export async function* framesOf(answer: Answer, events: AsyncIterable<RunEvent>, count: number): AsyncGenerator<ReplyFrame> {
  const lengths = new Array<number>(count).fill(0)
  const usages = new Array<TextUsage | undefined>(count)
  const tail = answer.includesUsage ? { usage: null } : {}
  const frame = (choice: Choice): ReplyFrame => ({ data: { ...answer.head, choices: [choice], ...tail } satisfies ChunkReply })
  for await (const { index, event } of events) {
    if (event.type === 'finish') {
      usages[index] = event.result.usage
      yield frame({ index, text: '', logprobs: null, finish_reason: finishReason(event.result.finish) })
      continue
    }
    const text = textOf(event)
    if (text === undefined) continue
    const offset = lengths[index] ?? 0
    if (answer.top !== undefined) lengths[index] = offset + charactersIn(text)
    const logprobs = event.type === 'text' ? logprobsOf(answer, event.logprobs ?? [], offset) : null
    yield frame({ index, text, logprobs, finish_reason: null })
  }
  const usage = usageOf(answer, usages.map(known))
  if (answer.includesUsage) yield { data: { ...answer.head, choices: [], usage } satisfies ChunkReply }
  yield { data: '[DONE]' }
}

function finishReason(finish: TextFinish): FinishReason {
  return finish === 'tool_calls' ? 'stop' : finish
}

/** Returns the log probabilities in the form of this protocol. `offset` is the position of the
 *  first token in the text of the choice, in characters. */
function logprobsOf({ top }: Answer, tokens: readonly TokenLogprob[], offset: number): Logprobs | null {
  if (top === undefined || tokens.length === 0) return null
  let at = offset
  const text_offset = tokens.map(({ token }) => {
    const start = at
    at += charactersIn(token)
    return start
  })
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    top_logprobs: top === 0 ? null : tokens.map(each => Object.fromEntries(each.top.map(({ token, logprob }) => [token, logprob]))),
    text_offset,
  }
}

/** Returns the token counts: the tokens of each prompt once, and the tokens of all answers, also of
 *  those that the caller does not get. */
function usageOf({ made }: Answer, usages: readonly TextUsage[]): Usage {
  const prompt = usages.reduce((sum, { inputTokens }, index) => sum + (index % made === 0 ? inputTokens : 0), 0)
  const completion = usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

function resultOf({ result }: Run): TextResult {
  if (!result) throw brokenOff()
  return result
}

function known(usage: TextUsage | undefined): TextUsage {
  if (!usage) throw brokenOff()
  return usage
}
