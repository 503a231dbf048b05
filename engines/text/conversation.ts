/** Writes the answer to one request. First the request is checked and its tokens are counted; then
 *  the answer is written token by token. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextEvent, TextRequest, TextResult, TextSampling, TokenLogprob } from '@generation-gateway/kit/requests/text.ts'
import { type LlamaGrammar, LlamaGrammarEvaluationState, type SequenceEvaluateOptions, type Token } from 'node-llama-cpp'
import { AnswerReader } from './answer-reader.ts'
import { type CountOptions, countedTokens } from './count.ts'
import { answerGrammar, callableTools, isMarkedOnly } from './grammar/answer-grammar.ts'
import type { Lane, LaneSlot } from './lane.ts'
import { type Lockstep, type Member, mostPromptTokens } from './lockstep.ts'
import { logprobOf, type Probabilities, tokenChooser } from './logprobs.ts'
import type { OpenModel } from './model.ts'
import { chatHistory } from './prompt.ts'
import { type EvaluationOptions, samplingOptions } from './sampling.ts'
import { countingLimits, refuseOversized, tooLong } from './size.ts'
import { TokenText } from './token-text.ts'

/** Number of prompt tokens that are processed in one step. The smaller it is, the sooner a
 *  cancelled request stops, and the shorter other conversations wait. */
const promptChunk = mostPromptTokens

/** A request that fits into the model's context. */
export interface PreparedRequest {
  request: TextRequest
  prompt: Token[]
  grammar: LlamaGrammar | undefined
}

type Counting = Pick<CountOptions, 'isCancelled' | 'giveWay'>

/** Builds the prompt, counts its tokens and parses the grammar. Throws `context_length_exceeded`,
 *  or `invalid_request` for constraints that cannot be enforced. */
export async function prepare(request: TextRequest, opened: OpenModel, counting: Counting): Promise<PreparedRequest> {
  const { llama, contextSize } = opened
  const { tokens: prompt, isWhole } = await promptOf(request, opened, { ...counting, most: contextSize })
  if (prompt.length + (request.maxOutputTokens ?? 1) > contextSize)
    throw tooLong(request, contextSize, isWhole ? prompt.length : `more than ${prompt.length}`)
  const grammar = answerGrammar(request)
  return { request, prompt, grammar: grammar === undefined ? undefined : await readGrammar(llama, grammar) }
}

/** Returns the number of input tokens of a conversation. The conversation may be longer than the
 *  model's context; throws `context_length_exceeded` when it is more than 8 times as long. */
export async function countPrompt(request: TextRequest, opened: OpenModel, counting: Counting): Promise<number> {
  const { contextSize: most } = countingLimits(opened)
  const { tokens, isWhole } = await promptOf(request, { ...opened, contextSize: most }, { ...counting, most })
  if (!isWhole) throw tooLong(request, opened.contextSize, `more than ${tokens.length}`)
  return tokens.length
}

function promptOf(request: TextRequest, opened: OpenModel, counting: Omit<CountOptions, 'model'>): ReturnType<typeof countedTokens> {
  refuseOversized(request, opened)
  const { contextText } = opened.wrapper.generateContextState({ chatHistory: chatHistory(request) })
  return countedTokens(contextText, { model: opened.model, ...counting })
}

/** Longest grammar, in characters of GBNF. Parsing a longer one would delay other conversations. */
const longestGrammar = 500_000

async function readGrammar(llama: OpenModel['llama'], grammar: string): Promise<LlamaGrammar> {
  try {
    if (grammar.length > longestGrammar) throw new Error(`the grammar has ${grammar.length} characters`)
    return await llama.createGrammar({ grammar })
  } catch (cause) {
    throw new GatewayError('invalid_request', 'The schema or grammar of the request is too intricate for this engine.', { cause })
  }
}

interface ConversationRun {
  prepared: PreparedRequest
  opened: OpenModel
  lane: Lane
  place: LaneSlot
  lockstep: Lockstep
  account: string | undefined
  isCancelled(): boolean
  onEvents(events: TextEvent[]): void
  onToken(): void
}

/** Writes the answer in the place that was reserved for it. Throws `cancelled`; cancellation is
 *  checked before each token and each piece of the prompt. */
export async function converse(talk: ConversationRun): Promise<TextResult> {
  const { place, prepared, lockstep } = talk
  const { prompt } = prepared
  const { sequence } = place
  // The last token of the prompt is evaluated again even if it is cached, because its result
  // determines the first token of the answer.
  await sequence.adaptStateToTokens(prompt.slice(0, -1), false)
  const cached = sequence.nextTokenIndex
  const member = lockstep.join(talk)
  try {
    let at = cached
    for (; prompt.length - at > promptChunk; at += promptChunk) {
      await nextStep(talk, member, promptChunk)
      await sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(at, at + promptChunk))
    }
    return await new AnswerWriter(talk, member, cached).write(prompt.slice(at))
  } finally {
    member.leave()
  }
}

async function nextStep({ isCancelled }: ConversationRun, member: Member, tokens: number): Promise<void> {
  if (!isCancelled()) await member.ready(tokens)
  if (isCancelled()) throw new GatewayError('cancelled', 'The caller has left.')
}

