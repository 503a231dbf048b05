/** Anthropic's Messages (docs/vendors/anthropic-messages.md). */
import { objectOf } from '@generation-gateway/kit/json.ts'
import { dayMs, hourMs, MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { defineFamily, operation } from '../../contract/family.ts'
import { optional } from '../../contract/schemas.ts'
import { atEndpoint } from '../shared/paths.ts'
import { placeOfPart } from '../shared/place-of-part.ts'
import { claudeNames } from './claude-names.ts'
import { messageExamples, modelExample } from './examples.ts'
import { messagesFailure } from './failure.ts'
import { linksOf } from './links.ts'
import { referencesOf } from './references.ts'
import { countRelay, messagesRelay } from './relay.ts'
import { countSchema, eventSchema, messageSchema, modelInfoSchema, modelListSchema } from './reply-schema.ts'
import { messagesRules } from './rules.ts'
import { countBody, messageBody } from './schema.ts'

/** Header by which the gateway recognizes Anthropic's clients at paths that other clients use,
 *  too. */
const header = 'anthropic-version'

/** Returns the paths of an operation. Anthropic's clients append `/v1/...` to their base URL, and
 *  that URL may already contain `/v1/ai/{endpoint}`. */
function withVersion(rest: string) {
  const { path, aliases } = atEndpoint(rest)
  return { path, aliases: [...aliases, `/v1/ai/{endpoint}/v1/${rest}`] }
}

export const messages = defineFamily({
  id: 'messages',
  title: 'Messages',
  source: 'ours',
  description:
    "A conversation in, the next message out, in the form of Anthropic's clients, whole or as a stream of events. On a target that speaks this protocol the bytes pass unchanged; on any other the conversation is translated.",
  models: [],
  takesModelsOf: ['text.respond'],
  defaultAliases: claudeNames,
  fieldNames: {
    items: 'messages',
    toolChoice: 'tool_choice',
    parallelToolCalls: 'tool_choice.disable_parallel_tool_use',
    format: 'output_config.format',
    maxOutputTokens: 'max_tokens',
    topP: 'top_p',
    topK: 'top_k',
    stop: 'stop_sequences',
    reasoning: 'thinking',
    user: 'metadata.user_id',
  },
  placeOfPart: (body, kind) => {
    const word = kind === 'file' ? 'document' : kind
    return placeOfPart(objectOf(body).messages, ({ type }) => type === word, { name: 'messages', members: ['content'] })
  },
  deadlineMs: hourMs,
  linkLifetimeMs: dayMs,
  keepMs: 30 * dayMs,
  failure: messagesFailure,
  requestIdHeader: 'request-id',
  operations: {
    create: operation({
      operationId: 'createMessage',
      method: 'POST',
      ...withVersion('messages'),
      summary: 'Create a message',
      description:
        'Bodies up to 70 MB. The `signature` of a block with thinking has data that the target needs in the next turn: send the block back unchanged. When the target speaks another protocol, hosted tools are refused, and fields that it lacks are ignored; the header `x-gateway-warning` names them.',
      source: 'ours',
      choosesModel: true,
      relays: messagesRelay,
      references: referencesOf,
      links: linksOf,
      body: { schema: messageBody, rawBytes: 70 * MiB, residualLimitBytes: 4 * MiB },
      rules: messagesRules,
      needs: ['respond'],
      reply: {
        schema: messageSchema,
        stream: {
          event: eventSchema,
          says: 'With `stream` true: `message_start`, `ping`, then `content_block_start`, `content_block_delta` and `content_block_stop` for each block, `message_delta` with the reason for the end and the token counts, and `message_stop`. A failure after the first event is reported by an event `error`.',
        },
      },
      examples: messageExamples,
    }),
    countTokens: operation({
      operationId: 'countMessageTokens',
      method: 'POST',
      ...withVersion('messages/count_tokens'),
      summary: 'Count the tokens of a conversation',
      description:
        'The target counts the tokens; if it speaks this protocol, it gets the bytes unchanged. If it cannot count, the number is an estimate, and the header `x-gateway-warning` says so. The call costs nothing.',
      source: 'ours',
      choosesModel: true,
      relays: countRelay,
      references: referencesOf,
      links: linksOf,
      body: { schema: countBody, rawBytes: 70 * MiB, residualLimitBytes: 4 * MiB },
      rules: messagesRules,
      needs: ['countInput'],
      reply: { schema: countSchema },
      examples: [
        {
          title: 'A question',
          body: { messages: [{ role: 'user', content: 'What is the capital of France?' }] },
          reply: { input_tokens: 14 },
        },
      ],
    }),
    models: operation({
      operationId: 'listMessagesModels',
      method: 'GET',
      path: '/v1/ai/{endpoint}/messages/models',
      aliases: ['/v1/ai/{endpoint}/v1/models'],
      sharedPaths: { header, paths: ['/v1/models', '/v1/ai/{endpoint}/models'] },
      summary: 'Models for conversations, in the shape of Anthropic',
      description: 'Also at `/v1/models`, for requests with the header `anthropic-version`.',
      source: 'ours',
      query: Type.Object({
        limit: Type.Integer({ minimum: 1, maximum: 1000, default: 20 }),
        after_id: optional.string({ minLength: 1, maxLength: 200, description: 'The page begins after this model.' }),
        before_id: optional.string({ minLength: 1, maxLength: 200, description: 'The page ends before this model.' }),
      }),
      needs: ['models'],
      reply: { schema: modelListSchema },
      failsWith: ['invalid_cursor'],
      examples: [
        {
          title: 'One model',
          query: { limit: '1' },
          reply: { data: [modelExample], has_more: true, first_id: modelExample.id, last_id: modelExample.id },
        },
      ],
    }),
    model: operation({
      operationId: 'getMessagesModel',
      method: 'GET',
      path: '/v1/ai/{endpoint}/messages/models/{model}',
      aliases: ['/v1/ai/{endpoint}/v1/models/{model}'],
      sharedPaths: { header, paths: ['/v1/models/{model}', '/v1/ai/{endpoint}/models/{model}'] },
      summary: 'One model, in the shape of Anthropic',
      description: 'Also at `/v1/models/{model}`, for requests with the header `anthropic-version`.',
      source: 'ours',
      needs: ['models'],
      reply: { schema: modelInfoSchema },
      failsWith: ['model_not_found'],
      examples: [{ title: 'A built-in model', path: { model: modelExample.id }, reply: modelExample }],
    }),
  },
})
