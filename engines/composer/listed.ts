/** Returns the words and phrases of a text that lists them: `'folk, celtic, 民谣'`. */
export function listed(text: string): readonly string[] {
  return text.split(', ')
}
