/** Protocols for conversations: each can be translated into each other one. */
export type TextProtocol = 'chat' | 'responses'

/** Protocols in which a caller's bytes can be passed to an upstream unchanged. */
export type RelayProtocol = TextProtocol | 'messages' | 'generate-content' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
