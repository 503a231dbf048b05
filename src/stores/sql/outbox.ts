import type { WebhookDelivery, WebhookOutbox } from '../../core/ports/store.ts'
import type { WebhookRow } from './operations.ts'
import type { SealBox } from './seal.ts'
import type { TaskReader } from './task-reader.ts'
import { webhookContext } from './task-rows.ts'
import type { Writer } from './writer.ts'

export function createOutbox(writer: Writer, reader: TaskReader, box: SealBox): WebhookOutbox {
  return {
    async claim(nodeId, limit, now, accountLimit) {
      // SQLite treats a negative LIMIT as no limit.
      if (limit < 1) return []
      const rows = await writer.run('claimWebhooks', { nodeId, limit, now, accountLimit })
      return rows.map(row => toDelivery(row, box))
    },
    delivered: (id, token, now) => writer.run('webhookDelivered', { id, token, now }),
    failed: (id, token, { status, error, retryAt, isPostponed = false, now }) =>
      writer.run('webhookFailed', { id, token, status: status ?? null, error: error ?? null, retryAt: retryAt ?? null, isPostponed, now }),
    dead: async filter => reader.deadWebhooks(filter),
    resend: (id, now) => writer.run('resendWebhook', { id, now }),
  }
}

function toDelivery({ secret, ...delivery }: WebhookRow, box: SealBox): WebhookDelivery {
  if (secret === null) return delivery
  try {
    return { ...delivery, secret: box.open(secret, webhookContext(delivery.taskId)).toString() }
  } catch {
    // The damaged delivery gets a fault instead of an exception, so that the other deliveries of
    // the same claim are still sent.
    return { ...delivery, fault: 'The stored secret of the webhook cannot be read.' }
  }
}
