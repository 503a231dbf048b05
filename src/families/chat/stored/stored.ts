/** Stores completions, and reads them again. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { CallContext } from '../../../contract/context.ts'
import type { ResponseRecord } from '../../../core/ports/store.ts'
import type { RunEvent } from '../../shared/answer-runs.ts'
import type { Answer } from '../answer.ts'
import { GatheredCompletion } from '../completion.ts'
import type { Message } from '../message-schema.ts'
import type { Completion } from '../reply-schema.ts'
import type { ChatBody } from '../schema.ts'
import { keepMs } from './expiry.ts'
import type { StoredCompletion } from './schema.ts'

/** The `content` of a stored record. */
type StoredContent = { messages: Message[]; completion: Completion }

export interface StoredChat extends StoredContent {
  record: ResponseRecord
}

/** Yields the events and, after the last one, stores the completion that they make up. Stores
 *  nothing when an event fails or the reader stops before the end. */
export async function* stored(
  context: CallContext<'completions'>,
  { body, answer }: { body: ChatBody; answer: Answer },
  events: AsyncIterable<RunEvent>,
): AsyncGenerator<RunEvent> {
  const gathered = new GatheredCompletion(answer)
  for await (const event of events) {
    gathered.add(event)
    yield event
  }
  const completion = gathered.whole()
  await save(context, {
    content: { messages: body.messages, completion },
    metadata: body.metadata ?? {},
    expiresAt: context.now() + keepMs,
  })
}

/** Returns the stored completion with this id. Throws `response_not_found` when it is unknown,
 *  deleted, expired or another caller's. */
export async function readStored(context: CallContext<'completions'>, id: string): Promise<StoredChat> {
  const record = await context.completions.get(id)
  if (!record?.content) throw notStored(id)
  return { record, ...contentOf(record) }
}

/** Replaces the metadata. */
export async function replaceMetadata(
  context: CallContext<'completions'>,
  { record, messages, completion }: StoredChat,
  metadata: Record<string, string>,
): Promise<StoredCompletion> {
  await save(context, { content: { messages, completion }, metadata, expiresAt: record.expiresAt })
  return { ...completion, metadata }
}

export function shownCompletion(record: ResponseRecord): StoredCompletion {
  return { ...contentOf(record).completion, metadata: { ...record.metadata } }
}

export function notStored(id: string): GatewayError {
  return new GatewayError('response_not_found', `Chat completion with id '${id.slice(0, 100)}' not found.`, {
    subject: id,
    wire: { code: null, type: 'invalid_request_error', param: null },
  })
}

function contentOf({ content }: ResponseRecord): StoredContent {
  return content as StoredContent // Safe, because only `save` writes the contents of completions.
}

interface NewRecord {
  content: StoredContent
  metadata: Record<string, string>
  /** Unix milliseconds. */
  expiresAt: number
}

function save(context: CallContext<'completions'>, { content, metadata, expiresAt }: NewRecord): Promise<void> {
  const { id, model } = content.completion
  // The cast is safe: messages and completion come from JSON or become JSON.
  return context.completions.save({ id, model, content: content as unknown as JsonObject, metadata, expiresAt })
}
