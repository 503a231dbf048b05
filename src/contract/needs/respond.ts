import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'

/** The model's output as it arrives; the last event reports how the run ended. */
export type TextRunEvent = TextEvent | { type: 'finish'; result: TextResult }

/** Runs a conversation on the chosen model's targets, one after the other until one of them
 *  sends its first event, and records the usage. Throws `quota_exceeded`, and the last target's
 *  error. When the caller stops iterating, the model is stopped.
 *
 *  A handler that runs several conversations calls this function for all of them before it reads
 *  the first event of one, so that the call holds the expected usage of all. It aborts `stop`
 *  when it needs their results no more, for example because one of them has failed: those that
 *  have not been sent yet are never sent, and the others are stopped as soon as their target has
 *  answered. */
export type Respond = (request: TextRequest, stop?: AbortSignal) => AsyncIterable<TextRunEvent>
