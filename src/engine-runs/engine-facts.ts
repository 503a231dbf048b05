import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { EngineState } from '../core/records/node.ts'
import type { Catalogue, Target } from '../core/routing/catalogue.ts'
import type { WorkerLog } from '../core/work/worker-deps.ts'

interface FactsDeps {
  /** Ids of the engines that are installed here. */
  engines: readonly string[]
  drivers: ReadonlyMap<string, Driver>
  catalogue(): Catalogue
  log: Pick<WorkerLog, 'warn'>
}

/** Time in ms for which the facts are cached, because packs and settings seldom change. */
const keptMs = 20_000

/** Returns a function that returns, by engine, which models this node can run. An engine with 0
 *  processes (parked by the operator) is left out. */
export function createEngineFacts(deps: FactsDeps): () => Record<string, EngineState> {
  let kept: Record<string, EngineState> = {}
  let keptAt = Number.NEGATIVE_INFINITY
  let keptOf: Catalogue | undefined
  return () => {
    const catalogue = deps.catalogue()
    if (keptOf === catalogue && performance.now() - keptAt < keptMs) return kept
    keptOf = catalogue
    keptAt = performance.now()
    kept = factsOf(deps, catalogue)
    return kept
  }
}

function factsOf({ engines, drivers, log }: FactsDeps, catalogue: Catalogue): Record<string, EngineState> {
  const targets = Map.groupBy(
    catalogue.all().flatMap(model => model.targets),
    target => target.driver,
  )
  return Object.fromEntries(
    engines.flatMap(id => {
      const driver = drivers.get(id)
      if (!driver || driver.queue.slots === 0) return []
      const reasons = (targets.get(id) ?? []).map(target => [target.model, reasonAgainst(driver, target, log)] as const)
      return [[id, stateOf(reasons)]]
    }),
  )
}

/** Returns the reason why the driver cannot run the model; undefined when it can. An error of the
 *  driver's check is such a reason, too; if it were thrown, one engine would end the heartbeats of
 *  the whole node. */
function reasonAgainst(driver: Driver, { model, settings, unusable }: Target, log: FactsDeps['log']): string | undefined {
  try {
    return unusable ?? driver.unusable?.(settings, model)
  } catch (error) {
    log.warn({ err: error, engine: driver.id, model }, 'the check whether an engine can run a model failed')
    return 'The check whether this engine can run failed; the log of the node says why.'
  }
}

function stateOf(reasons: readonly (readonly [model: string, reason: string | undefined])[]): EngineState {
  const broken = reasons.flatMap(([model, reason]) => (reason === undefined ? [] : [[model, reason] as const]))
  if (broken.length === 0) return true
  const [first] = broken
  const isSame = broken.length === reasons.length && broken.every(([, reason]) => reason === first?.[1])
  return isSame && first ? first[1] : Object.fromEntries(broken)
}
