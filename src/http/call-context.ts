import { hash, randomInt } from 'node:crypto'
import type { CallContext, InputImage, Submission, TaskView, TextRunEvent } from '../contract/context.ts'
import type { Family, FamilyModel } from '../contract/family.ts'
import { GatewayError } from '../core/errors.ts'
import type { TextRequest, TextUsage } from '../core/requests/text.ts'
import type { Task } from '../core/task.ts'
import type { TaskSubmission } from '../core/tasks.ts'
import type { Call } from './call.ts'
import type { HttpDeps } from './deps.ts'
import { readInputImage } from './input-image.ts'
import { modelsOf } from './model-list.ts'

/** What a handler of the family may do within this call. */
export function createCallContext(deps: HttpDeps, family: Family, call: Call): CallContext {
  return {
    ...taskView(deps, call.publicUrl),
    requestId: call.requestId,
    endpoint: call.endpoint.name,
    route: call.route,
    get model(): FamilyModel {
      if (!call.model) throw new TypeError('this operation does not choose a model')
      return call.model
    },
    get presentFields() {
      return call.presentFields
    },
    exactInteger: field => call.body.exactIntegers.get(field),
    randomSeed: () => String(randomInt(0, 2 ** 32)),
    image: (field, value, limits): Promise<InputImage> => readInputImage(deps, call, { field, value, limits }),
    submit: submission => submit(deps, family, call, submission),
    task: id => ownTask(deps, { id, accountId: call.key.accountId, endpoint: call.endpoint.name, family: family.id }),
    cancelTask: async id => {
      const owner = { id, accountId: call.key.accountId, endpoint: call.endpoint.name, family: family.id }
      await ownTask(deps, owner)
      await deps.tasks.cancel(id)
      return ownTask(deps, owner)
    },
    get signal() {
      return call.signal()
    },
    respond: request => respond(deps, call, request),
    get responses() {
      return deps.responses.at(call.key.accountId, call.endpoint.name)
    },
    models: () => modelsOf(deps, call),
  }
}

async function* respond(deps: HttpDeps, call: Call, request: TextRequest): AsyncGenerator<TextRunEvent> {
  if (!call.model) throw new TypeError('this operation does not choose a model')
  const routes = call.routes ?? deps.router.routes(call.model, 'text.respond')
  const id = `${call.requestId}${call.runs === 0 ? '' : `-${call.runs}`}`
  call.runs += 1
  for await (const event of deps.calls.respond({ id, request, routes, signal: call.signal() })) {
    if (event.type === 'finish') {
      call.target = event.route.target.id
      call.usage = sumOf(call.usage, event.result.usage)
    }
    yield event
  }
}

function sumOf(before: TextUsage | undefined, usage: TextUsage): TextUsage {
  if (!before) return usage
  return {
    inputTokens: before.inputTokens + usage.inputTokens,
    cachedInputTokens: before.cachedInputTokens + usage.cachedInputTokens,
    outputTokens: before.outputTokens + usage.outputTokens,
    reasoningTokens: before.reasoningTokens + usage.reasoningTokens,
  }
}

/** Links for a presenter, absolute from the given origin. */
export function taskView(deps: Pick<HttpDeps, 'links' | 'clock'>, publicUrl: string): TaskView {
  return {
    publicUrl,
    link: (artifact, lifetimeMs) => publicUrl + deps.links.sign(artifact.id, deps.clock.now() + lifetimeMs),
  }
}

/** A task of this account, endpoint and family. Anything else is the same `task_not_found`. */
export async function ownTask(deps: HttpDeps, wanted: { id: string; accountId: string; endpoint: string; family: string }): Promise<Task> {
  const task = await deps.tasks.get(wanted.id)
  if (task && task.accountId === wanted.accountId && task.endpoint === wanted.endpoint && task.family === wanted.family) return task
  throw new GatewayError('task_not_found', `There is no task ${JSON.stringify(wanted.id.slice(0, 64))} at this endpoint.`, {
    subject: wanted.id,
  })
}

function submit(deps: HttpDeps, family: Family, call: Call, submission: Submission): Promise<Task> {
  if (!call.model) throw new TypeError('this operation does not choose a model')
  if (submission.webhook) deps.checkUrl(submission.webhook.url, 'webhook_url')
  const task: TaskSubmission = {
    accountId: call.key.accountId,
    keyId: call.key.id,
    endpoint: call.endpoint.name,
    family: family.id,
    model: call.model,
    publicUrl: call.publicUrl,
    deadlineMs: family.deadlineMs,
    keepMs: Math.max(family.keepMs, deps.settings.keepMs),
    ...submission,
    inputs: submission.inputs ?? [],
  }
  if (call.traceparent !== undefined) task.traceparent = call.traceparent
  if (call.key.concurrentTasks !== undefined) task.concurrencyLimit = call.key.concurrentTasks
  if (call.idempotencyKey !== undefined) {
    task.idempotency = {
      key: call.idempotencyKey,
      bodySha256: requestFingerprint(`${family.id} ${call.endpoint.name}`, call.body.bodySha256 ?? ''),
    }
  }
  return deps.tasks.submit(task)
}

/** What an idempotent repeat is compared by: where it was sent and the bytes of its body. */
function requestFingerprint(place: string, bodySha256: string): string {
  return hash('sha256', `${place}\n${bodySha256}`, 'hex')
}
