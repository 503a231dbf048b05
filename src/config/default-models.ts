import { isDeepStrictEqual } from 'node:util'
import { errorMessage } from '@generation-gateway/kit/errors.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { Family, FamilyEntry } from '../contract/family.ts'
import type { Catalogue, CatalogueModel, Target } from '../core/routing/catalogue.ts'
import type { Router } from '../core/routing/router.ts'
import type { WorkerLog } from '../core/work/worker-deps.ts'

export interface DefaultModelsDeps {
  families: readonly FamilyEntry[]
  drivers: ReadonlyMap<string, Driver>
  catalogue(): Catalogue
  router: Pick<Router, 'reasonAgainst'>
  log: WorkerLog
}

/** Interval in ms at which the default models are determined anew, because packs may be added
 *  and the configuration may change while the gateway runs. */
const checkEveryMs = 60_000

/** Makes the engines keep their default models loaded (those for requests without a model name),
 *  even when the default models change. When a model cannot be loaded, the reason is logged, and
 *  the first request for the model reports it. */
export function holdDefaultModels(deps: DefaultModelsDeps): { close(): void } {
  const held = new Map<string, Target[]>()
  const look = (): void => {
    const wanted = defaultTargets(deps)
    for (const [id, driver] of deps.drivers) {
      const targets = wanted.filter(target => target.driver === id)
      if (!driver.hold || isDeepStrictEqual(held.get(id) ?? [], targets)) continue
      try {
        driver.hold(targets)
        held.set(id, targets)
      } catch (error) {
        deps.log.warn({ driver: id }, `the default models are not loaded yet: ${errorMessage(error)}`)
      }
    }
  }
  look()
  const timer = setInterval(look, checkEveryMs)
  timer.unref()
  return { close: () => clearInterval(timer) }
}

/** Returns the ids of the default models, which serve requests without a model name. The keys
 *  are family ids; in a family with groups, each group has its own (`F1 KE`). */
export function defaultModelIds(deps: Pick<DefaultModelsDeps, 'families' | 'catalogue' | 'router'>): Record<string, string> {
  return Object.fromEntries(defaultModels(deps).map(({ name, model }) => [name, model.id]))
}

function defaultTargets(deps: DefaultModelsDeps): Target[] {
  const targets = new Map<string, Target>()
  for (const target of defaultModels(deps).flatMap(({ model }) => model.targets)) {
    if (deps.drivers.get(target.driver)?.unusable?.(target.settings, target.model) === undefined) targets.set(target.id, target)
  }
  return [...targets.values()]
}

function defaultModels({ families, catalogue, router }: Pick<DefaultModelsDeps, 'families' | 'catalogue' | 'router'>) {
  const isUsable = (model: CatalogueModel): boolean => router.reasonAgainst(model) === undefined
  return families.flatMap(({ family }) =>
    groupsOf(family).flatMap(group => {
      const model = catalogue().defaultOf(family.id, group, isUsable)
      return model ? [{ name: group === undefined ? family.id : `${family.id} ${group}`, model }] : []
    }),
  )
}

/** Returns the groups of a family, each of which has a default model of its own; undefined
 *  stands for models without a group. */
function groupsOf({ models, takesModelsOf }: Family): (string | undefined)[] {
  const groups = new Set(models.map(model => model.group))
  return takesModelsOf === undefined ? [...groups] : [...groups.add(undefined)]
}
