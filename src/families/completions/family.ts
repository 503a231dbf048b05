/** Legacy completions, OpenAI's older interface: the model continues a text. */
import { dayMs, hourMs, MiB } from '@generation-gateway/kit/units.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import { openaiFailure, openaiStreamFailure } from '../shared/openai-failure.ts'
import { atEndpoint } from '../shared/paths.ts'
import { completionsRelay } from './relay.ts'
import { completionRules } from './rules.ts'
import { chunkReply, completionBody, completionReply } from './schema.ts'

export const completions = defineFamily({
  id: 'completions',
  title: 'Completions',
  source: 'ours',
  description:
    "OpenAI's older interface, in which the model continues a text. A target that speaks this protocol gets the bytes unchanged; any other model for conversations gets the prompt as a message of the user.",
  models: [],
  takesModelsOf: ['text.respond'],
  defaultAliases: ['gpt-3.5-turbo-instruct', 'davinci-002', 'babbage-002', 'text-davinci-003'],
  fieldNames: {
    items: 'prompt',
    maxOutputTokens: 'max_tokens',
    topP: 'top_p',
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
    logitBias: 'logit_bias',
    topLogprobs: 'logprobs',
  },
  deadlineMs: hourMs,
  linkLifetimeMs: dayMs,
  keepMs: dayMs,
  failure: openaiFailure,
  streamFailure: openaiStreamFailure,
  operations: {
    create: operation({
      operationId: 'createCompletion',
      method: 'POST',
      ...atEndpoint('completions'),
      summary: 'Create a completion',
      description: 'Bodies up to 8 MiB.',
      source: 'ours',
      choosesModel: true,
      relays: completionsRelay,
      body: { schema: completionBody, rawBytes: 8 * MiB, residualLimitBytes: 4 * MiB },
      rules: completionRules,
      needs: ['respond'],
      reply: {
        schema: completionReply,
        stream: {
          event: chunkReply,
          says: 'With `stream` true: chunks that have the same id. The last chunk of each choice has the finish reason. With `stream_options.include_usage`, a chunk without choices then has the token counts. The stream ends with `[DONE]`.',
        },
      },
      examples: [
        {
          title: 'A beginning',
          body: { prompt: 'The three primary colours are', max_tokens: 20, stop: '.' },
          reply: {
            id: 'cmpl-6f1d2c9ab0e94f0d8a1c52e7b3f4a651',
            object: 'text_completion',
            created: 1_795_000_000,
            model: 'qwen2.5-coder-0.5b-instruct',
            choices: [{ index: 0, text: ' red, yellow and blue', logprobs: null, finish_reason: 'stop' }],
            usage: { prompt_tokens: 6, completion_tokens: 5, total_tokens: 11 },
          },
        },
      ],
    }),
  },
})
