import { dayMs } from '@generation-gateway/kit/units.ts'
import type { LostReason } from '../../../core/records/task.ts'
import type { Handlers } from '../operations.ts'
import type { Dialect } from '../statements.ts'
import type { Steps } from '../steps.ts'
import { text } from '../values.ts'
import { prepareCountLeft } from './calls.ts'
import { changed, type WriteContext } from './context.ts'

/** Time in milliseconds for which the row of a dead node is kept, so that a late heartbeat of
 *  the node is answered with the fact that it was declared dead. */
const rememberDeadMs = dayMs

export function nodeOperations(context: WriteContext): Pick<Handlers, 'heartbeat' | 'orderNode' | 'release' | 'requeueDead'> {
  const requeueJobs = prepareRequeueJobs(context)
  const requeueWebhooks = prepareRequeueWebhooks(context)
  const takePins = preparePinRemoval(context)
  const removeNode = context.prepare('DELETE FROM nodes WHERE id = ?')
  return {
    heartbeat: prepareHeartbeat(context),
    orderNode: prepareOrder(context),
    *release({ nodeId, now }) {
      removeNode.send(nodeId)
      yield* takePins()
      yield* requeueWebhooks(nodeId)
      return yield* requeueJobs(nodeId, now, 'node-stopped')
    },
    requeueDead: prepareRequeueDead(context, takePins, function* (nodeId, now, reason) {
      yield* requeueWebhooks(nodeId)
      return yield* requeueJobs(nodeId, now, reason)
    }),
  }
}

function prepareHeartbeat(context: WriteContext): Handlers['heartbeat'] {
  const forgetDead = context.prepare('DELETE FROM nodes WHERE id = ? AND dead = 1')
  const keep = context.prepare(
    `INSERT INTO nodes (id, expires_at, session, name, beat_at, facts) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET expires_at = ${context.dialect.greatest}(nodes.expires_at, excluded.expires_at),
       name = coalesce(nullif(excluded.name, ''), nodes.name), beat_at = excluded.beat_at, facts = coalesce(excluded.facts, nodes.facts)`,
  )
  return function* ({ nodeId, now, ttlMs, session, name, facts }) {
    if (changed(yield* forgetDead.run(nodeId))) return false
    keep.send(nodeId, now + ttlMs, session, name, now, facts)
    return true
  }
}

function prepareOrder(context: WriteContext): Handlers['orderNode'] {
  const order = context.prepare('UPDATE nodes SET node_order = ? WHERE name = ? AND dead = 0 AND expires_at > ?')
  return function* (given) {
    const ordered = yield* order.run(given.order, given.name, given.now)
    if (ordered > 0) context.signal({ kind: 'order', node: given.name, order: given.order })
    return ordered
  }
}

function prepareRequeueDead(
  context: WriteContext,
  takePins: () => Steps<void>,
  requeue: (nodeId: string, now: number, reason: LostReason) => Steps<number>,
): Handlers['requeueDead'] {
  const declareDead = context.prepare('UPDATE nodes SET dead = 1 WHERE dead = 0 AND expires_at <= ?')
  const forget = context.prepare('DELETE FROM nodes WHERE dead = 1 AND expires_at <= ?')
  const findOrphaningNodes = context.prepare(
    `SELECT owner FROM (SELECT owner FROM jobs WHERE state = 'leased' UNION SELECT owner FROM outbox WHERE state = 'leased') AS owners
     WHERE owner NOT IN (SELECT id FROM nodes WHERE dead = 0)`,
  )
  const forgetAll = context.prepare('DELETE FROM nodes')
  const countLeft = prepareCountLeft(context)
  return function* ({ now, allNodes, session }) {
    if (allNodes) forgetAll.send()
    declareDead.send(now)
    forget.send(now - rememberDeadMs)
    yield* takePins()
    yield* countLeft(session, now)
    let requeued = 0
    for (const row of yield* findOrphaningNodes.all())
      requeued += yield* requeue(text(row, 'owner'), now, allNodes ? 'program-lost' : 'node-lost')
    return requeued
  }
}

/** Returns a function that removes the pins of jobs to nodes that are not alive. A caller that
 *  waited at such a node has lost its connection, so any node may run the job. */
function preparePinRemoval(context: WriteContext): () => Steps<void> {
  const remove = context.prepare(
    `UPDATE jobs SET pin = NULL, inline = 0 WHERE pin IS NOT NULL AND pin NOT IN (SELECT id FROM nodes WHERE dead = 0) RETURNING queue, state`,
  )
  return function* () {
    for (const job of yield* remove.all()) if (text(job, 'state') === 'ready') context.signal({ kind: 'job', queue: text(job, 'queue') })
  }
}

/** Returns SQL for the delay in milliseconds of a job whose node was lost: 1 s after its first
 *  run, 4 s after its second, 16 s after its third, ... at most 5 min. The delay grows because
 *  the job itself may have ended the node by using up its memory or disk. */
function lostWaitMs({ least }: Dialect): string {
  return `${least}(300000, 1000 << CAST(2 * ${least}(attempt - 1, 5) AS INTEGER))`
}

/** Returns a function that makes all jobs of a node ready again and returns their number. The
 *  function uses a few statements over all rows, because a node may have 20,000 jobs. A job that
 *  a lost node was running itself, without having sent it to an upstream, gets a delay, with two
 *  exceptions: a task that is being cancelled, and the first run of a job when the reason is
 *  `node-lost`, because the node may only have been slow. */
function prepareRequeueJobs(context: WriteContext): (nodeId: string, now: number, reason: LostReason | 'node-stopped') => Steps<number> {
  const ownUnstarted = `SELECT task_id FROM jobs WHERE owner = ? AND state = 'leased' AND driver IS NULL`
  const findQueues = context.prepare(`SELECT DISTINCT queue FROM jobs WHERE owner = ? AND state = 'leased'`)
  const queueTasks = context.prepare(`UPDATE tasks SET state = 'queued' WHERE id IN (${ownUnstarted}) AND state = 'running' RETURNING id`)
  const handBack = context.prepare(
    `UPDATE jobs SET state = 'ready', owner = NULL, inline = 0, last_error = ? WHERE owner = ? AND state = 'leased'`,
  )
  const delay = context.prepare(
    `UPDATE jobs SET run_at = ${context.dialect.greatest}(run_at, CAST(? AS BIGINT) + ${lostWaitMs(context.dialect)}) WHERE owner = ? AND state = 'leased' AND driver IS NULL AND attempt >= ?
       AND (SELECT state FROM tasks WHERE id = task_id) <> 'cancelling'`,
  )
  return function* (nodeId, now, reason) {
    if (reason === 'node-lost') delay.send(now, nodeId, 2)
    if (reason === 'program-lost') delay.send(now, nodeId, 1)
    const data = JSON.stringify({ reason })
    for (const row of yield* findQueues.all(nodeId)) context.signal({ kind: 'job', queue: text(row, 'queue') })
    for (const row of yield* queueTasks.all(nodeId)) {
      const taskId = text(row, 'id')
      context.appendEvent(taskId, now, 'task.retrying', data)
      context.signal({ kind: 'task', taskId, state: 'queued' })
    }
    return yield* handBack.run(reason, nodeId)
  }
}

function prepareRequeueWebhooks(context: WriteContext): (nodeId: string) => Steps<void> {
  const handBack = context.prepare(`UPDATE outbox SET state = 'due', owner = NULL WHERE owner = ? AND state = 'leased'`)
  return function* (nodeId) {
    if (changed(yield* handBack.run(nodeId))) context.signal({ kind: 'webhook' })
  }
}
