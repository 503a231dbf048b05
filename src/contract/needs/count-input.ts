import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'

/** Returns the number of input tokens of a conversation. The chosen model's target counts them;
 *  when it cannot, the number is an estimate, and the header `x-gateway-warning` says so.
 *  Nothing is charged. Throws the error with which the target refuses to count the conversation. */
export type CountInput = (request: TextRequest) => Promise<number>
