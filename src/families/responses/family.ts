/** The Responses interface (docs/interface/text.md#responses): conversations that the gateway
 *  stores. Where the interface is silent, docs/vendors/openai-responses.md applies. */

import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { objectOf } from '@generation-gateway/kit/json.ts'
import { hourMs, MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { defineFamily, operation } from '../../contract/family.ts'
import type { ReplyFrame } from '../../contract/replies.ts'
import { optional } from '../../contract/schemas.ts'
import { openaiFailure } from '../shared/openai-failure.ts'
import { atEndpoint } from '../shared/paths.ts'
import { placeOfPart } from '../shared/place-of-part.ts'
import { errorEvent } from './error-event.ts'
import { keepMs } from './expiry.ts'
import { fieldNames } from './field-names.ts'
import { linksOf } from './links.ts'
import { referencesOf } from './references.ts'
import { compactRelay, countRelay, responsesRelay } from './relay.ts'
import { createRules, noConversation } from './rules.ts'
import { responseEvent } from './schema/event-schema.ts'
import { compactExample, countExample, createExamples, deletionExample, listExample, responseExample, stored } from './schema/examples.ts'
import { compactBody, countBody, createBody, mostBodyBytes } from './schema/request-schema.ts'
import { compactedResponse, deletion, inputTokenCount, itemList, responseObject } from './schema/response-schema.ts'

const place = { parameter: 'response_id', usualPrefix: 'resp_', relays: responsesRelay }

const words = (description: string) => optional.unsafe<string | string[]>({ type: ['string', 'array'], description })
/** The field `include`; official clients write the list in the query as `include[]`. */
const include = {
  include: words('What to show besides; several with commas or as `include[]`.'),
  'include[]': words('What to show besides.'),
}

/** Names of fields that occur inside items, parts and tools. The schema of the body does not
 *  describe these objects. */
const innerNames =
  'type id role content output call_id name namespace input arguments text file_id file_ids file_data file_url image_url video_url input_audio audio_url data format encrypted_content summary container container_id environment tools server_url file_ids skill_id vector_store_ids result'.split(
    ' ',
  )
const bodyLimits = { rawBytes: mostBodyBytes, residualLimitBytes: 4 * MiB, innerNames } as const

export const responses = defineFamily({
  id: 'responses',
  title: 'Responses',
  source: 'docs/interface/text.md#responses',
  description:
    'Conversations with a text model: the gateway keeps each response for 30 days, a later one continues it by `previous_response_id`, and a long one runs in the background.',
  models: [],
  takesModelsOf: ['text.respond'],
  fieldNames,
  placeOfPart: (body, kind) =>
    placeOfPart(objectOf(body).input, ({ type }) => type === `input_${kind}`, { name: 'input', members: ['content', 'output'] }),
  deadlineMs: hourMs,
  linkLifetimeMs: 10 * 60_000,
  keepMs,
  failure: openaiFailure,
  streamFailure,
  operations: {
    create: operation({
      operationId: 'createResponse',
      method: 'POST',
      ...atEndpoint('responses'),
      summary: 'Create a response',
      description:
        'With `background` the answer comes at once with status `queued`, and the response is read until it has ended. A deleted turn counts as nothing for those that continue it. A conversation whose turns are stored here with more than 80 MB together is not continued (400). What a request asks for and its model does not have is left out where that is harmless; the header `x-gateway-warning` then says what.',
      choosesModel: true,
      relays: responsesRelay,
      references: referencesOf,
      links: linksOf,
      body: { schema: createBody, ...bodyLimits },
      rules: createRules,
      needs: ['respond', 'responses'],
      reply: {
        schema: responseObject,
        stream: {
          event: responseEvent,
          says: 'With `stream`: events from `response.created` to `response.completed`, `response.incomplete` or `response.failed`, then `[DONE]`. Each has a `sequence_number` from 0.',
        },
      },
      failsWith: ['idempotency_conflict', 'previous_response_not_found'],
      examples: createExamples,
    }),
    countInput: operation({
      operationId: 'countResponseInputTokens',
      method: 'POST',
      ...atEndpoint('responses/input_tokens'),
      summary: 'Count the input tokens of a response',
      description:
        'Counts the conversation, the instructions, the tools and the format of a request without running it. The tokenizer of the built-in models counts, or the upstream where it has this operation, and the bytes then pass unchanged where it speaks this protocol; else the number is an estimate, and the header `x-gateway-warning` says so. Costs nothing.',
      source: 'ours',
      choosesModel: true,
      relays: countRelay,
      references: referencesOf,
      links: linksOf,
      body: { schema: countBody, ...bodyLimits },
      rules: [noConversation],
      needs: ['countInput', 'responses'],
      reply: { schema: inputTokenCount },
      failsWith: ['previous_response_not_found'],
      examples: [countExample],
    }),
    compact: operation({
      operationId: 'compactResponse',
      method: 'POST',
      ...atEndpoint('responses/compact'),
      summary: 'Compact a conversation',
      description:
        'An upstream that has this operation does it, and the bytes pass unchanged: only this upstream then reads the item with the summary. Else the model summarizes the conversation. The answer has the messages of the user and an item with the summary: together they are the `input` of the next request, in place of the conversation. Only a gateway reads this summary, whichever target then serves the request.',
      source: 'ours',
      choosesModel: true,
      relays: compactRelay,
      references: referencesOf,
      links: linksOf,
      body: { schema: compactBody, ...bodyLimits },
      rules: [noConversation],
      needs: ['respond', 'responses'],
      reply: { schema: compactedResponse },
      failsWith: ['previous_response_not_found'],
      examples: [compactExample],
    }),
    get: operation({
      operationId: 'getResponse',
      method: 'GET',
      ...atEndpoint('responses/{response_id}'),
      summary: 'Read a response',
      readsResponse: { ...place, suffix: '', isShown: true },
      query: Type.Object({
        ...include,
        stream: Type.Boolean({ default: false, description: 'Gives the response as events; waits for one that is still being made.' }),
        starting_after: optional.integer({ minimum: 0, description: 'With `stream`: leaves out the events up to this number.' }),
        include_obfuscation: optional.boolean({ description: 'Taken; deltas are never padded.' }),
      }),
      needs: ['responses'],
      reply: {
        schema: responseObject,
        stream: { event: responseEvent, says: 'The response; with `stream` its events, each part in one delta, the same at every call.' },
      },
      examples: [{ title: 'Completed', ...stored, reply: responseExample }],
    }),
    delete: operation({
      operationId: 'deleteResponse',
      method: 'DELETE',
      ...atEndpoint('responses/{response_id}'),
      summary: 'Delete a response',
      description: 'Deletes this one turn. Turns that continue it stay and stand without it.',
      readsResponse: { ...place, suffix: '' },
      needs: ['responses', 'taskEnding'],
      reply: { schema: deletion },
      examples: [{ title: 'Deleted', ...stored, reply: deletionExample }],
    }),
    cancel: operation({
      operationId: 'cancelResponse',
      method: 'POST',
      ...atEndpoint('responses/{response_id}/cancel'),
      summary: 'Cancel a background response',
      description: 'A response that has ended stays as it is.',
      source: 'ours',
      readsResponse: { ...place, suffix: '/cancel', isShown: true },
      needs: ['responses', 'taskEnding'],
      reply: { schema: responseObject },
      examples: [
        {
          title: 'Cancelled',
          ...stored,
          needs: 'the id of a response that is made in the background.',
          reply: { ...responseExample, status: 'cancelled', background: true, completed_at: null, output: [], usage: null },
        },
      ],
    }),
    inputItems: operation({
      operationId: 'listInputItems',
      method: 'GET',
      ...atEndpoint('responses/{response_id}/input_items'),
      summary: 'List the input items of a response',
      description:
        'With those of the turns it continues, whose stored sizes may be 80 MB together. Files in data URLs are shown as null unless `include` has `message.input_image.image_url`.',
      readsResponse: { ...place, suffix: '/input_items' },
      query: Type.Object({
        limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
        order: Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
          default: 'desc',
          description: 'By age: desc begins with the newest.',
        }),
        after: optional.string({ description: 'Id of an item: the page begins after it.' }),
        before: optional.string({ description: 'Id of an item: the page ends before it.' }),
        ...include,
      }),
      needs: ['responses'],
      reply: { schema: itemList },
      examples: [{ title: 'One message', ...stored, query: { limit: '1' }, reply: listExample }],
    }),
  },
})

/** Returns the last frames of a stream that broke off without an error event of its own, such as a
 *  relayed stream. The sequence number of the error event is always 0, because the number of the
 *  last event is not known here. */
function streamFailure(error: GatewayError, requestId: string): ReplyFrame[] {
  return [{ event: 'error', data: { sequence_number: 0, ...errorEvent(error, requestId) } }, { data: '[DONE]' }]
}
