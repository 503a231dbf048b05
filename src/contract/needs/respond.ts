import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'

/** The model's output as it arrives; the last event reports how the run ended. */
export type TextRunEvent = TextEvent | { type: 'finish'; result: TextResult }

/** Runs a conversation on the chosen model's targets in order, failing over until the first
 *  event,
 *  and records its usage. Throws the last target's error. Abandoning the iteration stops the
 *  model. */
export type Respond = (request: TextRequest) => AsyncIterable<TextRunEvent>
