/** Gemini's embedContent (docs/vendors/gemini.md): returns an embedding for each text, for callers
 *  that use Google's client libraries. */
import { mostEmbedInputs } from '@generation-gateway/kit/requests/retrieval/embed.ts'
import { dayMs, hourMs, MiB } from '@generation-gateway/kit/units.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import { googleFailure } from '../shared/google-failure.ts'
import { inCamelCase } from '../shared/google-names.ts'
import { ofGoogleModel } from '../shared/paths.ts'
import { batchBody, batchReply, embedBody, embedReply } from './schema.ts'

const choosesModel = { in: 'path', name: 'model' } as const
const limits = { residualLimitBytes: 8 * MiB, plainNames: inCamelCase } as const
const path = { model: 'all-minilm-l6-v2' }
const values = [0.0312, -0.0077, 0.0641]

export const embedContent = defineFamily({
  id: 'embed-content',
  title: 'Gemini embeddings',
  source: 'ours',
  description: `Texts in, a vector for each, in the form of Gemini's clients. Up to ${mostEmbedInputs} texts in a call.`,
  models: [],
  takesModelsOf: ['text.embed'],
  defaultAliases: ['gemini-embedding-001', 'text-embedding-004', 'embedding-001'],
  fieldNames: { inputs: 'content', dimensions: 'outputDimensionality' },
  deadlineMs: hourMs,
  linkLifetimeMs: dayMs,
  keepMs: dayMs,
  failure: googleFailure,
  operations: {
    embed: operation({
      operationId: 'embedContent',
      method: 'POST',
      ...ofGoogleModel('embedContent'),
      summary: 'Embed a text',
      source: 'ours',
      choosesModel,
      body: { schema: embedBody, ...limits },
      needs: ['infer'],
      reply: { schema: embedReply },
      examples: [
        { title: 'A text', path, body: { content: { parts: [{ text: 'The tide comes in at noon.' }] } }, reply: { embedding: { values } } },
      ],
    }),
    batch: operation({
      operationId: 'batchEmbedContents',
      method: 'POST',
      ...ofGoogleModel('batchEmbedContents'),
      summary: 'Embed several texts',
      source: 'ours',
      choosesModel,
      body: { schema: batchBody, ...limits },
      needs: ['infer'],
      reply: { schema: batchReply, others: [] },
      examples: [
        {
          title: 'Two texts',
          path,
          body: {
            requests: ['The tide comes in at noon.', 'High water is at twelve.'].map(text => ({ content: { parts: [{ text }] } })),
          },
          reply: { embeddings: [{ values }, { values: [0.0287, -0.0102, 0.0598] }] },
        },
      ],
    }),
  },
})
