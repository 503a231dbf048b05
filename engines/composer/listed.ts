/** Returns the words and phrases that a text lists, separated by commas: `'folk, celtic, 民谣'`. */
export function listed(text: string): readonly string[] {
  return text.split(', ')
}
