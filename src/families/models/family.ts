import Type from 'typebox'
import { defineFamily, operation } from '../../contract/family.ts'
import { namedObject, optional } from '../../contract/schemas.ts'
import { priceNames } from '../../core/records/ledger.ts'
import { openaiFailure } from '../shared/openai-failure.ts'
import { atEndpoint } from '../shared/paths.ts'

const model = namedObject('Model', {
  id: Type.String({ description: 'What a request names in `model`.' }),
  object: Type.Literal('model'),
  created: Type.Integer({ description: 'Unix seconds: when this gateway started.', unit: 's' }),
  owned_by: Type.String(),
  title: Type.String(),
  alias_of: optional.string({
    description: 'Only of an alias: the id of the model that it stands for, to which scopes, prices and usage refer.',
  }),
  families: Type.Array(Type.String(), { description: 'Interface families that take it.' }),
  available: Type.Boolean({ description: 'False while no target of it can be used; `unavailable_reason` then says how to change that.' }),
  unavailable_reason: optional.string(),
  price: optional.object(
    {
      currency: Type.String(),
      ...Object.fromEntries(Object.keys(priceNames).map(name => [name, optional.number()])),
    },
    { description: 'What it costs by unit; a model without it costs nothing.' },
  ),
})

const modelList = namedObject('ModelList', { object: Type.Literal('list'), data: Type.Array(model) })

const sample = {
  id: 'qwen2.5-coder-0.5b-instruct',
  object: 'model' as const,
  created: 1_795_000_000,
  owned_by: 'gateway',
  title: 'Qwen2.5 Coder 0.5B Instruct, built in',
  families: ['chat', 'responses'],
  available: true,
}

/** Lists the models that a key may name in `model`. The format is the one that OpenAI's clients,
 *  and tools built on them, expect; the last members of an entry are additions of the gateway. */
export const modelsFamily = defineFamily({
  id: 'models',
  title: 'Models',
  source: 'Ours: the lists that clients of chat and responses ask for first',
  description: 'The models the access key may use, at one endpoint or at all.',
  models: [],
  deadlineMs: 0,
  linkLifetimeMs: 0,
  keepMs: 0,
  isOpen: true,
  failure: openaiFailure,
  operations: {
    list: operation({
      operationId: 'listModels',
      method: 'GET',
      ...atEndpoint('models'),
      summary: 'List models',
      description: 'Models of chat come first, then the others, each kind with its aliases behind it.',
      source: 'ours',
      query: Type.Object({
        family: optional.string({
          minLength: 1,
          maxLength: 100,
          description: 'Only models that this family takes, like `chat` or `images`.',
        }),
      }),
      needs: ['models'],
      reply: { schema: modelList },
      examples: [{ title: 'One model', reply: { object: 'list', data: [sample] } }],
    }),
    get: operation({
      operationId: 'getModel',
      method: 'GET',
      ...atEndpoint('models/{model}'),
      summary: 'Get one model',
      source: 'ours',
      needs: ['models'],
      reply: { schema: model },
      failsWith: ['model_not_found'],
      examples: [{ title: 'A built-in model', path: { model: sample.id }, reply: sample }],
    }),
  },
})
