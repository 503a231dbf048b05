/** Chat completions (docs/interface/text.md#chat-completions): the widely spoken protocol for
 *  conversations. */
import { objectOf } from '@generation-gateway/kit/json.ts'
import { dayMs, KiB, MiB } from '@generation-gateway/kit/units.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import { openaiFailure, openaiStreamFailure } from '../shared/openai-failure.ts'
import { atEndpoint } from '../shared/paths.ts'
import { placeOfPart } from '../shared/place-of-part.ts'
import { deletionExample, examples, listExample, messagesExample, storedExample, storedPlace } from './examples.ts'
import { linksOf } from './links.ts'
import { openaiNames } from './openai-names.ts'
import { referencesOf } from './references.ts'
import { chatRelay } from './relay.ts'
import { chunkSchema, completionSchema } from './reply-schema.ts'
import { chatRules } from './rules.ts'
import { chatBody } from './schema.ts'
import { completionDeletion, completionList, listQuery, messageList, messagesQuery, storedCompletion, updateBody } from './stored/schema.ts'

const place = { parameter: 'completion_id', usualPrefix: 'chatcmpl-', relays: chatRelay }

/** The value of `type` in this protocol for each neutral kind of part. */
const partWords = { image: 'image_url', video: 'video_url', audio: 'input_audio', file: 'file' } as const

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
  placeOfPart: (body, kind) =>
    placeOfPart(objectOf(body).messages, ({ type }) => type === partWords[kind], { name: 'messages', members: ['content'] }),
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
      links: linksOf,
      body: { schema: chatBody, rawBytes: 70 * MiB, residualLimitBytes: 4 * MiB },
      rules: chatRules,
      needs: ['respond', 'completions'],
      reply: {
        schema: completionSchema,
        stream: {
          event: chunkSchema,
          says: 'With `stream` true: chunks (`chat.completion.chunk`) with one id. For each choice the first has the role, the last an empty delta and the finish reason; then, with `stream_options.include_usage`, one without choices and with the token counts; then `[DONE]`. A failure after the first chunk is an object with a top-level `error`, then `[DONE]`.',
        },
      },
      examples,
    }),
    list: operation({
      operationId: 'listChatCompletions',
      method: 'GET',
      ...atEndpoint('chat/completions'),
      summary: 'List stored chat completions',
      description:
        'Those that the gateway itself keeps. `metadata[name]=value`, also several times, lists only completions with these pairs.',
      source: 'ours',
      query: listQuery,
      needs: ['completions'],
      reply: { schema: completionList },
      examples: [{ title: 'Completions of one project', query: { 'metadata[project]': 'atlas', limit: '1' }, reply: listExample }],
    }),
    get: operation({
      operationId: 'getChatCompletion',
      method: 'GET',
      ...atEndpoint('chat/completions/{completion_id}'),
      summary: 'Read a stored chat completion',
      description: 'A completion with `store` true is kept for 30 days.',
      source: 'ours',
      readsResponse: { ...place, suffix: '' },
      needs: ['completions'],
      reply: { schema: storedCompletion },
      examples: [{ title: 'Stored', ...storedPlace, reply: storedExample }],
    }),
    messages: operation({
      operationId: 'listChatCompletionMessages',
      method: 'GET',
      ...atEndpoint('chat/completions/{completion_id}/messages'),
      summary: 'List the messages of a stored chat completion',
      description: 'Lists the messages of the request that the completion answers.',
      source: 'ours',
      query: messagesQuery,
      readsResponse: { ...place, suffix: '/messages' },
      needs: ['completions'],
      reply: { schema: messageList },
      examples: [{ title: 'One message', ...storedPlace, query: { limit: '1' }, reply: messagesExample }],
    }),
    update: operation({
      operationId: 'updateChatCompletion',
      method: 'POST',
      ...atEndpoint('chat/completions/{completion_id}'),
      summary: 'Replace the metadata of a stored chat completion',
      source: 'ours',
      body: { schema: updateBody, rawBytes: 64 * KiB, residualLimitBytes: 64 * KiB },
      readsResponse: { ...place, suffix: '' },
      needs: ['completions'],
      reply: { schema: storedCompletion },
      examples: [{ title: 'Another project', ...storedPlace, body: { metadata: { project: 'atlas' } }, reply: storedExample }],
    }),
    delete: operation({
      operationId: 'deleteChatCompletion',
      method: 'DELETE',
      ...atEndpoint('chat/completions/{completion_id}'),
      summary: 'Delete a stored chat completion',
      source: 'ours',
      readsResponse: { ...place, suffix: '' },
      needs: ['completions'],
      reply: { schema: completionDeletion },
      examples: [{ title: 'Deleted', ...storedPlace, reply: deletionExample }],
    }),
  },
})
