/** Wire protocols for conversations that bytes can be relayed in. */
export type TextProtocol = 'chat' | 'responses'
