/** Rules of the field `input`. They also check relayed bodies, so each check must be fast. */
import { mostEmbedInputs } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import type { Rule } from '../../contract/operation.ts'
import type { EmbeddingsBody } from './schema.ts'

export const embeddingsRules: Rule<Pick<EmbeddingsBody, 'input'>>[] = [
  {
    id: 'one-kind-of-input',
    says: 'All members of input are of one kind: texts, token ids, or lists of token ids.',
    field: 'input',
    source: 'ours',
    holds: ({ input }) => otherKind(input) < 0,
    explain: ({ input }) => {
      const at = otherKind(input)
      return `input[${at}] is ${kindOf(input[at])}, but input[0] is ${kindOf(input[0])}; all members must be of one kind.`
    },
  },
  {
    id: 'number-of-inputs',
    says: `input has up to ${mostEmbedInputs} texts or lists.`,
    field: 'input',
    holds: ({ input }) => typeof input === 'string' || typeof input[0] === 'number' || input.length <= mostEmbedInputs,
    explain: ({ input }) => `input has ${input.length} members; at most ${mostEmbedInputs}.`,
  },
]

/** Returns the index of the first member that differs in kind from member 0; -1 when all members
 *  are of one kind. */
function otherKind(input: EmbeddingsBody['input']): number {
  return typeof input === 'string' ? -1 : input.findIndex(member => typeof member !== typeof input[0])
}

function kindOf(member: unknown): string {
  if (typeof member === 'string') return 'a text'
  return typeof member === 'number' ? 'a number' : 'a list'
}
