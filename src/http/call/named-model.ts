import { isInScope } from '../../core/access.ts'
import type { NamedModel } from '../../core/routing/aliases.ts'
import type { Catalogue, CatalogueModel } from '../../core/routing/catalogue.ts'
import type { HttpDeps } from '../deps.ts'
import type { Call } from './call.ts'

/** Returns a function that returns true for each model that the key may use and that some target
 *  can serve now. */
export function usableBy({ scopes }: Call['key'], { router }: Pick<HttpDeps, 'router'>): (model: CatalogueModel) => boolean {
  return model => isInScope(scopes, 'models', model.id) && router.reasonAgainst(model) === undefined
}

/** Returns the model of this name; undefined when there is none. An operator may set a model for
 *  a route: the gateway's built-in aliases then stand for that model. */
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

/** Returns the warning for a request that names a model by an alias: it says for which model the
 *  alias stands. `field` is the request field with the alias. */
export function aliasWarning(field: string, name: string, model: Pick<CatalogueModel, 'id'>): string {
  return `${field}: ${name} is an alias of ${model.id}.`
}
