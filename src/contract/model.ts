import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'

/** A model under the name that it has in the family. Without configuration, it is served by any
 *  engine that has the capability. */
export interface FamilyModel {
  id: string
  title: string
  capability: Capability
  /** Parameter set or model group of the model, when the family has several. */
  group?: string
  /** Notes about the model, for the docs. */
  notes?: string
}

/** Returns the models that a family has without any configuration: its own models, then those of
 *  the engines for the capabilities in `takesModelsOf`. */
export function builtInModels(
  family: { models: readonly FamilyModel[]; takesModelsOf?: readonly Capability[] },
  drivers: readonly DriverSpec[],
): FamilyModel[] {
  const offered = drivers.flatMap(spec => (spec.kind === 'engine' ? (spec.models ?? []) : []))
  return [...family.models, ...offered.filter(({ capability }) => family.takesModelsOf?.includes(capability))]
}