type TokenSteps = AsyncGenerator<{ token: Token; probabilities?: Probabilities }, unknown, Token | undefined>

/** Yields the tokens of the answer. With `withProbabilities`, it yields the most likely token and
 *  the probabilities of all tokens; the caller draws a token from them and passes it to `next()`,
 *  where it replaces the yielded one. */
function evaluate({ sequence }: LaneSlot, start: Token[], options: SequenceEvaluateOptions, withProbabilities: boolean): TokenSteps {
  if (withProbabilities) return sequence.evaluateWithMetadata(start, { probabilities: true }, { ...options, temperature: 0 })
  return sequence.evaluateWithMetadata(start, {}, options)
}

class AnswerWriter {
  readonly #talk: ConversationRun
  readonly #member: Member
  readonly #cached: number
  #reader: AnswerReader
  #text: TokenText
  readonly #written: Token[] = []
  readonly #drawing: EvaluationOptions
  readonly #most: number

  constructor(talk: ConversationRun, member: Member, cached: number) {
    const { request, prompt } = talk.prepared
    this.#talk = talk
    this.#member = member
    this.#cached = cached
    this.#reader = this.#newReader(isMarkedOnly(request))
    this.#text = new TokenText(talk.opened.model)
    this.#drawing = samplingOptions(request, { ...talk.opened, written: () => this.#written })
    this.#most = request.maxOutputTokens ?? talk.lane.contextSize - prompt.length
  }

  async write(start: Token[]): Promise<TextResult> {
    const { request, grammar, prompt } = this.#talk.prepared
    const result = await this.#attempt(start, grammar)
    if (result) return result
    // The answer begins with a call of an undeclared tool. So the model answers again, with a
    // grammar that allows only calls of declared tools.
    const called: TextRequest = { ...request, toolChoice: { ...request.toolChoice, mode: 'required' } }
    const held = await readGrammar(this.#talk.opened.llama, answerGrammar(called) ?? '')
    await this.#talk.place.sequence.adaptStateToTokens(prompt.slice(0, -1), false)
    this.#written.length = 0
    this.#text = new TokenText(this.#talk.opened.model)
    this.#reader = this.#newReader(true)
    return (await this.#attempt(prompt.slice(-1), held)) ?? this.#end('stop')
  }

  #newReader(isMarked: boolean): AnswerReader {
    const { prepared, opened } = this.#talk
    const { request } = prepared
    return new AnswerReader([...(request.stop ?? []), ...opened.ends], callableTools(request), { isMarked, withUndeclared: !isMarked })
  }

  /** Writes an answer; returns undefined when it begins with a call of an undeclared tool. */
  async #attempt(start: Token[], grammar: LlamaGrammar | undefined): Promise<TextResult | undefined> {
    const { opened, place, prepared } = this.#talk
    const { request } = prepared
    const wanted = request.topLogprobs
    this.#say([{ type: 'sampling', ...this.#sampling }])
    const options: SequenceEvaluateOptions = {
      ...this.#drawing,
      ...(grammar ? { grammarEvaluationState: new LlamaGrammarEvaluationState({ model: opened.model, grammar }) } : {}),
    }
    const choose = tokenChooser(this.#drawing)
    const steps = evaluate(place, start, options, wanted !== undefined)
    try {
      let tokens = start.length
      for (let chosen: Token | undefined; ; tokens = 1) {
        await nextStep(this.#talk, this.#member, tokens)
        const step = await steps.next(chosen)
        if (step.done) return this.#end('stop')
        const { token, probabilities } = step.value
        chosen = wanted === undefined || !probabilities ? undefined : choose(probabilities)
        if (chosen !== undefined && opened.model.isEogToken(chosen)) return this.#end('stop')
        const last = chosen ?? token
        if (this.#add(last, wanted === undefined || !probabilities ? [] : [logprobOf(opened.model, last, probabilities, wanted)]))
          return this.#end('stop')
        if (this.#reader.isMisnamed) return undefined
        if (this.#written.length >= this.#most) return this.#end('length')
      }
    } finally {
      await steps.return(undefined)
    }
  }

  /** Adds a token; true when it ended the answer, by a stop string or a repeated call. */
  #add(token: Token, logprobs: TokenLogprob[]): boolean {
    this.#written.push(token)
    this.#talk.onToken()
    this.#say(this.#reader.feed(this.#text.push(token), logprobs))
    return this.#reader.isStopped
  }

  get #sampling(): TextSampling {
    const { temperature, topP } = this.#drawing
    return { temperature, topP }
  }

  #end(reason: 'stop' | 'length'): TextResult {
    if (!this.#reader.isStopped) this.#say([...this.#reader.feed(this.#text.end()), ...this.#reader.end()])
    const finish = reason === 'stop' && this.#reader.calls > 0 ? 'tool_calls' : reason
    const { prompt } = this.#talk.prepared
    return {
      finish,
      usage: { inputTokens: prompt.length, cachedInputTokens: this.#cached, outputTokens: this.#written.length, reasoningTokens: 0 },
      sampling: this.#sampling,
    }
  }

  #say(events: TextEvent[]): void {
    if (events.length > 0) this.#talk.onEvents(events)
  }
}
