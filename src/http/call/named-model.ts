import type { NamedModel } from '../../core/routing/aliases.ts'
import type { Catalogue, CatalogueModel } from '../../core/routing/catalogue.ts'
import type { Call } from './call.ts'

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
