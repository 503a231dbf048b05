/** Queries, bodies and answers of the operations on stored completions
 *  (docs/vendors/openai-chat.md#stored-completions). */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type, { type Static } from 'typebox'
import { namedObject, optional, orNull } from '../../../contract/schemas.ts'
import { completionSchema } from '../reply-schema.ts'

const metadata = Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } })

export const storedCompletion = namedObject('StoredChatCompletion', { ...completionSchema.properties, metadata })

const listOf = {
  object: Type.Literal('list'),
  first_id: orNull<string>('string'),
  last_id: orNull<string>('string'),
  has_more: Type.Boolean(),
}

export const completionList = namedObject('ChatCompletionList', { ...listOf, data: Type.Array(storedCompletion) })

const storedMessage = namedObject('ChatCompletionStoreMessage', {
  id: Type.String({ description: 'The id of the completion, a hyphen and the position of the message, from 0.' }),
  role: Type.String(),
  content: orNull<string>('string', { description: 'The text; for a message with parts, the texts of all parts joined.' }),
  content_parts: orNull<JsonObject[]>('array', { items: { type: 'object' }, description: 'Null for a message of plain text.' }),
  name: orNull<string>('string'),
})

export const messageList = namedObject('ChatCompletionMessageList', { ...listOf, data: Type.Array(storedMessage) })

export const completionDeletion = namedObject('ChatCompletionDeleted', {
  id: Type.String(),
  object: Type.Literal('chat.completion.deleted'),
  deleted: Type.Literal(true),
})

const page = {
  after: optional.string({ description: 'Id of the last entry of the page before.' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  order: Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
    default: 'asc',
    description: 'Order by age; asc begins with the oldest.',
  }),
}

export const listQuery = Type.Object({ ...page, model: optional.string({ description: 'Only completions of this model.' }) })
export const messagesQuery = Type.Object(page)

export const updateBody = Type.Object({
  metadata: optional.unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    maxProperties: 16,
    propertyNames: { maxLength: 64 },
    additionalProperties: { type: 'string', maxLength: 512 },
    description:
      'Replaces the metadata; null or absent removes it. Up to 16 pairs, names of at most 64 and values of at most 512 characters.',
  }),
})

export type StoredCompletion = Static<typeof storedCompletion>
export type StoredMessage = Static<typeof storedMessage>
