import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ModelSummary } from '../../contract/context.ts'
import { implement } from '../../contract/family.ts'
import { modelsFamily } from './family.ts'

export const modelsEntry = implement(modelsFamily, {
  list: async context => ({ object: 'list' as const, data: context.models().map(present) }),
  get: async (context, { params }) => {
    const found = context.models().find(model => model.id === params.model)
    if (found) return present(found)
    throw new GatewayError(
      'model_not_found',
      `There is no model ${JSON.stringify((params.model ?? '').slice(0, 100))} for this access key.`,
      {
        field: 'model',
      },
    )
  },
})

function present({ id, title, families, createdAt, unusable, price }: ModelSummary) {
  return {
    id,
    object: 'model' as const,
    created: Math.floor(createdAt / 1000),
    owned_by: 'gateway',
    title,
    families,
    available: unusable === undefined,
    ...(unusable === undefined ? {} : { unavailable_reason: unusable }),
    ...(price === undefined ? {} : { price: { currency: price.currency, ...price.amounts } }),
  }
}
