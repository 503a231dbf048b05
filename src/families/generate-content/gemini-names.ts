/** Names of Google's models for conversations as they occur in code samples that users copy.
 *  Models for pictures, speech and live conversations are not among them. */
export const geminiNames: readonly string[] = [
  ...[
    'gemini-1.5-flash',
    'gemini-1.5-pro',
    'gemini-2.0-flash',
    'gemini-2.0-flash-001',
    'gemini-2.0-flash-lite',
    'gemini-2.0-flash-lite-001',
  ],
  ...[
    'gemini-2.5-flash',
    'gemini-2.5-flash-lite',
    'gemini-2.5-pro',
    'gemini-flash-latest',
    'gemini-flash-lite-latest',
    'gemini-pro-latest',
  ],
  ...['gemini-3-flash-preview', 'gemini-3-pro-preview', 'gemini-3.1-flash-lite', 'gemini-3.1-pro-preview'],
  ...['gemini-3.5-flash', 'gemini-3.5-flash-lite', 'gemini-3.6-flash', 'gemini-3.7-flash', 'gemini-3.8-flash'],
  ...['gemini-4-argon', 'gemini-4-carbon', 'gemini-4-hydrogen'],
]
