import type { Handlers, WebhookRow } from '../operations.ts'
import { sideBySide } from '../steps.ts'
import { number, optionalText, text } from '../values.ts'
import { prepareClaimInTurn, type WorkTable } from './claim-in-turn.ts'
import { changed, type WriteContext } from './context.ts'

const deliveries: WorkTable = {
  name: 'outbox',
  id: 'id',
  scope: [],
  isWaiting: `state = 'due'`,
  runningBy: 'account_id',
  columns: 'id, task_id, attempt, token, run_at',
}

type OutboxOperations = Pick<Handlers, 'claimWebhooks' | 'webhookDelivered' | 'webhookFailed' | 'resendWebhook'>

export function outboxOperations(context: WriteContext): OutboxOperations {
  const remove = context.prepare(`DELETE FROM outbox WHERE id = ? AND token = ? AND state = 'leased'`)
  const handBack = context.prepare(
    `UPDATE outbox SET state = ?, run_at = ?, owner = NULL, last_status = ?, last_error = ? WHERE id = ? AND token = ? AND state = 'leased'`,
  )
  // The claim has counted a try. It is subtracted again, because no try was made.
  const postpone = context.prepare(
    `UPDATE outbox SET state = 'due', run_at = ?, owner = NULL, attempt = attempt - 1 WHERE id = ? AND token = ? AND state = 'leased'`,
  )
  const revive = context.prepare(`UPDATE outbox SET state = 'due', attempt = 0, run_at = ? WHERE id = ? AND state = 'dead'`)
  return {
    claimWebhooks: prepareClaimWebhooks(context),
    *webhookDelivered({ id, token }) {
      return changed(yield* remove.run(id, token))
    },
    *webhookFailed({ id, token, status, error, retryAt, isPostponed, now }) {
      if (isPostponed) return changed(yield* postpone.run(retryAt ?? now, id, token))
      const state = retryAt === null ? 'dead' : 'due'
      return changed(yield* handBack.run(state, retryAt ?? now, status, error, id, token))
    },
    *resendWebhook({ id, now }) {
      if (!changed(yield* revive.run(now, id))) return false
      context.signal({ kind: 'webhook' })
      return true
    },
  }
}

function prepareClaimWebhooks(context: WriteContext): Handlers['claimWebhooks'] {
  const findNode = context.prepare('SELECT 1 FROM nodes WHERE id = ? AND dead = 0 AND expires_at > ?')
  const { openTurns, leaseInTurn } = prepareClaimInTurn(context, deliveries)
  const findTarget = context.prepare('SELECT webhook_url, webhook_secret FROM tasks WHERE id = ?')
  const forget = context.prepare('DELETE FROM outbox WHERE id = ?')
  return function* ({ nodeId, limit, now, accountLimit }) {
    const inTurn = { scope: [], nodeId, now, accountLimit }
    const [node, turns] = yield* sideBySide([findNode.get(nodeId, now), openTurns(inTurn)])
    if (node === undefined) return []
    const rows = yield* leaseInTurn({ ...inTurn, limit }, turns)
    const claimed: WebhookRow[] = []
    for (const row of rows) {
      const taskId = text(row, 'task_id')
      const target = yield* findTarget.get(taskId)
      const url = target && optionalText(target, 'webhook_url')
      if (target === undefined || url === undefined || url === null) {
        // A delivery without an address is deleted. If the claim failed instead, this delivery
        // would block all others for ever.
        forget.send(text(row, 'id'))
        continue
      }
      const secret = optionalText(target, 'webhook_secret')
      const [id, accountId] = [text(row, 'id'), text(row, 'account_id')]
      claimed.push({ id, taskId, accountId, url, secret, attempt: number(row, 'attempt'), token: number(row, 'token') })
    }
    return claimed
  }
}
