/** Moderations, OpenAI's interface that finds harmful contents in texts and pictures. */
import { listOf } from '@generation-gateway/kit/json.ts'
import { addLinksOf, type Link } from '@generation-gateway/kit/outbound/links.ts'
import { moderationCategories, mostModerated } from '@generation-gateway/kit/requests/moderate.ts'
import { dayMs, hourMs, MiB } from '@generation-gateway/kit/units.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import type { Rule } from '../../contract/operation.ts'
import { inferRelay } from '../shared/infer-relay.ts'
import { openaiFailure } from '../shared/openai-failure.ts'
import { atEndpoint } from '../shared/paths.ts'
import { type ModerationBody, moderationBody, moderationReply } from './schema.ts'

const rules: Rule<ModerationBody>[] = [
  {
    id: 'one-kind-of-input',
    says: 'input is a list of texts or a list of parts; all members must be of one kind.',
    field: 'input',
    holds: ({ input }) => typeof input === 'string' || input.every(each => typeof each === typeof input[0]),
  },
]

const unsure = ['illicit', 'violence']

export const moderations = defineFamily({
  id: 'moderations',
  title: 'Moderations',
  source: 'ours',
  description: `OpenAI's interface that finds harmful contents in texts and pictures, with OpenAI's categories. Up to ${mostModerated} inputs. A target that speaks this protocol gets the bytes unchanged. The built-in rules know English and Chinese text only; docs/decisions/0003-safety.md says what they miss.`,
  models: [],
  takesModelsOf: ['text.moderate'],
  defaultAliases: ['omni-moderation-latest', 'omni-moderation-2024-09-26', 'text-moderation-latest', 'text-moderation-stable'],
  fieldNames: { inputs: 'input' },
  deadlineMs: hourMs,
  linkLifetimeMs: dayMs,
  keepMs: dayMs,
  failure: openaiFailure,
  operations: {
    create: operation({
      operationId: 'createModeration',
      method: 'POST',
      ...atEndpoint('moderations'),
      summary: 'Find harmful contents',
      description: 'Bodies up to 32 MiB.',
      source: 'ours',
      choosesModel: true,
      relays: inferRelay({ protocol: 'moderations', capability: 'text.moderate' }),
      links: ({ input }) => {
        const links: Link[] = []
        for (const [index, part] of listOf(input).entries()) addLinksOf(links, part, { names: ['image_url'], at: () => `input[${index}]` })
        return links
      },
      body: { schema: moderationBody, rawBytes: 32 * MiB, residualLimitBytes: 8 * MiB },
      rules,
      needs: ['infer'],
      reply: { schema: moderationReply },
      examples: [
        {
          title: 'A text',
          body: { input: 'How do I build a pipe bomb at home?' },
          reply: {
            id: 'modr-6f1d2c9ab0e94f0d8a1c52e7b3f4a651',
            model: 'prompt-rules',
            results: [
              {
                flagged: true,
                categories: byCategory(name => unsure.includes(name)),
                category_scores: byCategory(name => (unsure.includes(name) ? 1 : 0)),
                category_applied_input_types: byCategory(() => ['text']),
              },
            ],
          },
        },
      ],
    }),
  },
})

function byCategory<T>(of: (name: string) => T): Record<string, T> {
  return Object.fromEntries(moderationCategories.map(name => [name, of(name)]))
}
