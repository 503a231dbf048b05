/** A webhook delivery. The body is presented at delivery time from the task, so that its links are
 *  fresh; the id stays the same over all tries. */
export interface WebhookDelivery {
  /** `wh_<task id>`. */
  id: string
  taskId: string
  url: string
  secret?: string
  /** The reason why the delivery cannot be made: its secret cannot be read. It is never sent
   *  unsigned. */
  fault?: string
  attempt: number
  token: number
}

export interface DeadWebhook {
  id: string
  taskId: string
  accountId: string
  url: string
  attempts: number
  lastStatus?: number
  lastError?: string
}

export interface WebhookFailure {
  status?: number
  error?: string
  /** Time of the next try; absent: the delivery becomes a dead letter. */
  retryAt?: number
  /** The try was not made, because the receiver has enough deliveries in progress: it does not
   *  count. */
  isPostponed?: boolean
  now: number
}

export interface WebhookOutbox {
  claim(nodeId: string, limit: number, now: number): Promise<WebhookDelivery[]>
  delivered(id: string, token: number, now: number): Promise<boolean>
  /** `retryAt` absent: dead letter. */
  failed(id: string, token: number, failure: WebhookFailure): Promise<boolean>
  dead(filter: { accountId?: string; limit: number }): Promise<DeadWebhook[]>
  /** Makes a dead letter due again at once, with its count of tries reset. False when there is none
   *  with this id. */
  resend(id: string, now: number): Promise<boolean>
}
