import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Family } from '../../contract/family.ts'
import { isInScope } from '../../core/access.ts'
import type { CatalogueModel } from '../../core/routing/catalogue.ts'
import type { HttpDeps } from '../deps.ts'
import type { Call } from './call.ts'

/** The body's own `model` wins, then the endpoint's route, then the family's default for the fields present (`design.md`, model selection). */
export function chooseModel(
  deps: Pick<HttpDeps, 'catalogue' | 'router'>,
  family: Family,
  call: Pick<Call, 'body' | 'route' | 'presentFields' | 'key'>,
): CatalogueModel {
  const catalogue = deps.catalogue()
  const named = namedModel(call.body.value) ?? call.route.model
  if (named !== undefined) {
    const model = catalogue.find(family.id, named)
    if (model) return model
    throw new GatewayError('model_not_found', `There is no model ${JSON.stringify(named.slice(0, 100))} for family ${family.id}.`, {
      field: 'model',
    })
  }
  const isUsable = (model: CatalogueModel): boolean =>
    isInScope(call.key.scopes, 'models', model.id) && deps.router.reasonAgainst(model) === undefined
  const model = catalogue.defaultOf(family.id, family.groupOf?.(call.presentFields), isUsable)
  if (model) return model
  throw new GatewayError('capability_unavailable', catalogue.whyNone(family.id))
}

/** The schema of the family has said which of the two it takes, and that it is text. */
function namedModel(body: unknown): string | undefined {
  const { model, model_name } = Object(body)
  const named = model ?? model_name
  return typeof named === 'string' ? named : undefined
}
