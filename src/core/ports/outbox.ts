/** A webhook delivery. The body is created from the task at each try, so that the links in the
 *  body are valid for long enough; the id is the same in all tries. */
export interface WebhookDelivery {
  /** Id of the delivery: `wh_<task id>`. */
  id: string
  taskId: string
  accountId: string
  url: string
  secret?: string
  /** The reason why the secret of the webhook cannot be read; absent when it can. A delivery
   *  with this reason is not sent, because it could not be signed. */
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
  /** Time of the next try; when absent, the delivery becomes a dead letter. */
  retryAt?: number
  /** True when the webhook was not sent, because its receiver already has enough deliveries in
   *  progress. This does not count as a try. */
  isPostponed?: boolean
  now: number
}

export interface WebhookOutbox {
  /** Leases at most `limit` due deliveries for the node. The accounts take turns: first the one
   *  with the fewest leased deliveries (decision 0008); within an account the oldest due delivery
   *  comes first. The node holds at most `accountLimit` deliveries of an account at a time;
   *  without it there is no such limit. Empty when the node is not alive. */
  claim(nodeId: string, limit: number, now: number, accountLimit?: number): Promise<WebhookDelivery[]>
  delivered(id: string, token: number, now: number): Promise<boolean>
  /** Stores a failed try and the time of the next one; without `retryAt`, the delivery becomes a
   *  dead letter. */
  failed(id: string, token: number, failure: WebhookFailure): Promise<boolean>
  dead(filter: { accountId?: string; limit: number }): Promise<DeadWebhook[]>
  /** Makes a dead letter (a delivery that was given up) due again at once, and resets its number
   *  of tries. False when there is no dead letter with this id. */
  resend(id: string, now: number): Promise<boolean>
}
