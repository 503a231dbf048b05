import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { nameList, nearText } from '@generation-gateway/kit/near-names.ts'
import { isConversation } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { CallContext } from '../../contract/context.ts'
import { implement } from '../../contract/family.ts'
import type { ModelSummary } from '../../contract/needs/models.ts'
import { unixSeconds } from '../shared/task-answers.ts'
import { modelsFamily } from './family.ts'

export const modelsEntry = implement(modelsFamily, {
  list: async (context, { query }) => ({ object: 'list' as const, data: modelsOf(context, query.family).map(present) }),
  get: async (context, { params }) => {
    const name = params.model ?? ''
    const found = context.models.named(name)
    if (found) return present(found)
    const near = nearText(nameList(context.models.list().map(({ id }) => id)).near(name))
    const message = `There is no model ${JSON.stringify(name.slice(0, 100))} for this access key${near === undefined ? '' : `; ${near}`}.`
    throw new GatewayError('model_not_found', message, { field: 'model' })
  },
})

function modelsOf(context: CallContext<'models'>, family: string | undefined): ModelSummary[] {
  const models = context.models.list()
  if (family === undefined) return models
  const known = context.models.familyIds()
  if (!known.includes(family)) {
    const message = `family is ${JSON.stringify(family)}; it must be one of ${known.join(', ')}.`
    throw new GatewayError('invalid_request', message, { field: 'family' })
  }
  return models.filter(({ families }) => families.some(each => each === family || (isConversation(each) && isConversation(family))))
}

function present({ id, title, aliasOf, families, createdAt, unusable, price }: ModelSummary) {
  return {
    id,
    object: 'model' as const,
    created: unixSeconds(createdAt),
    owned_by: 'gateway',
    title,
    ...defined({ alias_of: aliasOf }),
    families,
    available: unusable === undefined,
    ...defined({ unavailable_reason: unusable, price: price && { currency: price.currency, ...price.amounts } }),
  }
}
