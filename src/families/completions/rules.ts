import type { Rule } from '../../contract/operation.ts'
import { type CompletionBody, mostAnswers } from './schema.ts'

export const completionRules: Rule<CompletionBody>[] = [
  {
    id: 'one-kind-of-prompt',
    says: 'prompt is a list of texts, of token ids, or of lists of token ids; all members must be of one kind.',
    field: 'prompt',
    holds: ({ prompt }) => typeof prompt === 'string' || prompt.every(each => kindOf(each) === kindOf(prompt[0])),
  },
  {
    id: 'answers',
    says: `Prompts times the larger of n and best_of are at most ${mostAnswers} answers.`,
    field: 'prompt',
    source: 'ours',
    holds: body => answersOf(body) <= mostAnswers,
    explain: body => `prompt asks for ${answersOf(body)} answers with n and best_of; at most ${mostAnswers}.`,
  },
  {
    id: 'best-of',
    says: 'best_of is at least n.',
    field: 'best_of',
    holds: ({ n, best_of: best }) => best == null || best >= (n ?? 1),
    explain: ({ n, best_of: best }) => `best_of is ${best}; it must be at least n, ${n ?? 1}.`,
  },
  {
    id: 'best-of-whole',
    says: 'best_of larger than n cannot be combined with stream true, because the best answers are known only at the end.',
    field: 'best_of',
    holds: ({ n, best_of: best, stream }) => stream !== true || best == null || best <= (n ?? 1),
  },
  {
    id: 'stream-options',
    says: 'stream_options is only for stream true.',
    field: 'stream_options',
    holds: body => body.stream_options == null || body.stream === true,
  },
]

function kindOf(prompt: unknown): string {
  return Array.isArray(prompt) ? 'tokens' : typeof prompt
}

function answersOf({ prompt, n, best_of: best }: CompletionBody): number {
  const prompts = typeof prompt === 'string' || typeof prompt[0] === 'number' ? 1 : prompt.length
  return prompts * Math.max(n ?? 1, best ?? 1)
}
