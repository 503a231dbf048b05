import { isInScope } from '../../core/access.ts'
import type { NamedModel } from '../../core/routing/aliases.ts'
import type { Catalogue, CatalogueModel } from '../../core/routing/catalogue.ts'
import type { HttpDeps } from '../deps.ts'
import type { Call } from './call.ts'

/** Returns a function that is true for the models that the key may use and that can be used now. */
export function usableBy({ scopes }: Call['key'], { router }: Pick<HttpDeps, 'router'>): (model: CatalogueModel) => boolean {
  return model => isInScope(scopes, 'models', model.id) && router.reasonAgainst(model) === undefined
}

/** The model of this name at this route; undefined where there is none. A shipped alias stands
 *  for the route's model where the route has one: the operator has said what the family runs on. */
export function modelNamed(
  catalogue: Catalogue,
  {
    family,
    name,
    route,
    isUsable,
  }: { family: string; name: string; route: Pick<Call['route'], 'model'>; isUsable: (model: CatalogueModel) => boolean },
): NamedModel | undefined {
  const named = catalogue.named(family, name, isUsable)
  if (named?.alias?.source !== 'built-in' || route.model === undefined) return named
  const model = catalogue.find(family, route.model)
  return model && { model, alias: named.alias }
}

/** Tells the caller which model an alias stands for; `field` is his word for the model's place. */
export function aliasWarning(field: string, name: string, model: Pick<CatalogueModel, 'id'>): string {
  return `${field}: ${name} is an alias of ${model.id}.`
}
