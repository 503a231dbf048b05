import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { nearText } from '@generation-gateway/kit/near-names.ts'
import type { CallInput, Family } from '../../contract/family.ts'
import type { ModelPlace } from '../../contract/operation.ts'
import { isInScope } from '../../core/access.ts'
import type { Catalogue, CatalogueModel } from '../../core/routing/catalogue.ts'
import type { HttpDeps } from '../deps.ts'
import { summaryNamed } from '../provisions/models.ts'
import type { Call } from './call.ts'
import { aliasWarning, modelNamed, usableBy } from './named-model.ts'

interface ModelCall {
  call: Pick<Call, 'route' | 'key' | 'endpoint' | 'warnings'>
  callInput: CallInput
  place: true | ModelPlace
  earlier?: string | undefined
}

/** Chooses the model from the first source that has one: the name in the request, the task that
 *  the request extends (`earlier`), the route of the endpoint, the family's default
 *  (docs/interface.md#model-selection). Adds a warning when the model's name differs from the
 *  caller's. Throws `model_not_found`, `not_allowed` for a model that the key's scopes exclude,
 *  and `capability_unavailable` when the family has no model. */
export function chooseModel(
  deps: Pick<HttpDeps, 'catalogue' | 'currency' | 'router' | 'startedAt'>,
  family: Family,
  { call, callInput, place, earlier }: ModelCall,
): CatalogueModel {
  const catalogue = deps.catalogue()
  const at = place === true ? usualPlace : place
  if (family.takesEveryModel) return modelOfEveryFamily(deps, family, { call, name: nameIn(callInput, at) ?? '', at })
  const isUsable = usableBy(call.key, deps)
  const name = nameIn(callInput, at)
  if (name !== undefined) {
    const named = modelNamed(catalogue, { family: family.id, name, route: call.route, isUsable })
    if (named) assertModelScope(call, named.model, `model ${name}`)
    if (named?.alias) call.warnings.push(aliasWarning(at.name, name, named.model))
    if (named) return named.model
    if (!catalogue.takesUnknownModels) throw noModel(catalogue, family, { name, call, at })
  }
  const model = unnamedModel(catalogue, family, { call, callInput, earlier, at, isUsable })
  assertModelScope(call, model, 'the model for requests that name none; name one that it may use')
  if (name !== undefined) call.warnings.push(`${at.name}: there is no model ${shownName(name)}; ${model.id} takes its place.`)
  return model
}

/** Returns the model with this id or alias, whichever family it belongs to, if the key may use
 *  that family at this endpoint. */
function modelOfEveryFamily(
  deps: Pick<HttpDeps, 'catalogue' | 'currency' | 'router' | 'startedAt'>,
  { id }: Family,
  { call, name, at }: Pick<ModelCall, 'call'> & { name: string; at: ModelPlace },
): CatalogueModel {
  const summary = summaryNamed(deps, call, name)
  const model = summary && deps.catalogue().find(id, summary.aliasOf ?? summary.id)
  if (model) return model
  throw new GatewayError('model_not_found', `There is no model ${shownName(name)} that the access key may use here.`, { field: at.name })
}

/** Throws `not_allowed` for a model that the key is not allowed to use. The message contains only
 *  the name that the caller sent: the caller must not learn for which model an alias stands. */
function assertModelScope({ key }: Pick<Call, 'key'>, { id }: CatalogueModel, called: string): void {
  if (!isInScope(key.scopes, 'models', id)) throw new GatewayError('not_allowed', `The access key may not use ${called}.`)
}

function unnamedModel(
  catalogue: Catalogue,
  family: Family,
  { call, callInput, earlier, at, isUsable }: Omit<ModelCall, 'place'> & { at: ModelPlace; isUsable: (model: CatalogueModel) => boolean },
): CatalogueModel {
  const id = earlier ?? call.route.model
  if (id !== undefined) {
    const model = catalogue.find(family.id, id)
    if (model) return model
    throw noModel(catalogue, family, { name: id, call, at })
  }
  const model = catalogue.defaultOf(family.id, family.groupOf?.(callInput), isUsable)
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

/** Returns the model name in the request; undefined when it has none. The schema has already
 *  checked that it is a string. */
function nameIn({ body, query, params }: CallInput, { in: place, name }: ModelPlace): string | undefined {
  const named = { body, query, path: params }[place][name]
  return typeof named === 'string' ? named : undefined
}
