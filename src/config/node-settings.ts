/** Reads and checks the settings of a node: its name, its roles, and the number of its engine
 *  workers. */
import { availableParallelism, cpus, hostname } from 'node:os'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type NodeRole, nodeRoles } from '../core/records/node.ts'
import { wrongSetting } from './setting-values.ts'

/** Returns the roles in the order of `nodeRoles`. Throws `invalid_request` for an unknown role.
 *  Without a shared database there are no other nodes, so it also throws when a role is missing. */
export function rolesOf(named: readonly string[], isShared: boolean): readonly NodeRole[] {
  const roles = nodeRoles.filter(role => named.includes(role))
  if (named.some(word => !nodeRoles.some(role => role === word)))
    throw wrongSetting('GATEWAY_ROLES', JSON.stringify(named.join(',')), `a list, separated by commas, of ${nodeRoles.join(', ')}`)
  if (isShared || roles.length === nodeRoles.length) return roles
  throw wrong(
    'GATEWAY_ROLES',
    `is ${named.join(',')}; a node without all of ${nodeRoles.join(', ')} needs GATEWAY_DATABASE_URL, because the embedded database belongs to one process, which has to do everything`,
  )
}

/** Returns the name of the node; the default is derived from the host name and the process id.
 *  Throws `invalid_request` for a name that a node must not have. */
export function nodeNameOf(value: string | undefined): string {
  if (value === undefined) return defaultNodeName(hostname(), process.pid)
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(value)) return value
  const mustBe = '1 to 64 letters, digits, dots, dashes and underscores, the first a letter or digit'
  throw wrongSetting('GATEWAY_NODE_NAME', JSON.stringify(value), mustBe)
}

/** Returns the number of workers of each engine in one process: one for each core, at most 4,
 *  divided among the processes; but at least 1 in each process. */
export function engineWorkersOf(processes: number): number {
  const cores = processes === 1 ? cpus().length : availableParallelism()
  return Math.max(1, Math.floor(Math.min(4, cores) / processes))
}

/** Returns the error for several processes on the embedded database, which only one process can
 *  open. */
export function needsDatabase(processes: string): GatewayError {
  return wrong(
    'GATEWAY_PROCESSES',
    `is ${processes}; several processes need GATEWAY_DATABASE_URL, because the embedded database belongs to one process`,
  )
}

/** Returns a node name derived from the host name. The host name may be too long, or contain
 *  characters that a node name must not contain. */
function defaultNodeName(host: string, pid: number): string {
  const fits = host.replaceAll(/[^A-Za-z0-9._-]/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return `${fits.slice(0, 48) || 'node'}-${pid}`
}

function wrong(variable: string, sentence: string): GatewayError {
  return new GatewayError('invalid_request', `${variable} ${sentence}.`, { field: variable })
}
