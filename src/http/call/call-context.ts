import { hash, randomInt } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Capability, RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import { expectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import { errorIn, type FieldName, nameIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { tokensIn } from '@generation-gateway/kit/requests/token-estimate.ts'
import type { OwnVoice } from '@generation-gateway/kit/requests/voices.ts'
import type {
  CallContext,
  CallFile,
  Files,
  KeyUsage,
  ModelSummary,
  OwnFile,
  Submission,
  TargetVoice,
  TaskListing,
  TaskView,
  TextRunEvent,
} from '../../contract/context.ts'
import type { Family } from '../../contract/family.ts'
import type { FamilyModel } from '../../contract/model.ts'
import { isInScope } from '../../core/access.ts'
import type { AccessKey } from '../../core/ports/store.ts'
import type { UsageLine } from '../../core/ports/usage.ts'
import { type Artifact, type InlinePart, isRemoved, type Task, type TaskCapability } from '../../core/records/task.ts'
import type { TaskSubmission } from '../../core/work/tasks.ts'
import type { HttpDeps } from '../deps.ts'
import { accountFiles } from '../provisions/files.ts'
import { usageOf } from '../provisions/key-usage.ts'
import { modelsOf, summaryNamed } from '../provisions/models.ts'
import { notFollowed } from '../provisions/not-followed.ts'
import { slideTemplates } from '../provisions/templates.ts'
import { targetVoices } from '../provisions/voices.ts'
import type { Call } from './call.ts'
import { createCallCheck } from './call-check.ts'
import { firstRecordAt, type Run } from './call-counts.ts'
import { holdCall, quotasOf, recordSaid } from './quotas.ts'

/** What a handler of the family may do within this call. */
export function createCallContext(deps: HttpDeps, family: Family, call: Call): CallContext {
  return new HandlerContext(deps, family, call)
}

/** A class, not a literal with a dozen closures and accessors: those of every poll would keep the garbage collector busy. */
class HandlerContext implements CallContext {
  readonly #deps: HttpDeps
  readonly #family: Family
  readonly #call: Call
  readonly publicUrl: string
  readonly requestId: string
  readonly endpoint: string
  readonly route: Call['route']

  constructor(deps: HttpDeps, family: Family, call: Call) {
    this.#deps = deps
    this.#family = family
    this.#call = call
    this.publicUrl = call.publicUrl
    this.requestId = call.requestId
    this.endpoint = call.endpoint.name
    this.route = call.route
  }

  get model(): FamilyModel {
    if (!this.#call.model) throw new TypeError('this operation does not choose a model')
    return this.#call.model
  }

  get presentFields(): ReadonlySet<string> {
    return this.#call.presentFields
  }

  get signal(): AbortSignal {
    return this.#call.signal()
  }

  get responses(): CallContext['responses'] {
    return this.#deps.responses.at(this.#call.key.accountId, this.endpoint)
  }

  link(artifact: Artifact, lifetimeMs: number): string {
    return linkTo(this.#deps, this.publicUrl, { artifact, lifetimeMs })
  }

  exactInteger(field: string): string | undefined {
    return this.#call.body.exactIntegers.get(field)
  }

  randomSeed(): string {
    return String(randomInt(0, 2 ** 32))
  }

  async submit<C extends Capability>(submission: Submission<C>): Promise<Task> {
    try {
      return await this.#deps.tasks.submit(submissionOf(this.#deps, this.#family, this.#call, submission))
    } catch (error) {
      throw this.#inCallersWords(error)
    }
  }

  notFollowed<C extends TaskCapability>(capability: C, request: RequestOf<C>): readonly FieldName[] {
    return notFollowed(this.#deps, this.#call, capability, request)
  }

  async *run<C extends TaskCapability>(submission: Submission<C>): AsyncIterable<InlinePart<C>> {
    try {
      yield* this.#deps.runs.run(submissionOf(this.#deps, this.#family, this.#call, submission), this.signal)
    } catch (error) {
      throw this.#inCallersWords(error)
    }
  }

  begunOutputs({ id }: Pick<Task, 'id'>): readonly number[] {
    return this.#deps.early.begun(id)
  }

  outputSoFar({ id }: Pick<Task, 'id'>, index: number): AsyncIterable<Uint8Array> | undefined {
    return this.#deps.early.read(id, index, this.signal)
  }

  get files(): Files {
    const { key, endpoint } = this.#call
    return accountFiles(this.#deps, { accountId: key.accountId, family: this.#family.id, endpoint: endpoint.name })
  }

  task(id: string): Promise<Task> {
    const { key, isLinked } = this.#call
    // Whoever has a link to the task may see it.
    const accountId = isLinked ? undefined : key.accountId
    return ownTask(this.#deps, { id, accountId, endpoint: this.endpoint, family: this.#family })
  }

  anyTask(id: string): Promise<Task> {
    return keysTask(this.#deps, this.#call.key, id)
  }

  tasks(filter: TaskListing): Promise<Task[]> {
    const { accountId, scopes } = this.#call.key
    return this.#deps.store.list({ ...filter, accountId, scopes })
  }

  async taskUsage(id: string): Promise<{ currency: string; lines: UsageLine[] }> {
    return { currency: this.#deps.currency(), lines: await this.#deps.store.taskUsage(id) }
  }

  async cancelTask(id: string): Promise<Task> {
    const task = await this.task(id)
    await this.#deps.tasks.cancel(task.id)
    return this.task(id)
  }

  async removeTask(id: string): Promise<void> {
    const task = await this.task(id)
    await this.#deps.tasks.remove(task.id)
  }

  warn(says: string, field?: FieldName): void {
    this.#call.warnings.push(field === undefined ? says : `${nameIn(this.#family.fieldNames ?? {}, field)}: ${says}`)
  }

  setHeader(name: string, value: string): void {
    this.#call.headers[name] = value
  }

  signedUrl(operation: string, params: Readonly<Record<string, string>>, lifetimeMs: number): string {
    const declared = this.#family.operations[operation]
    if (declared?.access !== 'signed') throw new TypeError(`${this.#family.id} has no signed operation ${operation}`)
    const acts = declared.actsFor === undefined ? {} : { [declared.actsFor]: this.#call.key.id }
    const given: Record<string, string> = { endpoint: this.endpoint, ...acts, ...params }
    const path = declared.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name] ?? ''))
    return this.publicUrl + this.#deps.links.signPath(path, this.#deps.clock.now() + lifetimeMs)
  }

  publicId(task: Pick<Task, 'id' | 'model'>): string {
    const { taskNames, taskPrefix = '' } = this.#family
    return taskNames?.nameOf(task) ?? `${taskPrefix}${task.id}`
  }

  section<Section>(name: string): Section | undefined {
    // What stands there was checked by the very schema that the family gives the section.
    return this.#deps.section(name) as Section | undefined
  }

  async *respond(request: TextRequest): AsyncIterable<TextRunEvent> {
    try {
      // Not yield*: that costs more than the event itself.
      for await (const event of respond(this.#deps, this.#call, request)) yield event
    } catch (error) {
      throw this.#inCallersWords(error)
    }
  }

  voices(): readonly OwnVoice[] {
    return this.#deps.voices
  }

  targetVoices(): TargetVoice[] {
    return targetVoices(this.#deps, this.#call)
  }

  get templates(): CallContext['templates'] {
    return slideTemplates(this.#deps, this.#call)
  }

  now(): number {
    return this.#deps.clock.now()
  }

  models(): ModelSummary[] {
    return modelsOf(this.#deps, this.#call)
  }

  familyIds(): string[] {
    return this.#deps.families.map(({ family }) => family.id)
  }

  modelNamed(name: string): ModelSummary | undefined {
    return summaryNamed(this.#deps, this.#call, name)
  }

  usage(range: { from?: string; to?: string }): Promise<KeyUsage> {
    return usageOf(this.#deps, this.#call.key, range)
  }

  /** Targets name the fields of the neutral request. */
  #inCallersWords(error: unknown): unknown {
    return error instanceof GatewayError ? errorIn(this.#family.fieldNames ?? {}, error) : error
  }
}

async function* respond(deps: HttpDeps, call: Call, request: TextRequest): AsyncGenerator<TextRunEvent> {
  if (!call.model) throw new TypeError('this operation does not choose a model')
  const routes = call.routes ?? deps.router.callRoutes(call.model, 'text.respond')
  const id = `${call.requestId}${call.runs.length === 0 ? '' : `-${call.runs.length}`}`
  const run: Run = { inputTokens: expectedTokens('neutral', request).inputTokens, said: 0, isSent: false }
  call.runs.push(run)
  // With the turns it continues, a conversation is longer than its body.
  if (call.expected) call.expected.inputTokens = Math.max(call.expected.inputTokens, run.inputTokens)
  await holdCall(deps, call)
  let limit = firstRecordAt(call)
  const conversation = {
    id,
    account: call.key.accountId,
    request: passedOn(call, request),
    routes,
    signal: call.signal(),
    onSent: (isAtWork: boolean) => (run.isSent = isAtWork),
  }
  const check = createCallCheck(request.tools)
  for await (const event of deps.calls.respond(conversation)) {
    if (event.type === 'finish') {
      call.target = event.route.target.id
      run.usage = event.result.usage
    } else if ('delta' in event) {
      run.said += tokensIn(event.delta)
      if (run.said >= limit) limit = recordSaid(deps, call, { run, said: run.said })
    }
    if (event.type !== 'finish') check.add(event)
    yield event
  }
  // A stream has begun already, and has no place to tell it.
  if (!call.isAnswered) call.warnings.push(...(await check.misfits()))
}

/** The request with the count of gateways, for an upstream that may be one. */
function passedOn<Request extends object>({ hops }: Call, request: Request): Request {
  return hops === 0 ? request : { ...request, hops }
}

/** Links for a presenter, absolute from the given origin. */
export function taskView(deps: Pick<HttpDeps, 'links' | 'clock'>, publicUrl: string): TaskView {
  return {
    publicUrl,
    link: (artifact, lifetimeMs) => linkTo(deps, publicUrl, { artifact, lifetimeMs }),
  }
}

function linkTo(
  deps: Pick<HttpDeps, 'links' | 'clock'>,
  publicUrl: string,
  { artifact, lifetimeMs }: { artifact: Artifact; lifetimeMs: number },
): string {
  return publicUrl + deps.links.sign(artifact.id, deps.clock.now() + lifetimeMs)
}

/** Which task is meant: `id` as the caller wrote it; without an account it is anybody's. */
export interface WantedTask {
  id: string
  accountId: string | undefined
  endpoint: string
  family: Family
}

/** A task of this account, endpoint and family. Anything else is the same `task_not_found`. */
export async function ownTask(deps: HttpDeps, wanted: WantedTask): Promise<Task> {
  const { id, accountId, family } = wanted
  const ownId = idIn(family, id)
  const task = ownId === undefined ? undefined : await deps.tasks.get(ownId)
  if (task && isWanted(task, wanted)) return task
  const referenced = accountId !== undefined && takesReference(family) ? await deps.store.getByReference(accountId, id) : undefined
  if (referenced && isWanted(referenced, wanted)) return referenced
  throw noTask(id, ' at this endpoint')
}

/** The id of a task, of the name that a caller gives; undefined for none of the family's. */
function idIn({ taskNames, taskPrefix = '' }: Family, name: string): string | undefined {
  if (taskNames) return taskNames.idOf(name)
  return name.startsWith(taskPrefix) ? name.slice(taskPrefix.length) : undefined
}

function isWanted(task: Task, { accountId, endpoint, family }: WantedTask): boolean {
  if (isRemoved(task)) return false
  return (accountId === undefined || task.accountId === accountId) && task.endpoint === endpoint && task.family === family.id
}

const referencing = new WeakMap<Family, boolean>()

/** Whether some operation of the family finds a task by the caller's own reference. */
function takesReference(family: Family): boolean {
  const known = referencing.get(family)
  if (known !== undefined) return known
  const takes = Object.values(family.operations).some(({ readsTask }) => readsTask?.orReference === true)
  referencing.set(family, takes)
  return takes
}

/** A task of the key's account that its scopes let it see. Anything else is the same `task_not_found`. */
export async function keysTask(deps: HttpDeps, { accountId, scopes }: AccessKey, id: string): Promise<Task> {
  const task = await deps.tasks.get(id)
  const isSeen =
    task?.accountId === accountId &&
    !isRemoved(task) &&
    isInScope(scopes, 'families', task.family) &&
    isInScope(scopes, 'endpoints', task.endpoint) &&
    isInScope(scopes, 'models', task.model)
  if (isSeen) return task
  throw noTask(id, '')
}

function noTask(id: string, where: string): GatewayError {
  return new GatewayError('task_not_found', `There is no task ${JSON.stringify(id.slice(0, 64))}${where}.`, { subject: id })
}

function submissionOf<C extends Capability>(
  deps: HttpDeps,
  family: Family,
  call: Call,
  { webhookField = 'webhook_url', ...submission }: Submission<C>,
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
    request: passedOn(call, submission.request),
    inputs: (submission.inputs ?? []).map(withoutName),
  }
  if (call.traceparent !== undefined) task.traceparent = call.traceparent
  const { limits, accountLimits } = call.key
  if (limits?.concurrentTasks !== undefined) task.concurrencyLimit = limits.concurrentTasks
  if (accountLimits?.concurrentTasks !== undefined) task.accountConcurrencyLimit = accountLimits.concurrentTasks
  // It keeps a hash of the body.
  const isPrivate = 'isPrivate' in submission.request && submission.request.isPrivate === true
  if (call.idempotencyKey !== undefined && !isPrivate) {
    task.idempotency = {
      key: call.idempotencyKey,
      bodySha256: requestFingerprint(`${call.operation} ${call.endpoint.name}${call.beside ?? ''}`, call.body.bodySha256 ?? ''),
    }
  }
  return task
}

/** A task does not keep what its caller calls his files. */
function withoutName(input: CallFile | OwnFile): CallFile | OwnFile {
  if (!('name' in input)) return input
  const { name: _name, ...unnamed } = input
  return unnamed
}

/** What an idempotent repeat is compared by: where it was sent, with what is asked there, and the bytes of its body. */
function requestFingerprint(place: string, bodySha256: string): string {
  return hash('sha256', `${place}\n${bodySha256}`, 'hex')
}
