import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { joinMembers } from '@generation-gateway/kit/requests/carried.ts'
import { TextOutput } from '@generation-gateway/kit/requests/conversation/text-output.ts'
import type { TextItem, TextResult, TokenLogprob } from '@generation-gateway/kit/requests/text.ts'
import { tierNameOf } from '@generation-gateway/kit/requests/usage/service-tier.ts'
import { brokenOff, type RunEvent } from '../shared/answer-runs.ts'
import { type Answer, finishReason, logprobsOf, usageOf } from './answer.ts'
import { callWith, messageMembers, sealedDetail } from './carried.ts'
import type { Choice, Completion } from './reply-schema.ts'

interface AnswerParts {
  output: TextOutput
  logprobs: TokenLogprob[]
  result?: TextResult
}

/** Gathers the events of all choices into one completion. */
export class GatheredCompletion {
  readonly #answer: Answer
  readonly #runs: AnswerParts[]

  constructor(answer: Answer) {
    this.#answer = answer
    this.#runs = Array.from({ length: answer.count }, () => ({ output: new TextOutput(), logprobs: [] }))
  }

  add({ index, event }: RunEvent): void {
    const run = this.#runs[index]
    if (!run) return
    if (event.type === 'finish') run.result = event.result
    else run.output.add(event)
    if (event.type === 'text' && event.logprobs) run.logprobs.push(...event.logprobs)
  }

  /** Returns the completion. Throws `upstream_error` when a choice has not ended. */
  whole(): Completion {
    const answer = this.#answer
    const usages = this.#runs.map(run => resultOf(run).usage)
    return {
      id: answer.id,
      object: 'chat.completion',
      created: answer.created,
      model: answer.model,
      service_tier: tierNameOf(usages),
      choices: this.#runs.map((run, index) => choiceOf(answer, index, run)),
      usage: usageOf(usages),
    }
  }
}

/** Returns the whole completion once every choice has ended. Throws the errors of `events`, and
 *  `upstream_error` for a choice that does not end. */
export async function completionOf(answer: Answer, events: AsyncIterable<RunEvent>): Promise<Completion> {
  const gathered = new GatheredCompletion(answer)
  for await (const event of events) gathered.add(event)
  return gathered.whole()
}

function choiceOf(answer: Answer, index: number, run: AnswerParts): Choice {
  return {
    index,
    message: messageOf(answer, run.output.items()),
    logprobs: logprobsOf(run.logprobs),
    finish_reason: finishReason(resultOf(run).finish, answer),
  }
}

function messageOf(answer: Answer, items: readonly TextItem[]): Choice['message'] {
  const parts = items.flatMap(item => (item.type === 'message' ? item.parts : []))
  const texts = parts.flatMap(part => (part.type === 'text' ? [part.text] : []))
  const refusals = parts.flatMap(part => (part.type === 'refusal' ? [part.text] : []))
  const reasoning = items.flatMap(item => (item.type === 'reasoning' ? [...item.summary, ...item.content] : [])).join('')
  const calls = items.filter(item => item.type === 'call')
  const isSilent = texts.length === 0 && (calls.length > 0 || refusals.length > 0)
  return {
    ...carriedMembersOf(items),
    role: 'assistant',
    content: isSilent ? null : texts.join(''),
    refusal: refusals.length === 0 ? null : refusals.join(''),
    annotations: [],
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : callsOf(answer, calls)),
  }
}

/** Returns the members of the message beyond its text: those carried from the upstream, and
 *  encrypted reasoning. */
function carriedMembersOf(items: readonly TextItem[]): JsonObject {
  const members: JsonObject = {}
  const sealed: JsonObject[] = []
  for (const item of items) {
    if (item.type !== 'message' && item.type !== 'reasoning') continue
    if (item.carried) joinMembers(members, messageMembers(item.carried))
    if (item.type === 'reasoning' && item.encrypted !== undefined) sealed.push(sealedDetail(item.encrypted, item.id, sealed.length))
  }
  return sealed.length === 0 ? members : { ...members, reasoning_details: sealed }
}

function callsOf(
  { isLegacy }: Answer,
  calls: readonly Extract<TextItem, { type: 'call' }>[],
): Pick<Choice['message'], 'tool_calls' | 'function_call'> {
  const [first] = calls
  if (isLegacy && first) return { function_call: { name: first.name, arguments: first.input } }
  return {
    tool_calls: calls.map(({ kind, callId: id, name, input, carried }) =>
      kind === 'custom'
        ? callWith({ id, type: 'custom', custom: { name, input } }, carried)
        : callWith({ id, type: 'function', function: { name, arguments: input } }, carried),
    ),
  }
}

function resultOf({ result }: AnswerParts): TextResult {
  if (!result) throw brokenOff()
  return result
}
