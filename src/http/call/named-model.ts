import { isInScope } from '../../core/access.ts'
import type { NamedModel } from '../../core/routing/aliases.ts'
import type { Catalogue, CatalogueModel } from '../../core/routing/catalogue.ts'
import type { HttpDeps } from '../deps.ts'
import type { Call } from './call.ts'

/** Returns a function that is true for the models that the key may use and that can be used now. */
export function usableBy({ scopes }: Call['key'], { router }: Pick<HttpDeps, 'router'>): (model: CatalogueModel) => boolean {
  return model => isInScope(scopes, 'models', model.id) && router.reasonAgainst(model) === undefined
}

/** Returns the model of this name; undefined where there is none. When the operator has set a model
 *  for the route, the gateway's built-in aliases stand for that model. */
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

/** Returns the warning that says which model an alias stands for; `field` is the request field that
 *  contained the alias. */
export function aliasWarning(field: string, name: string, model: Pick<CatalogueModel, 'id'>): string {
  return `${field}: ${name} is an alias of ${model.id}.`
}
