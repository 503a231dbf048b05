import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Asked, Family } from '../../contract/family.ts'
import type { ModelPlace } from '../../contract/operation.ts'
import { isInScope } from '../../core/access.ts'
import type { CatalogueModel } from '../../core/routing/catalogue.ts'
import type { HttpDeps } from '../deps.ts'
import type { Call } from './call.ts'

/** What the caller names wins, then the model of the task that is gone on with (`earlier`), then the endpoint's route, then the family's default for what is asked (`design.md`, model selection). */
export function chooseModel(
  deps: Pick<HttpDeps, 'catalogue' | 'router'>,
  family: Family,
  {
    call,
    asked,
    place,
    earlier,
  }: { call: Pick<Call, 'route' | 'key'>; asked: Asked; place: true | ModelPlace; earlier?: string | undefined },
): CatalogueModel {
  const catalogue = deps.catalogue()
  const at = place === true ? usualPlace : place
  const named = namedModel(asked, at) ?? earlier ?? call.route.model
  if (named !== undefined) {
    const model = catalogue.find(family.id, named)
    if (model) return model
    throw new GatewayError('model_not_found', `There is no model ${JSON.stringify(named.slice(0, 100))} for family ${family.id}.`, {
      field: at.name,
    })
  }
  const isUsable = (model: CatalogueModel): boolean =>
    isInScope(call.key.scopes, 'models', model.id) && deps.router.reasonAgainst(model) === undefined
  const model = catalogue.defaultOf(family.id, family.groupOf?.(asked), isUsable)
  if (model) return model
  throw new GatewayError('capability_unavailable', catalogue.whyNone(family.id))
}

const usualPlace: ModelPlace = { in: 'body', name: 'model' }

/** Its schema has said that it is text. */
function namedModel({ body, query, params }: Asked, { in: place, name }: ModelPlace): string | undefined {
  const named = { body, query, path: params }[place][name]
  return typeof named === 'string' ? named : undefined
}
