/** Wire protocols for conversations that can be relayed byte for byte. */
export type TextProtocol = 'chat' | 'responses'
