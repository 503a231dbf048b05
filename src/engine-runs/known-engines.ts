import type { DriverSpec, EngineSpec } from '@generation-gateway/kit/driver.ts'
import type { NodeRole } from '../core/records/node.ts'
import type { MissingEngine } from '../engines.ts'
import { declarationOf, declaredEngines } from './declared-engines.ts'
import { type EngineLink, remoteEngine } from './remote-engine.ts'

export interface KnownEngines {
  engines: readonly EngineSpec[]
  /** Engines that are not installed on this node, which has the role engines. */
  missingEngines: readonly MissingEngine[]
}

/** Returns the engines of a node with these roles. With the role engines they are the packages that
 *  are installed here. Without it no package is loaded, and every engine runs on other nodes, by
 *  the link; a command that runs nothing gives none. */
export async function knownEngines(roles: readonly NodeRole[], link?: EngineLink): Promise<KnownEngines> {
  if (!roles.includes('engines')) return { engines: declaredEngines().map(each => remoteEngine(each, link)), missingEngines: [] }
  const { engines, missingEngines } = await import('../engines.ts')
  return { engines, missingEngines }
}

/** Returns further drivers as a node with these roles uses them: without the role engines, an
 *  engine among them runs on other nodes. */
export function knownDrivers(
  drivers: readonly DriverSpec[],
  roles: readonly NodeRole[],
  link: EngineLink | undefined,
): readonly DriverSpec[] {
  if (roles.includes('engines')) return drivers
  return drivers.map(spec => (spec.kind === 'engine' ? remoteEngine(declarationOf(spec), link) : spec))
}
