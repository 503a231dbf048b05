/** Chat completions (docs/interface/text.md#chat-completions): the widely spoken protocol for
 *  conversations. */
import { dayMs, MiB } from '@generation-gateway/kit/units.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import { openaiFailure, openaiStreamFailure } from '../shared/openai-failure.ts'
import { atEndpoint } from '../shared/paths.ts'
import { examples } from './examples.ts'
import { openaiNames } from './openai-names.ts'
import { referencesOf } from './references.ts'
import { chatRelay } from './relay.ts'
import { chunkSchema, completionSchema } from './reply-schema.ts'
import { chatRules } from './rules.ts'
import { chatBody } from './schema.ts'

export const chat = defineFamily({
  id: 'chat',
  title: 'Chat completions',
  isShownFirst: true,
  source: 'docs/interface/text.md#chat-completions',
  description:
    'A conversation in, the next message out, whole or as a stream of chunks. On a target that speaks this protocol the bytes pass unchanged; on any other the conversation is translated.',
  models: [],
  takesModelsOf: ['text.respond'],
  defaultAliases: openaiNames,
  fieldNames: {
    items: 'messages',
    toolChoice: 'tool_choice',
    parallelToolCalls: 'parallel_tool_calls',
    format: 'response_format',
    maxOutputTokens: 'max_completion_tokens',
    topP: 'top_p',
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
    logitBias: 'logit_bias',
    topLogprobs: 'top_logprobs',
    reasoning: 'reasoning_effort',
  },
  deadlineMs: 3_600_000,
  linkLifetimeMs: dayMs,
  keepMs: 30 * dayMs,
  failure: openaiFailure,
  streamFailure: openaiStreamFailure,
  operations: {
    create: operation({
      operationId: 'createChatCompletion',
      method: 'POST',
      ...atEndpoint('chat/completions'),
      summary: 'Create a chat completion',
      description:
        'Bodies up to 70 MB. Which fields a role, a part or a tool needs is told by its type word; an error names the whole path (`messages[0].content[1].image_url.url`).',
      choosesModel: true,
      relays: chatRelay,
      references: referencesOf,
      body: { schema: chatBody, rawBytes: 70 * MiB, residualLimitBytes: 4 * MiB },
      rules: chatRules,
      needs: ['respond'],
      reply: {
        schema: completionSchema,
        stream: {
          event: chunkSchema,
          says: 'With `stream` true: chunks (`chat.completion.chunk`) with one id. For each choice the first has the role, the last an empty delta and the finish reason; then, with `stream_options.include_usage`, one without choices and with the token counts; then `[DONE]`. A failure after the first chunk is an object with a top-level `error`, then `[DONE]`.',
        },
      },
      examples,
    }),
  },
})
