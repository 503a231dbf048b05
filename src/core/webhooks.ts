import { createHmac } from 'node:crypto'
import type { Clock, TaskStore, WebhookDelivery } from './ports.ts'
import type { Task } from './task.ts'
import type { WorkerLog } from './worker.ts'

/** Sends one request without following redirects. Throws when no answer came; `blocked` when the address is not allowed. */
export type PostWebhook = (
  url: string,
  message: { headers: Record<string, string>; body: string; timeoutMs: number },
) => Promise<{ status: number; retryAfterSeconds?: number }>

export interface WebhookDeps {
  store: TaskStore
  clock: Clock
  log: WorkerLog
  nodeId(): string
  post: PostWebhook
  /** The JSON body the task's family shows; undefined when the family has no webhook. */
  present(task: Task): object | undefined
  /** Standard Webhooks secret of an account, for tasks without one of their own. */
  accountSecret(accountId: string): Promise<string | undefined>
}

export interface Webhooks {
  start(): void
  /** Lets deliveries under way end. */
  stop(): Promise<void>
}

/** Waits before the second, third, ... try (`decisions.md`, all families); after the last one the delivery is a dead letter. */
const retryAfterMs = [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, 86_400_000]
const timeoutMs = 30_000
const atOnce = 64
const atOncePerHost = 8

/** Delivers due webhooks at least once each, with the same id on every try. */
export function createWebhooks(deps: WebhookDeps): Webhooks {
  const { store, clock, log } = deps
  const underWay = new Set<Promise<void>>()
  const perHost = new Map<string, number>()
  let isOpen = false
  let isClaiming = false
  let unsubscribe = () => {}
  let timer: NodeJS.Timeout | undefined

  const deliverDue = async (): Promise<void> => {
    if (!isOpen || isClaiming || underWay.size >= atOnce) return
    isClaiming = true
    try {
      const deliveries = await store.outbox.claim(deps.nodeId(), atOnce - underWay.size, clock.now())
      for (const delivery of deliveries) {
        const delivering = deliver(delivery)
          .catch(error => log.error({ err: error, webhookId: delivery.id }, 'the end of a webhook delivery could not be stored'))
          .finally(() => {
            underWay.delete(delivering)
            void deliverDue()
          })
        underWay.add(delivering)
      }
    } catch (error) {
      log.error({ err: error }, 'webhooks could not be claimed')
    } finally {
      isClaiming = false
    }
  }

  const deliver = async (delivery: WebhookDelivery): Promise<void> => {
    const host = URL.parse(delivery.url)?.host ?? ''
    const busy = perHost.get(host) ?? 0
    if (busy >= atOncePerHost) {
      // A slow receiver must not take all places: look again soon, without using up a try.
      await store.outbox.failed(delivery.id, delivery.token, { retryAt: clock.now() + 1_000, now: clock.now(), isPostponed: true })
      return
    }
    perHost.set(host, busy + 1)
    try {
      await attempt(delivery)
    } finally {
      const left = (perHost.get(host) ?? 1) - 1
      if (left === 0) perHost.delete(host)
      else perHost.set(host, left)
    }
  }

  const attempt = async (delivery: WebhookDelivery): Promise<void> => {
    const task = await store.get(delivery.taskId)
    const body = task ? deps.present(task) : undefined
    if (!task || !body) {
      await store.outbox.failed(delivery.id, delivery.token, { error: 'The task was swept.', now: clock.now() })
      return
    }
    const text = JSON.stringify(body)
    const secret = delivery.secret ?? (await deps.accountSecret(task.accountId))
    const headers = webhookHeaders({ id: delivery.id, body: text, timestamp: Math.floor(clock.now() / 1000), secret, own: delivery.secret })
    try {
      const answer = await deps.post(delivery.url, { headers, body: text, timeoutMs })
      if (answer.status >= 200 && answer.status < 300) await store.outbox.delivered(delivery.id, delivery.token, clock.now())
      else await retryLater(delivery, { status: answer.status, isGone: answer.status === 410, retryAfterSeconds: answer.retryAfterSeconds })
    } catch (error) {
      await retryLater(delivery, { error: error instanceof Error ? error.message : 'No answer.' })
    }
  }

  const retryLater = async (
    delivery: WebhookDelivery,
    failure: { status?: number; error?: string; isGone?: boolean; retryAfterSeconds?: number | undefined },
  ): Promise<void> => {
    const now = clock.now()
    const wait = retryAfterMs[delivery.attempt - 1]
    const asked = (failure.retryAfterSeconds ?? 0) * 1000
    const retryAt =
      wait === undefined || failure.isGone ? {} : { retryAt: now + Math.max(asked, Math.round(wait * (0.9 + Math.random() * 0.2))) }
    const status = failure.status === undefined ? {} : { status: failure.status }
    const error = failure.error === undefined ? {} : { error: failure.error }
    log.warn(
      { webhookId: delivery.id, attempt: delivery.attempt, ...status, ...error, isDead: !('retryAt' in retryAt) },
      'a webhook was not taken',
    )
    await store.outbox.failed(delivery.id, delivery.token, { ...status, ...error, ...retryAt, now })
  }

  return {
    start: () => {
      isOpen = true
      unsubscribe = store.subscribe(signal => {
        if (signal.kind === 'webhook') void deliverDue()
      })
      timer = setInterval(() => void deliverDue(), 1_000)
      timer.unref()
      void deliverDue()
    },
    stop: async () => {
      isOpen = false
      unsubscribe()
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

/** Headers of one delivery: the Standard Webhooks triple, and the caller's own secret as family F1 documents it (vendors-text-audio 6.3). */
export function webhookHeaders(message: {
  id: string
  body: string
  /** Unix seconds of this try. */
  timestamp: number
  /** Key of the signature; without one there is no signature. */
  secret: string | undefined
  /** The secret the caller gave with the task, sent as it is. */
  own: string | undefined
}): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'generation-gateway-webhook/1',
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
  }
  if (message.own !== undefined) headers['x-webhook-secret'] = message.own
  if (message.secret !== undefined) {
    const signature = createHmac('sha256', signatureKey(message.secret))
      .update(`${message.id}.${message.timestamp}.${message.body}`)
      .digest('base64')
    headers['webhook-signature'] = `v1,${signature}`
  }
  return headers
}

/** `whsec_` + base64 is the raw key; anything else is taken as text. */
function signatureKey(secret: string): Buffer {
  if (secret.startsWith('whsec_')) {
    const encoded = secret.slice('whsec_'.length)
    const key = Buffer.from(encoded, 'base64')
    if (key.length > 0 && key.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '')) return key
  }
  return Buffer.from(secret, 'utf8')
}
