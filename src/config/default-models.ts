import { isDeepStrictEqual } from 'node:util'
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

/** A pack may be added and the configuration changed while the gateway runs. */
const lookEveryMs = 60_000

/** Has the engines hold the models that requests without one go to, from now on and as they change. What cannot be loaded is told in the log; its first request says why. */
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
        deps.log.warn({ driver: id }, `the default models are not loaded yet: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  look()
  const timer = setInterval(look, lookEveryMs)
  timer.unref()
  return { close: () => clearInterval(timer) }
}

/** What a request without a model goes to now: id by family, and by group where a family has some (`F1 KE`). */
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

/** Each has a default of its own; a family without groups has one in all. */
function groupsOf({ models, takesModelsOf }: Family): (string | undefined)[] {
  const groups = new Set(models.map(model => model.group))
  return takesModelsOf === undefined ? [...groups] : [...groups.add(undefined)]
}
