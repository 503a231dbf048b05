import { defined } from '@generation-gateway/kit/defined.ts'
import { invalidField } from '@generation-gateway/kit/errors.ts'
import { listed } from '@generation-gateway/kit/requests/field-names.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { requestOf } from '../shared/answer-runs.ts'
import { othersIn } from '../shared/left-out.ts'
import { type CompletionBody, completionBody } from './schema.ts'

/** Largest number of tokens of an answer when the caller sets no limit: OpenAI's default. */
const usualTokens = 16

const known: ReadonlySet<string> = new Set(Object.keys(completionBody.properties))

/** Returns a sentence that names the fields of the body which no target gets; undefined when there
 *  are none. Targets that speak chat do not get these fields either, although chat has some of them
 *  (`max_completion_tokens`, `tools`). The gateway has not checked such a field, and has not
 *  counted it in the expected usage. */
export function leftOutSentence(body: CompletionBody): string | undefined {
  const names = Object.keys(othersIn(body, known))
  if (names.length === 0) return undefined
  return `${listed(names)}: the model has no such setting${names.length === 1 ? '' : 's'}.`
}

/** Returns the number of answers that the model writes to each prompt. */
export function runsOf({ n, best_of: best }: Pick<CompletionBody, 'n' | 'best_of'>): number {
  return Math.max(n ?? 1, best ?? 1)
}

/** Returns one request for each answer; the requests for the first prompt come first. A prompt
 *  becomes a message of the user. Throws `invalid_request` for values that only an upstream of
 *  this protocol understands. */
export function toRequests(body: CompletionBody): TextRequest[] {
  if (body.suffix) throw unsupported('suffix', 'this model writes no text into the middle of another')
  if (body.echo === true) throw unsupported('echo', 'this model does not give the prompt back')
  if (body.max_tokens === 0) throw invalidField('max_tokens', 'max_tokens is 0; this model writes at least one token.', 'value')
  return promptsOf(body.prompt).flatMap(prompt => {
    const request = toRequest(body, prompt)
    return Array.from({ length: runsOf(body) }, (_, index) => requestOf(request, index))
  })
}

function promptsOf(prompt: CompletionBody['prompt']): string[] {
  return [prompt].flat().map(each => {
    if (typeof each === 'string') return each
    throw unsupported('prompt', 'this model takes texts, not ids of tokens')
  })
}

function toRequest(body: CompletionBody, prompt: string): TextRequest {
  const wantsLogprobs = body.logprobs != null || runsOf(body) > (body.n ?? 1)
  return {
    items: [{ type: 'message', role: 'user', parts: [{ type: 'text', text: prompt }] }],
    tools: [],
    toolChoice: { mode: 'auto' },
    parallelToolCalls: true,
    format: { type: 'text' },
    maxOutputTokens: body.max_tokens ?? usualTokens,
    ...defined({
      temperature: body.temperature ?? undefined,
      topP: body.top_p ?? undefined,
      stop: typeof body.stop === 'string' ? [body.stop] : (body.stop ?? undefined),
      seed: body.seed ?? undefined,
      frequencyPenalty: body.frequency_penalty ?? undefined,
      presencePenalty: body.presence_penalty ?? undefined,
      logitBias: body.logit_bias ?? undefined,
      topLogprobs: wantsLogprobs ? (body.logprobs ?? 0) : undefined,
      user: body.user ?? undefined,
    }),
    extras: { protocol: 'chat', fields: {} },
  }
}

function unsupported(field: string, why: string) {
  return invalidField(field, `${field} is not offered: ${why}.`, 'unsupported')
}
