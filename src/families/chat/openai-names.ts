/** Names of OpenAI's chat models, without dates, as they occur in code samples that users copy. */
export const openaiNames: readonly string[] = [
  ...['gpt-3.5-turbo', 'gpt-4', 'gpt-4-turbo', 'gpt-4-turbo-preview', 'gpt-4.5-preview', 'chatgpt-4o-latest', 'chat-latest'],
  ...['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1-mini', 'gpt-4.1-nano'],
  ...['o1', 'o1-mini', 'o1-preview', 'o1-pro', 'o3', 'o3-mini', 'o3-pro', 'o4-mini', 'codex-mini-latest'],
  ...['gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'gpt-5-pro', 'gpt-5-codex', 'gpt-5-chat-latest'],
  ...['gpt-5.1', 'gpt-5.1-chat-latest', 'gpt-5.1-codex', 'gpt-5.1-codex-mini', 'gpt-5.1-codex-max'],
  ...['gpt-5.2', 'gpt-5.2-pro', 'gpt-5.2-chat-latest', 'gpt-5.2-codex', 'gpt-5.3-chat-latest', 'gpt-5.3-codex'],
  ...['gpt-5.4', 'gpt-5.4-mini', 'gpt-5.4-nano', 'gpt-5.4-pro', 'gpt-5.5', 'gpt-5.5-pro'],
  ...['gpt-5.6', 'gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna', 'gpt-6', 'gpt-6-sol', 'gpt-6-luna', 'gpt-6-astra'],
]
