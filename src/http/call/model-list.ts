import type { ModelSummary } from '../../contract/context.ts'
import { isInScope, routeAt } from '../../core/access.ts'
import { namedPrice } from '../../core/ledger/ledger.ts'
import type { HttpDeps } from '../deps.ts'
import type { Call } from './call.ts'

/** Models the caller's key may name, in the catalogue's order. */
export function modelsOf(
  { catalogue, currency, router, startedAt }: Pick<HttpDeps, 'catalogue' | 'currency' | 'router' | 'startedAt'>,
  call: Pick<Call, 'key' | 'endpoint'>,
): ModelSummary[] {
  const listed: ModelSummary[] = []
  for (const model of catalogue().all()) {
    const families = model.families.filter(
      family => isInScope(call.key.scopes, 'families', family) && routeAt(call.endpoint, family) !== undefined,
    )
    if (families.length === 0 || !isInScope(call.key.scopes, 'models', model.id)) continue
    const unusable = router.reasonAgainst(model)
    const summary: ModelSummary = { id: model.id, title: model.title, families, createdAt: startedAt }
    if (model.price) summary.price = { currency: currency(), amounts: namedPrice(model.price) }
    if (unusable !== undefined) summary.unusable = unusable
    listed.push(summary)
  }
  return listed
}
