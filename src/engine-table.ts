import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { Catalogue } from './core/routing/catalogue.ts'
import type { MissingEngine } from './engines.ts'
import type { ReadinessDetail } from './http/pages/operations.ts'

interface EngineTableParts {
  missingEngines: readonly MissingEngine[]
  /** Returns the names of the nodes on which an engine runs; undefined when this node runs the
   *  engines itself. */
  nodesOf: ((engine: string) => string[]) | undefined
}

/** Returns the rows of the table of engines. An engine counts as usable when it has no built-in
 *  models or at least one of them is usable; otherwise its row shows why its first model is not.
 *  Engines that are not installed come last. */
export function engineTable(
  specs: readonly DriverSpec[],
  drivers: ReadonlyMap<string, Driver>,
  catalogue: Catalogue,
  { missingEngines, nodesOf }: EngineTableParts,
): ReadinessDetail['engines'] {
  const targets = catalogue.all().flatMap(model => (model.source === 'built-in' ? model.targets : []))
  const installed = specs
    .filter(spec => spec.kind === 'engine')
    .map(({ id, title }) => {
      const reasons = targets
        .filter(target => target.driver === id)
        .map(target => drivers.get(id)?.unusable?.(target.settings, target.model))
      const reason = reasons.includes(undefined) ? undefined : reasons[0]
      const row = reason === undefined ? { id, title, usable: true } : { id, title, usable: false, reason }
      return nodesOf ? { ...row, nodes: nodesOf(id) } : row
    })
  return [...installed, ...missingEngines.map(({ id, title, howToGet }) => ({ id, title, usable: false, reason: howToGet }))]
}
