import type { DriverSpec, EngineSpec } from '@generation-gateway/kit/driver.ts'
import type { NodeRole } from '../core/records/node.ts'
import type { MissingEngine } from '../engines.ts'
import { declarationOf, declaredEngines } from './declared-engines.ts'
import { type EngineLink, remoteEngine } from './remote-engine.ts'

export interface KnownEngines {
  engines: readonly EngineSpec[]
  /** Engines whose packages are not installed on a node that should run engines (role engines). */
  missingEngines: readonly MissingEngine[]
}

/** Returns the engines for a node with these roles. With the role engines, these are the
 *  packages that are installed here. Without the role, no package is loaded: every engine is a
 *  driver that runs on other nodes through `link`. Commands that run nothing pass no link. */
export async function knownEngines(roles: readonly NodeRole[], link?: EngineLink): Promise<KnownEngines> {
  if (!roles.includes('engines')) return { engines: declaredEngines().map(each => remoteEngine(each, link)), missingEngines: [] }
  const { engines, missingEngines } = await import('../engines.ts')
  return { engines, missingEngines }
}

/** Returns drivers that were added by the caller of the program (tests add fakes). On a node
 *  without the role engines, an engine among them is replaced by a driver that runs it on other
 *  nodes. */
export function knownDrivers(
  drivers: readonly DriverSpec[],
  roles: readonly NodeRole[],
  link: EngineLink | undefined,
): readonly DriverSpec[] {
  if (roles.includes('engines')) return drivers
  return drivers.map(spec => (spec.kind === 'engine' ? remoteEngine(declarationOf(spec), link) : spec))
}
