/** Protocols for conversations: each can be translated into each other one. */
export const textProtocols = ['chat', 'responses', 'messages', 'generate-content'] as const
export type TextProtocol = (typeof textProtocols)[number]

/** Protocols in which a caller's bytes can be passed to an upstream unchanged. */
export type RelayProtocol = TextProtocol | 'completions' | 'embeddings' | 'rerank' | 'moderations'

/** Ids of the families for conversations. A model of one of them also serves the others, because
 *  requests and answers are translated. */
export const conversationFamilies: readonly string[] = [...textProtocols]

export function isConversation(family: string): boolean {
  return conversationFamilies.includes(family)
}

const ofConversations: readonly string[] = [...conversationFamilies, 'completions']
const ofEmbeddings: readonly string[] = ['embeddings', 'embed-content']

/** Returns the families that a model of this family serves, by translation. A model of legacy
 *  completions alone may be unable to hold a conversation, so it serves no other family. */
export function familiesServedBy(family: string): readonly string[] {
  if (isConversation(family)) return ofConversations
  return ofEmbeddings.includes(family) ? ofEmbeddings : [family]
}
