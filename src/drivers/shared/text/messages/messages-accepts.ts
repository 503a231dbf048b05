/** Decides whether the body of a message can be sent to an upstream unchanged. */
import { type JsonObject, objectsOf } from '@generation-gateway/kit/json.ts'
import { isSealedReasoning } from '@generation-gateway/kit/requests/carried.ts'

/** Returns false for a body with thinking that this gateway signed for the answer of another
 *  kind of target. No upstream understands such a signature, so the body must be translated. */
export function acceptsMessages({ messages }: JsonObject): boolean {
  return !objectsOf(messages).some(({ role, content }) => role === 'assistant' && objectsOf(content).some(isOurs))
}

function isOurs(block: JsonObject): boolean {
  return block.type === 'thinking' && isSealedReasoning(block.signature)
}
