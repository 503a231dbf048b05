import { isConversation } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { ModelSummary } from '../../contract/needs/models.ts'
import { isInScope, routeAt } from '../../core/access.ts'
import { namedPrice } from '../../core/records/ledger.ts'
import type { CatalogueModel } from '../../core/routing/catalogue.ts'
import type { Call } from '../call/call.ts'
import { modelNamed, usableBy } from '../call/named-model.ts'
import type { HttpDeps } from '../deps.ts'
import type { Provision } from './provision.ts'

export const models: Provision<'models'> = ({ deps, call }) => ({
  list: () => modelsOf(deps, call),
  named: name => summaryNamed(deps, call, name),
  familyIds: () => deps.families.map(({ family }) => family.id),
})

type ListDeps = Pick<HttpDeps, 'catalogue' | 'currency' | 'router' | 'startedAt'>
type Lister = Pick<Call, 'key' | 'endpoint'>

/** Returns the models and aliases that the caller's key may name: first those for chat, then all
 *  others. Both parts list models before aliases, in the order of the catalogue. */
export function modelsOf(given: ListDeps, caller: Lister): ModelSummary[] {
  const deps = askingOnce(given)
  const catalogue = deps.catalogue()
  const models = catalogue.all().flatMap(model => summaryOf(deps, caller, model) ?? [])
  const aliases = catalogue.aliases().flatMap(({ name }) => summaryNamed(deps, caller, name) ?? [])
  const listed = [...models, ...aliases]
  const talks = ({ families }: ModelSummary): boolean => families.some(isConversation)
  return [...listed.filter(talks), ...listed.filter(each => !talks(each))]
}

/** Returns the model of this name; undefined when there is none, or the key is not allowed to use
 *  it. */
export function summaryNamed(deps: ListDeps, caller: Lister, name: string): ModelSummary | undefined {
  const catalogue = deps.catalogue()
  const own = catalogue.all().find(({ id }) => id === name)
  if (own) return summaryOf(deps, caller, own)
  const isUsable = usableBy(caller.key, deps)
  const meant = catalogue.familiesOf(name).flatMap(family => {
    const route = routeAt(caller.endpoint, family)
    const named = route && modelNamed(catalogue, { family, name, route, isUsable })
    const summary = named && summaryOf(deps, caller, named.model)
    return summary?.families.includes(family) ? [{ family, summary }] : []
  })
  const [first] = meant
  return first && { ...first.summary, id: name, aliasOf: first.summary.id, families: meant.map(({ family }) => family) }
}

/** Returns the dependencies with a router that finds out only once for each model whether it can be
 *  used: many aliases stand for the same model. */
function askingOnce(deps: ListDeps): ListDeps {
  const reasons = new Map<CatalogueModel, string | undefined>()
  const reasonAgainst = (model: CatalogueModel): string | undefined => {
    if (!reasons.has(model)) reasons.set(model, deps.router.reasonAgainst(model))
    return reasons.get(model)
  }
  return { ...deps, router: { ...deps.router, reasonAgainst } }
}

function summaryOf({ currency, router, startedAt }: ListDeps, { key, endpoint }: Lister, model: CatalogueModel): ModelSummary | undefined {
  const families = model.families.filter(family => isInScope(key.scopes, 'families', family) && routeAt(endpoint, family) !== undefined)
  if (families.length === 0 || !isInScope(key.scopes, 'models', model.id)) return undefined
  const unusable = router.reasonAgainst(model)
  const summary: ModelSummary = { id: model.id, title: model.title, families, createdAt: startedAt }
  if (model.price) summary.price = { currency: currency(), amounts: namedPrice(model.price) }
  if (unusable !== undefined) summary.unusable = unusable
  return summary
}
