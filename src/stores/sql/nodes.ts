import { hourMs } from '@generation-gateway/kit/units.ts'
import type { Nodes } from '../../core/ports/nodes.ts'
import type { NodeOrder, NodeStatus } from '../../core/records/node.ts'
import type { Connection } from './statements.ts'
import { number, optionalText, type Row, text } from './values.ts'
import type { Writer } from './writer.ts'

/** Time in milliseconds for which a node that has ended remains in the list. */
const showEndedMs = hourMs

export function createNodes({ connection, writer }: { connection: Connection; writer: Writer }): Nodes {
  const find = connection.prepare('SELECT node_order FROM nodes WHERE id = ?')
  return {
    list: prepareNodeList(connection),
    give: (name, order, now) => writer.run('orderNode', { name, order, now }),
    orderOf: async nodeId => {
      const row = await find.get(nodeId)
      return row === undefined ? undefined : toOrder(row)
    },
  }
}

export function prepareNodeList(connection: Connection): Nodes['list'] {
  const leased = (table: string) => `(SELECT count(*) FROM ${table} WHERE state = 'leased' AND owner = nodes.id)`
  const list = connection.prepare(
    `SELECT id, name, facts, node_order, beat_at, expires_at, dead, ${leased('jobs')} AS jobs, ${leased('outbox')} AS webhooks
     FROM nodes WHERE expires_at > ? ORDER BY name, id`,
  )
  return async now => (await list.all(now - showEndedMs)).map(row => toStatus(row, now))
}

function toStatus(row: Row, now: number): NodeStatus {
  const aliveUntil = number(row, 'expires_at')
  const status: NodeStatus = {
    id: text(row, 'id'),
    name: text(row, 'name'),
    beatAt: number(row, 'beat_at'),
    aliveUntil,
    isAlive: number(row, 'dead') === 0 && aliveUntil > now,
    leasedJobs: number(row, 'jobs'),
    leasedWebhooks: number(row, 'webhooks'),
  }
  const facts = optionalText(row, 'facts')
  if (facts !== null) status.facts = JSON.parse(facts)
  const order = toOrder(row)
  if (order !== undefined) status.order = order
  return status
}

function toOrder(row: Row): NodeOrder | undefined {
  const order = optionalText(row, 'node_order')
  if (order === null || order === 'drain' || order === 'resume') return order ?? undefined
  throw new TypeError('column node_order holds an unknown value')
}
