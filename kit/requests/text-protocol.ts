/** Protocols for conversations. Each can be translated into every other one. */
export const textProtocols = ['chat', 'responses', 'messages', 'generate-content'] as const
export type TextProtocol = (typeof textProtocols)[number]

/** Protocols for which the gateway can forward a caller's bytes to an upstream unchanged. */
export type RelayProtocol = TextProtocol | 'completions' | 'embeddings' | 'rerank' | 'moderations'

/** Ids of the families for conversations. A model of one of them also serves the others, because
 *  requests and answers are translated. */
export const conversationFamilies: readonly string[] = [...textProtocols]

export function isConversation(family: string): boolean {
  return conversationFamilies.includes(family)
}

const ofConversations: readonly string[] = [...conversationFamilies, 'completions']
const ofEmbeddings: readonly string[] = ['embeddings', 'embed-content']

/** Returns the families whose callers a model of this family serves: its own family, and others
 *  by translation. A model of the family `completions` may be unable to hold a conversation, so
 *  it serves no other family. */
export function familiesServedBy(family: string): readonly string[] {
  if (isConversation(family)) return ofConversations
  return ofEmbeddings.includes(family) ? ofEmbeddings : [family]
}
