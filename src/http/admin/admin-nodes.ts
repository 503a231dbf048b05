/** The operator's actions on nodes: a list of their states, and the orders to drain and to
 *  resume. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import type { FileGeneration } from '../../core/records/file-generation.ts'
import { type NodeOrder, type NodeStatus, nodeRoles } from '../../core/records/node.ts'
import { type AdminDeps, type AdminOperation, action } from './admin-action.ts'

const nodeName = { name: Type.String({ minLength: 1, maxLength: 64, description: 'Name of the node (GATEWAY_NODE_NAME).' }) }

export const nodeOperations: readonly AdminOperation[] = [
  action({
    name: 'nodes list',
    method: 'GET',
    path: '/admin/nodes',
    says: 'Lists the nodes, those that ended without a stop in the last hour too, and the queues with their longest wait.',
    input: {},
    run: async ({ store, clock }) => {
      const now = clock.now()
      const [nodes, { queues }, files] = await Promise.all([store.nodes.list(now), store.stats(), store.accounts.fileGeneration()])
      const living = new Set(nodes.filter(({ isAlive }) => isAlive).map(({ name }) => name))
      return {
        nodes: nodes.filter(({ isAlive, name }) => isAlive || !living.has(name)).map(node => shownNode(node, files, now)),
        queues: queues.map(({ oldestReadyAt, ...counts }) => ({
          ...counts,
          longestWaitSeconds: oldestReadyAt === undefined ? null : secondsBetween(oldestReadyAt, now),
        })),
      }
    },
  }),
  action({
    name: 'nodes drain',
    method: 'POST',
    path: '/admin/nodes/{name}/drain',
    says: 'Has a node take no new work; it finishes what it has. Its next start, or a resume, ends that.',
    input: nodeName,
    run: (deps, { name }) => give(deps, name, 'drain'),
  }),
  action({
    name: 'nodes resume',
    method: 'POST',
    path: '/admin/nodes/{name}/resume',
    says: 'Has a node that drains take work again.',
    input: nodeName,
    run: (deps, { name }) => give(deps, name, 'resume'),
  }),
]

function shownNode({ facts, ...node }: NodeStatus, files: FileGeneration | undefined, now: number): object {
  const state = node.isAlive ? (facts?.state ?? null) : 'ended'
  const ordered = node.order === undefined ? undefined : ({ drain: 'draining', resume: 'ready' } as const)[node.order]
  return {
    name: node.name,
    state,
    // A node that is stopping stays in the state `draining`, even after an order to resume. The
    // order is therefore shown next to the state while the two differ.
    ordered: node.isAlive && ordered !== undefined && ordered !== state ? ordered : null,
    roles: (facts?.roles ?? nodeRoles).join(','),
    version: facts?.version ?? null,
    schema: facts?.schema ?? null,
    address: facts?.address ?? null,
    startedAt: facts?.startedAt ?? null,
    clockOffsetMs: facts?.clockOffsetMs ?? null,
    heartbeatSeconds: secondsBetween(node.beatAt, now),
    aliveUntilAt: node.aliveUntil,
    running: node.isAlive ? (facts?.running ?? null) : 0,
    leased: node.leasedJobs,
    webhooks: node.leasedWebhooks,
    file: fileNote(node.name, files),
    id: node.id,
  }
}

/** Returns a note for a node whose configuration file differs from the one in force; null for
 *  every other node. */
function fileNote(name: string, files: FileGeneration | undefined): string | null {
  const read = files?.nodes.find(({ node }) => node === name)
  return files === undefined || read === undefined || read.sha256 === files.sha256 ? null : `differs from generation ${files.number}`
}

/** Returns the seconds from `at` to `now` (both in milliseconds), rounded up to tenths; 0 when
 *  `at` is after `now`. */
function secondsBetween(at: number, now: number): number {
  return Math.max(0, Math.ceil((now - at) / 100) / 10)
}

async function give({ store, clock }: AdminDeps, name: string, order: NodeOrder): Promise<object> {
  const now = clock.now()
  const ordered = await store.nodes.give(name, order, now)
  if (ordered > 0) return { name, order, nodes: ordered }
  const living = (await store.nodes.list(now)).filter(({ isAlive }) => isAlive).map(node => node.name)
  throw new GatewayError('not_found', `There is no living node ${name}; there are ${living.join(', ') || 'none'}.`)
}
