import { createHmac } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Duty } from '../duty.ts'
import type { Clock, TaskStore, WebhookDelivery, WebhookFailure } from '../ports/store.ts'
import type { Task } from '../records/task.ts'
import { createStoreAlarm, type StoreAlarm } from '../store-alarm.ts'
import { waitAtMost } from '../wait-at-most.ts'
import { WebhookReceivers } from '../webhook-receivers.ts'
import { FinalWrites } from './final-writes.ts'
import type { WorkerLog } from './worker-deps.ts'

/** Sends a webhook by POST and returns the answer. Does not follow redirects. Throws when there
 *  is no answer, and `invalid_request` when the address is not allowed. */
export type PostWebhook = (
  url: string,
  message: { headers: Record<string, string>; body: string; timeoutMs: number; signal: AbortSignal },
) => Promise<{ status: number; retryAfterSeconds?: number }>

export interface WebhookDeps {
  store: TaskStore
  clock: Clock
  log: WorkerLog
  /** The alarm that logs outages of the store. When absent, a new one is created. */
  alarm?: StoreAlarm
  /** Decides whether this node takes new deliveries. By default it does until it is stopped. */
  duty?: Pick<Duty, 'state'>
  nodeId(): string
  post: PostWebhook
  /** Returns the JSON body of the webhook, made by the family of the task; undefined when the
   *  family has no webhook. Throws when the files of the task no longer exist. */
  present(task: Task): object | undefined
  /** Returns the Standard Webhooks secret of an account, for tasks that have no secret of their
   *  own. */
  accountSecret(accountId: string): Promise<string | undefined>
}

/** Waits in ms before the second, third, ... try (docs/interface.md#webhooks). If the try after
 *  the last wait fails, too, the delivery becomes a dead letter. */
const retryAfterMs = [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, 86_400_000]
/** Longest wait in ms that a receiver may request with `retry-after`. It is limited, because the
 *  task is kept until its webhook was delivered or given up. */
const longestRequestedMs = 86_400_000
const timeoutMs = 30_000
const atOnce = 256
/** Largest number of deliveries of one account in progress on a node, so that slow receivers of one
 *  account do not occupy all slots. At most 8 accounts can be at this limit at the same time (256 /
 *  32). When more accounts wait, at least one of them can therefore get a delivery
 *  (`src/stores/sql/write/turns.ts`). */
const atOncePerAccount = 32

interface FailedTry {
  status?: number
  error?: string
  /** The wait that the receiver requested with `retry-after`, in ms. */
  requestedMs?: number
  /** True when a further try could not succeed. */
  isFinal?: boolean
}

/** Delivers due webhooks, each at least once. A webhook has the same id in every try, so that
 *  its receiver can recognise a repeat. */
export class Webhooks {
  readonly #deps: WebhookDeps
  readonly #alarm: StoreAlarm
  readonly #underWay = new Set<Promise<void>>()
  /** The deliveries in progress, by the account and the host in the receiver's URL. */
  readonly #receivers = new WebhookReceivers()
  #isOpen = false
  #isClaiming = false
  /** True when a webhook became due while a claim was running. The claim may have missed it, so
   *  another claim follows. */
  #isDueAgain = false
  #unsubscribe = () => {}
  #timer: NodeJS.Timeout | undefined
  readonly #cutOff = new AbortController()
  readonly #ends: FinalWrites

  constructor(deps: WebhookDeps) {
    const { alarm = createStoreAlarm(deps) } = deps
    this.#deps = deps
    this.#alarm = alarm
    this.#ends = new FinalWrites('ends of webhooks', { alarm, signal: this.#cutOff.signal })
  }

