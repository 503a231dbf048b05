/** Protocols for conversations: each can be translated into each other one. */
export const textProtocols = ['chat', 'responses', 'messages', 'generate-content'] as const
export type TextProtocol = (typeof textProtocols)[number]

/** Protocols in which a caller's bytes can be passed to an upstream unchanged. */
export type RelayProtocol = TextProtocol | 'completions' | 'embeddings' | 'rerank' | 'moderations'

/** Ids of the families for conversations. A model of one of them also serves the others, because
 *  requests and answers are translated. */
export const conversationFamilies: readonly string[] = [...textProtocols]

/** Families that models for conversations serve as well, by translation. The reverse is not true: a
 *  model of such a family may be unable to hold a conversation. */
export const servedByConversations: readonly string[] = ['completions']

export function isConversation(family: string): boolean {
  return conversationFamilies.includes(family)
}
