import { defined } from '@generation-gateway/kit/defined.ts'
import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { FamilyEntry } from '../contract/family.ts'
import { buildCatalogue, type Catalogue, type CatalogueModel } from '../core/routing/catalogue.ts'
import type { MissingEngine } from '../engines.ts'
import type { ConfigFile } from './config-schema.ts'

interface LoadedModels {
  file: ConfigFile
  models: readonly CatalogueModel[]
  engineSettings: ReadonlyMap<string, { settings: JsonObject; missing?: string }>
}

/** Returns the catalogue of the built-in models and of those in the file. Throws `invalid_request`
 *  for an alias in the file that leads to no model. */
export function catalogueOf(
  {
    families,
    drivers,
    missingEngines,
  }: { families: readonly FamilyEntry[]; drivers: readonly DriverSpec[]; missingEngines: readonly MissingEngine[] },
  loaded: LoadedModels | undefined,
): Catalogue {
  const installed = drivers
    .filter(spec => spec.kind === 'engine')
    .map(spec => ({ ...spec, settings: {}, ...loaded?.engineSettings.get(spec.id) }))
  const missing = missingEngines.map(({ id, capabilities, howToGet }) => ({ id, capabilities, missing: howToGet }))
  const { aliases, built_in_aliases: builtInAliases, unknown_models: unknownModels } = loaded?.file ?? {}
  return buildCatalogue(
    families.map(entry => entry.family),
    [...installed, ...missing],
    loaded?.models ?? [],
    defined({ aliases, builtInAliases, unknownModels }),
  )
}