  start(): void {
    this.#isOpen = true
    this.#unsubscribe = this.#deps.store.subscribe(signal => {
      if (signal.kind === 'webhook') void this.#deliverDue()
    })
    this.#timer = setInterval(() => void this.#deliverDue(), 1_000)
    this.#timer.unref()
    void this.#deliverDue()
  }

  /** Waits up to `graceMs` for the deliveries in progress. Then aborts those that are left; they
   *  become due again. */
  async stop(graceMs: number): Promise<void> {
    this.#isOpen = false
    this.#unsubscribe()
    clearInterval(this.#timer)
    await waitAtMost(graceMs, Promise.all(this.#underWay))
    this.#cutOff.abort()
    await Promise.all(this.#underWay)
  }

  /** Returns the number of deliveries in progress. */
  underWay(): number {
    return this.#underWay.size
  }

  async #deliverDue(): Promise<void> {
    if (!this.#isOpen || this.#deps.duty?.state === 'draining' || this.#underWay.size >= atOnce) return
    if (this.#isClaiming) {
      this.#isDueAgain = true
      return
    }
    const { store, clock, nodeId } = this.#deps
    this.#isClaiming = true
    try {
      const deliveries = await store.outbox.claim(nodeId(), atOnce - this.#underWay.size, clock.now(), atOncePerAccount)
      this.#alarm.worked('claims of webhooks')
      for (const delivery of deliveries) {
        const delivering = this.#deliver(delivery).finally(() => {
          this.#underWay.delete(delivering)
          void this.#deliverDue()
        })
        this.#underWay.add(delivering)
      }
    } catch (error) {
      this.#alarm.failed('claims of webhooks', error)
    } finally {
      this.#isClaiming = false
    }
    if (!this.#isDueAgain) return
    this.#isDueAgain = false
    await this.#deliverDue()
  }

  async #deliver(delivery: WebhookDelivery): Promise<void> {
    if (delivery.fault !== undefined) {
      await this.#storeEnd(delivery, this.#whenToRetry(delivery, { error: delivery.fault, isFinal: true }))
      return
    }
    const host = `${delivery.accountId} ${URL.parse(delivery.url)?.host ?? ''}`
    const now = this.#deps.clock.now()
    const turn = this.#receivers.begin(host, now)
    if ('retryAt' in turn) {
      // Too many deliveries of the account to this host are in progress, and a slow receiver must
      // not occupy all slots. The delivery becomes due again later, and this does not count as a
      // try.
      await this.#storeEnd(delivery, { retryAt: turn.retryAt, now, isPostponed: true })
      return
    }
    const failure = await this.#attempt(delivery).catch(error => this.#unmade(delivery, error))
    turn.end()
    // The delivery was aborted because this node is stopping. The node hands its leases back, which
    // makes the delivery due again.
    if (failure && this.#cutOff.signal.aborted) return
    await this.#storeEnd(delivery, failure && this.#whenToRetry(delivery, failure))
  }

  /** Sends the webhook with the task's present state. Resolves with undefined when the receiver
   *  has accepted it, otherwise with the failure. Throws when the receiver could not be reached. */
  async #attempt(delivery: WebhookDelivery): Promise<FailedTry | undefined> {
    const { store, clock, post, present, accountSecret } = this.#deps
    const task = await store.get(delivery.taskId)
    const body = task && present(task)
    if (!task || !body) return { error: 'The task was swept.', isFinal: true }
    const text = JSON.stringify(body)
    const secret = delivery.secret ?? (await accountSecret(task.accountId))
    const headers = webhookHeaders({ id: delivery.id, body: text, timestamp: Math.floor(clock.now() / 1000), secret, own: delivery.secret })
    const { status, retryAfterSeconds = 0 } = await post(delivery.url, { headers, body: text, timeoutMs, signal: this.#cutOff.signal })
    if (status >= 200 && status < 300) return undefined
    return { status, requestedMs: retryAfterSeconds * 1000, isFinal: status === 410 }
  }

  #unmade(delivery: WebhookDelivery, error: unknown): FailedTry {
    // The files of the task were deleted and will not come back, so no further try is made.
    if (error instanceof GatewayError) return { error: error.message, isFinal: error.code === 'gone' }
    this.#deps.log.error({ err: error, webhookId: delivery.id }, 'a webhook could not be made')
    return { error: 'The gateway failed to make the webhook.' }
  }

  #whenToRetry(delivery: WebhookDelivery, { status, error, requestedMs = 0, isFinal = false }: FailedTry): WebhookFailure {
    const failure: WebhookFailure = { now: this.#deps.clock.now() }
    if (status !== undefined) failure.status = status
    if (error !== undefined) failure.error = error
    const wait = retryAfterMs[delivery.attempt - 1]
    if (wait !== undefined && !isFinal) {
      failure.retryAt = failure.now + Math.max(Math.min(requestedMs, longestRequestedMs), Math.round(wait * (0.9 + Math.random() * 0.2)))
    }
    const isDead = failure.retryAt === undefined
    this.#deps.log.warn({ webhookId: delivery.id, attempt: delivery.attempt, status, error, isDead }, 'a webhook was not taken')
    return failure
  }

  /** Stores the end of a delivery, and retries until this succeeds. Otherwise this node would
   *  keep the lease of the delivery, so that no node could ever make the delivery again. */
  async #storeEnd({ id, token }: WebhookDelivery, failure: WebhookFailure | undefined): Promise<void> {
    const { store, clock } = this.#deps
    await this.#ends.make(() => (failure ? store.outbox.failed(id, token, failure) : store.outbox.delivered(id, token, clock.now())))
  }
}

/** Returns the headers of a delivery: the three headers of the Standard Webhooks specification,
 *  and the header with the caller's own secret that family F1 documents
 *  (docs/interface.md#webhooks). */
export function webhookHeaders(message: {
  id: string
  body: string
  /** Time of this try, in Unix seconds. */
  timestamp: number
  /** Key of the signature; when it is undefined, the request is not signed. */
  secret: string | undefined
  /** The secret that the caller sent with the task; it is sent back unchanged. */
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

/** Returns the raw key: a secret of the form `whsec_` + base64 is decoded, and any other secret is
 *  used as text. */
function signatureKey(secret: string): Buffer {
  if (secret.startsWith('whsec_')) {
    const encoded = secret.slice('whsec_'.length)
    const key = Buffer.from(encoded, 'base64')
    if (key.length > 0 && key.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '')) return key
  }
  return Buffer.from(secret, 'utf8')
}
