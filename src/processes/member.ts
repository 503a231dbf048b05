/** A member: one of several processes on a machine that serve requests on the same port. */
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Siblings } from '../config/gateway-options.ts'
import { type Metric, renderSum } from '../http/metrics/metric-sums.ts'
import { type MemberMessage, memberVariable, type PrimaryMessage } from './messages.ts'
import { presence } from './presence.ts'

/** Time in ms that a member waits for the sum of all metrics. It is longer than the time for
 *  which the primary process waits for the other members. */
const sumWithinMs = 4_000

export interface MemberEvents {
  onStop(): void
  onReload(round: number): void
}

/** Returns true when the primary process of this program has started this process. */
export function isMember(): boolean {
  return cluster.isWorker && process.env[memberVariable] !== undefined
}

export interface Member {
  siblings: Siblings
  /** Resolves when the message was sent, or when it can no longer be sent. */
  send(message: MemberMessage): Promise<void>
}

/** Connects this process with the primary process. `onStop` is called when the primary orders a
 *  stop or has ended. */
export function joinPrimary({ count, name }: { count: number; name: string }, { onStop, onReload }: MemberEvents): Member {
  const sums = new Map<number, (text: string) => void>()
  let asked = 0
  let ownMetrics = async (): Promise<Metric[]> => []
  const send = (message: MemberMessage): Promise<void> =>
    new Promise(resolve => {
      if (process.send && process.connected) process.send(message, undefined, {}, () => resolve())
      else resolve()
    })
  const hear = (message: PrimaryMessage): void => {
    if (message.kind === 'stop') onStop()
    if (message.kind === 'reload') onReload(message.round)
    if (message.kind === 'sum') sums.get(message.id)?.(message.text)
    if (message.kind === 'metrics') void ownMetrics().then(metrics => send({ kind: 'metrics', id: message.id, metrics }))
  }
  process.on('message', hear)
  cluster.worker?.on('disconnect', () => {
    // Without this flag, Node.js would end the process at once when the primary has ended, although
    // answers are still in progress.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
    onStop()
  })
  const sum = async (own: Metric[]): Promise<string> => {
    const id = ++asked
    const { promise, resolve } = Promise.withResolvers<string>()
    sums.set(id, resolve)
    void send({ kind: 'sum', id, own })
    const text = await Promise.race([promise, sleep(sumWithinMs, undefined, { ref: false })])
    sums.delete(id)
    return text ?? renderSum([own, presence([[name, true]])])
  }
  const metrics: Siblings['metrics'] = {
    offer: own => {
      ownMetrics = own
    },
    sum,
  }
  return { send, siblings: { count, metrics, reload: () => void send({ kind: 'reloaded' }) } }
}
