/** Names of Anthropic's models, without dates, as they occur in code samples that users copy. */
export const claudeNames: readonly string[] = [
  ...['claude-3-haiku', 'claude-3-opus', 'claude-3-opus-latest', 'claude-3-5-haiku', 'claude-3-5-haiku-latest'],
  ...['claude-3-5-sonnet', 'claude-3-5-sonnet-latest', 'claude-3-7-sonnet', 'claude-3-7-sonnet-latest'],
  ...['claude-sonnet-4', 'claude-sonnet-4-0', 'claude-sonnet-4-5', 'claude-sonnet-4-6', 'claude-sonnet-5', 'claude-sonnet-5-5'],
  ...['claude-opus-4', 'claude-opus-4-0', 'claude-opus-4-1', 'claude-opus-4-5', 'claude-opus-4-6', 'claude-opus-4-7', 'claude-opus-4-8'],
  ...['claude-opus-5', 'claude-opus-5-5', 'claude-haiku-4-5', 'claude-haiku-5-5'],
  ...['claude-fable-5', 'claude-fable-5-1', 'claude-fable-5-2', 'claude-mythos-5', 'claude-mythos-5-1', 'claude-mythos-5-2'],
]
