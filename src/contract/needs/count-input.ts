import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'

/** Returns the number of input tokens of a conversation: as the chosen model's target counts them,
 *  else an estimate, which the header `x-gateway-warning` then reports. Nothing is charged. Throws
 *  the errors that the target would give for the conversation. */
export type CountInput = (request: TextRequest) => Promise<number>
