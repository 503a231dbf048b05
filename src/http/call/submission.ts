/** Completes the submission of a family's handler: adds the caller, the limits of the key, and
 *  the times for which the family keeps tasks. Throws `invalid_request` for a webhook URL that
 *  is not allowed. */
import { hash } from 'node:crypto'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { AccountFile, CallFile } from '../../contract/call-file.ts'
import type { Submission } from '../../contract/context.ts'
import type { Family } from '../../contract/family.ts'
import type { TaskSubmission } from '../../core/work/tasks.ts'
import type { HttpDeps } from '../deps.ts'
import type { Call } from './call.ts'
import { quotasOf } from './quotas.ts'

export function submissionOf<C extends Capability>(
  deps: HttpDeps,
  family: Family,
  call: Call,
  { webhookField = 'webhook_url', once, ...submission }: Submission<C>,
): TaskSubmission<C> {
  if (!call.model) throw new TypeError('this operation does not choose a model')
  if (submission.webhook) deps.checkUrl(submission.webhook.url, webhookField)
  const task: TaskSubmission<C> = {
    accountId: call.key.accountId,
    keyId: call.key.id,
    endpoint: call.endpoint.name,
    family: family.id,
    model: call.model,
    publicUrl: call.publicUrl,
    deadlineMs: family.deadlineMs,
    keepMs: Math.max(family.keepMs, deps.settings.keepMs),
    quotas: quotasOf(call.key, deps.clock.now()),
    ...submission,
    request: withHops(call, submission.request),
    inputs: (submission.inputs ?? []).map(withoutName),
  }
  if (call.traceparent !== undefined) task.traceparent = call.traceparent
  const { limits, accountLimits } = call.key
  if (limits?.concurrentTasks !== undefined) task.concurrencyLimit = limits.concurrentTasks
  if (accountLimits?.concurrentTasks !== undefined) task.accountConcurrencyLimit = accountLimits.concurrentTasks
  // The idempotency key of a private request is ignored, because the store would otherwise keep a
  // hash of the body.
  const isPrivate = 'isPrivate' in submission.request && submission.request.isPrivate === true
  if (once !== undefined) task.idempotency = { key: once, bodySha256: hash('sha256', once, 'hex') }
  else if (call.idempotencyKey !== undefined && !isPrivate) {
    task.models = call.key.scopes.models
    task.idempotency = {
      key: call.idempotencyKey,
      bodySha256: requestFingerprint(`${call.operation} ${call.endpoint.name}${call.beside ?? ''}`, call.body.bodySha256 ?? ''),
    }
  }
  return task
}

/** Returns the file without the name that the caller gave it, because a task does not store that
 *  name. */
function withoutName(input: CallFile | AccountFile): CallFile | AccountFile {
  if (!('name' in input)) return input
  const { name: _name, ...unnamed } = input
  return unnamed
}

/** Returns the hash that a repeat with the same idempotency key must have. `place` contains the
 *  operation, the path parameters and the query. */
function requestFingerprint(place: string, bodySha256: string): string {
  return hash('sha256', `${place}\n${bodySha256}`, 'hex')
}

/** Adds the hop count to the request: the number of gateways through which it came. The upstream
 *  may be a gateway, too, and needs the count to detect a loop. */
export function withHops<Request extends object>({ hops }: Call, request: Request): Request {
  return hops === 0 ? request : { ...request, hops }
}
