/** Lists the families, with the models that serve each. For a family that no model can serve, says
 *  what is missing. */
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import { type Catalogue, serves } from '../../core/routing/catalogue.ts'
import { createRouter } from '../../core/routing/router.ts'
import { families } from '../../families/index.ts'
import { table } from '../terminal.ts'

/** Returns a table with a row for each family that uses models. */
export function familyTable(catalogue: Catalogue, drivers: ReadonlyMap<string, Driver>): string {
  const router = createRouter(drivers, Math.random)
  const rows = families
    .filter(({ family }) => family.models.length > 0 || family.takesModelsOf !== undefined)
    .map(({ family: { id } }) => {
      const models = catalogue.all().filter(model => serves(model, id))
      const usable = models.filter(model => router.reasonAgainst(model) === undefined)
      if (usable.length > 0) return [id, 'served', usable.map(model => model.id).join(', ')]
      const first = catalogue.defaultOf(id, undefined, () => false)
      return [id, 'not served', first ? (router.reasonAgainst(first) ?? '') : catalogue.whyNone(id)]
    })
  return table(['family', 'state', 'models that can be used, or what it needs'], rows)
}
