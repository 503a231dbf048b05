import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'

/** The model's output as it arrives; the last event reports how the run ended. */
export type TextRunEvent = TextEvent | { type: 'finish'; result: TextResult }

/** Runs a conversation on the chosen model's targets, one after the other until one of them sends
 *  its first event, and records the usage. Throws `quota_exceeded`, and the last target's error.
 *  When the caller stops iterating, the model is stopped.
 *
 *  A handler that runs several conversations calls this function for all of them before it reads
 *  the first event of any of them. The expected usage of all of them is then reserved at once. The
 *  handler aborts `stop` when it no longer needs the results, for example because one conversation
 *  has failed. Conversations that have not been sent yet are then never sent, and the others are
 *  stopped as soon as their target has answered. */
export type Respond = (request: TextRequest, stop?: AbortSignal) => AsyncIterable<TextRunEvent>
