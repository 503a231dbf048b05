import { isClosed } from './token-roles.ts'
import type { FindArt, Token } from './tokens.ts'

/** The noun that replaces a pronoun when the prompt has named no person or thing before it. */
const people: Record<string, string> = {
  she: 'woman',
  he: 'man',
  they: 'people',
  we: 'people',
  i: 'person',
  someone: 'person',
  somebody: 'person',
}

/** Returns the tokens with the first pronoun replaced by a person when the prompt has named no
 *  person or thing before it: "she reads in the library" is read as "a woman reads". */
export function namePronouns(tokens: readonly Token[], find: FindArt): readonly Token[] {
  const first = tokens.findIndex(token => token.match !== undefined || people[token.key] !== undefined)
  const token = tokens[first]
  const noun = token && people[token.key]
  const match = noun === undefined ? undefined : find(noun, 'en')
  // In "I want ...", "I" is the person who asks for the picture, not a person in it.
  const next = tokens[first + 1]
  const isRequest = token?.key === 'i' || token?.key === 'we' ? next === undefined || isClosed(next) : false
  if (!token || !match || token.match || isRequest) return tokens
  return tokens.map((one, index) => (index === first ? { ...token, match, senses: [] } : one))
}
