import { defined } from '@generation-gateway/kit/defined.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { othersIn } from '../shared/left-out.ts'
import { refusal } from '../shared/refusal.ts'
import { hostedField } from './hosted-tools.ts'
import { itemsOf } from './items.ts'
import type { ChatBody } from './schema.ts'
import { formatOf, toolChoiceOf, toolsOf } from './tools.ts'

/** Fields that are translated into the neutral request, or that affect the reply. All other
 *  fields are forwarded only to an upstream that speaks this protocol. */
const translated: ReadonlySet<string> = new Set([
  ...(['model', 'messages', 'tools', 'tool_choice', 'functions', 'function_call', 'parallel_tool_calls', 'response_format'] as const),
  ...(['stream', 'stream_options', 'n', 'max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'stop', 'seed'] as const),
  ...([
    'presence_penalty',
    'frequency_penalty',
    'logit_bias',
    'logprobs',
    'top_logprobs',
    'reasoning_effort',
    'verbosity',
    'user',
    'store',
  ] as const),
] satisfies (keyof ChatBody)[])

/** Translates a checked body into the neutral request. Throws `invalid_request` naming the place
 *  (`messages[2].content[0].type`) of a value that cannot be translated. */
export function toTextRequest(body: ChatBody): TextRequest {
  if (body.modalities?.includes('audio')) {
    throw refusal(['modalities'], 'asks for audio; this model answers in text.', 'unsupported')
  }
  if (body.web_search_options != null) throw refusal(['web_search_options'], 'is not supported by this model.', 'unsupported')
  const tools = toolsOf(body)
  const fields = extrasOf(body)
  return {
    items: itemsOf(body.messages),
    tools,
    toolChoice: toolChoiceOf(body, tools),
    // With `functions`, the older form of tools, an answer can contain only one call.
    parallelToolCalls: body.functions?.length ? false : (body.parallel_tool_calls ?? true),
    format: formatOf(body),
    ...presentMembers({
      maxOutputTokens: body.max_completion_tokens ?? body.max_tokens,
      temperature: body.temperature,
      topP: body.top_p,
      stop: typeof body.stop === 'string' ? [body.stop] : body.stop,
      seed: body.seed,
      frequencyPenalty: body.frequency_penalty,
      presencePenalty: body.presence_penalty,
      logitBias: body.logit_bias,
      topLogprobs: body.logprobs ? (body.top_logprobs ?? 0) : undefined,
      reasoning: body.reasoning_effort == null ? undefined : { effort: body.reasoning_effort },
      verbosity: body.verbosity,
      user: body.user,
    }),
    extras: { protocol: 'chat', fields, ...defined({ hosted: hostedField(fields) }) },
  }
}

function extrasOf(body: ChatBody): JsonObject {
  const others = othersIn(body, translated)
  // The gateway itself stores a completion that it translates, together with its metadata. So the
  // upstream does not get the metadata.
  if (body.store === true) delete others.metadata
  return others
}

type PresentMembers<T> = { [K in keyof T]?: NonNullable<T[K]> }

function presentMembers<T extends object>(fields: T): PresentMembers<T> {
  // The cast is safe: the remaining values are neither null nor undefined.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as PresentMembers<T>
}
