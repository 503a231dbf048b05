import { isClosed } from './token-roles.ts'
import type { FindArt, Token } from './tokens.ts'

/** The person that a pronoun means when nobody was named before it. */
const people: Record<string, string> = {
  she: 'woman',
  he: 'man',
  they: 'people',
  we: 'people',
  i: 'person',
  someone: 'person',
  somebody: 'person',
}

/** Replaces pronouns that refer to nobody by a person: in "she reads in the library", by a
 *  woman. */
export function namePronouns(tokens: readonly Token[], find: FindArt): readonly Token[] {
  const first = tokens.findIndex(token => token.match !== undefined || people[token.key] !== undefined)
  const token = tokens[first]
  const noun = token && people[token.key]
  const match = noun === undefined ? undefined : find(noun, 'en')
  // In "I want ...", the first person asks for a picture and is not in it.
  const next = tokens[first + 1]
  const isRequest = token?.key === 'i' || token?.key === 'we' ? next === undefined || isClosed(next) : false
  if (!token || !match || token.match || isRequest) return tokens
  return tokens.map((one, index) => (index === first ? { ...token, match, senses: [] } : one))
}
