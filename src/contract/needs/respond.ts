import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'

/** The model's words as they come; the last event tells how the run ended. */
export type TextRunEvent = TextEvent | { type: 'finish'; result: TextResult }

/** Runs a conversation on the chosen model's targets in order, failing over until the first event,
 *  and records its usage. Throws what the last target threw. Abandoning the iteration stops the
 *  model. */
export type Respond = (request: TextRequest) => AsyncIterable<TextRunEvent>
