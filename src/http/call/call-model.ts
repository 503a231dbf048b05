import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { nearText } from '@generation-gateway/kit/near-names.ts'
import type { Asked, Family } from '../../contract/family.ts'
import type { ModelPlace } from '../../contract/operation.ts'
import { isInScope } from '../../core/access.ts'
import type { NamedModel } from '../../core/routing/aliases.ts'
import type { Catalogue, CatalogueModel } from '../../core/routing/catalogue.ts'
import type { HttpDeps } from '../deps.ts'
import type { Call } from './call.ts'

interface ModelCall {
  call: Pick<Call, 'route' | 'key' | 'warnings'>
  asked: Asked
  place: true | ModelPlace
  earlier?: string | undefined
}

/** Chooses the model: the one that the caller names, then that of the extended task (`earlier`),
 *  then the endpoint's route, then the family's default for the request
 *  (docs/interface.md#model-selection). Adds a warning when the model's name differs from the
 *  caller's. Throws `model_not_found`, `not_allowed` for a model that the key's scopes exclude, and
 *  `capability_unavailable` when the family has no model. */
export function chooseModel(
  deps: Pick<HttpDeps, 'catalogue' | 'router'>,
  family: Family,
  { call, asked, place, earlier }: ModelCall,
): CatalogueModel {
  const catalogue = deps.catalogue()
  const at = place === true ? usualPlace : place
  const isUsable = (model: CatalogueModel): boolean =>
    isInScope(call.key.scopes, 'models', model.id) && deps.router.reasonAgainst(model) === undefined
  const name = nameIn(asked, at)
  if (name !== undefined) {
    const named = modelNamed(catalogue, { family: family.id, name, route: call.route, isUsable })
    if (named) assertModelScope(call, named.model, `model ${name}`)
    if (named?.alias) call.warnings.push(aliasWarning(at.name, name, named.model))
    if (named) return named.model
    if (!catalogue.takesUnknownModels) throw noModel(catalogue, family, { name, call, at })
  }
  const model = unnamedModel(catalogue, family, { call, asked, earlier, at, isUsable })
  assertModelScope(call, model, 'the model for requests that name none; name one that it may use')
  if (name !== undefined) call.warnings.push(`${at.name}: there is no model ${shownName(name)}; ${model.id} takes its place.`)
  return model
}

/** Throws `not_allowed` with the caller's own name for the model: ids of models that the key may
 *  not use are not revealed. */
function assertModelScope({ key }: Pick<Call, 'key'>, { id }: CatalogueModel, called: string): void {
  if (!isInScope(key.scopes, 'models', id)) throw new GatewayError('not_allowed', `The access key may not use ${called}.`)
}

/** Returns the model of this name at this route; undefined when there is none. A shipped alias
 *  yields the route's model where the route has one, because the operator chose it for the
 *  family. */
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

/** Returns the warning that says which model an alias stands for; `field` is the caller's name for
 *  the model's place. */
export function aliasWarning(field: string, name: string, model: Pick<CatalogueModel, 'id'>): string {
  return `${field}: ${name} is an alias of ${model.id}.`
}

function unnamedModel(
  catalogue: Catalogue,
  family: Family,
  { call, asked, earlier, at, isUsable }: Omit<ModelCall, 'place'> & { at: ModelPlace; isUsable: (model: CatalogueModel) => boolean },
): CatalogueModel {
  const id = earlier ?? call.route.model
  if (id !== undefined) {
    const model = catalogue.find(family.id, id)
    if (model) return model
    throw noModel(catalogue, family, { name: id, call, at })
  }
  const model = catalogue.defaultOf(family.id, family.groupOf?.(asked), isUsable)
  if (model) return model
  throw new GatewayError('capability_unavailable', catalogue.whyNone(family.id))
}

function noModel(
  catalogue: Catalogue,
  family: Family,
  { name, call, at }: { name: string; call: Pick<Call, 'key'>; at: ModelPlace },
): GatewayError {
  const near = nearText(catalogue.near(family.id, name, model => isInScope(call.key.scopes, 'models', model.id)))
  const message = `There is no model ${shownName(name)} for family ${family.id}${near === undefined ? '' : `; ${near}`}.`
  return new GatewayError('model_not_found', message, { field: at.name })
}

function shownName(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}

const usualPlace: ModelPlace = { in: 'body', name: 'model' }

/** Returns the model name; the schema has ensured that it is a string. */
function nameIn({ body, query, params }: Asked, { in: place, name }: ModelPlace): string | undefined {
  const named = { body, query, path: params }[place][name]
  return typeof named === 'string' ? named : undefined
}
