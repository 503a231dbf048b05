/** Embeddings, OpenAI's interface that turns texts into vectors. */
import { mostEmbedInputs, mostInputTokens } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { dayMs, hourMs, MiB } from '@generation-gateway/kit/units.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import { inferRelay } from '../shared/infer-relay.ts'
import { openaiFailure } from '../shared/openai-failure.ts'
import { atEndpoint } from '../shared/paths.ts'
import { embeddingsRules } from './rules.ts'
import { embeddingsBody, embeddingsReply } from './schema.ts'

/** Model names that clients send by default: those of OpenAI, and other names of the built-in
 *  model. */
const usualNames = [
  ...['text-embedding-3-small', 'text-embedding-3-large', 'text-embedding-ada-002'],
  ...['all-minilm', 'all-MiniLM-L6-v2', 'sentence-transformers/all-MiniLM-L6-v2'],
]

/** Largest number of token ids in a call: the limit that OpenAI documents for its models. */
const mostTokens = 300_000

export const embeddings = defineFamily({
  id: 'embeddings',
  title: 'Embeddings',
  source: 'ours',
  description: `OpenAI's interface that returns a vector for each text. Up to ${mostEmbedInputs} inputs in a call, each of up to ${mostInputTokens} tokens, or fewer where the model takes fewer. A target that speaks this protocol gets the bytes unchanged.`,
  models: [],
  takesModelsOf: ['text.embed'],
  defaultAliases: usualNames,
  fieldNames: { inputs: 'input', cutsInputs: 'truncate' },
  deadlineMs: hourMs,
  linkLifetimeMs: dayMs,
  keepMs: dayMs,
  failure: openaiFailure,
  operations: {
    create: operation({
      operationId: 'createEmbedding',
      method: 'POST',
      ...atEndpoint('embeddings'),
      summary: 'Create embeddings',
      description: `Bodies up to 32 MiB, and up to ${mostTokens} token ids. An error names the whole path (\`input[3]\`).`,
      source: 'ours',
      choosesModel: true,
      relays: inferRelay({ protocol: 'embeddings', capability: 'text.embed' }),
      body: { schema: embeddingsBody, rawBytes: 32 * MiB, residualLimitBytes: 8 * MiB, residualValues: mostTokens + 2 * mostEmbedInputs },
      rules: embeddingsRules,
      needs: ['infer'],
      reply: { schema: embeddingsReply, others: [] },
      examples: [
        {
          title: 'Two texts',
          body: { input: ['The tide comes in at noon.', 'High water is at twelve.'] },
          reply: {
            object: 'list',
            data: [
              { object: 'embedding', index: 0, embedding: [0.0312, -0.0077, 0.0641] },
              { object: 'embedding', index: 1, embedding: [0.0287, -0.0102, 0.0598] },
            ],
            model: 'all-minilm-l6-v2',
            usage: { prompt_tokens: 17, total_tokens: 17 },
          },
        },
      ],
    }),
  },
})
