import { GatewayError, NotServedError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability, EventOf } from '@generation-gateway/kit/requests/capabilities.ts'
import { capabilities } from '@generation-gateway/kit/requests/capabilities.ts'
import type { CapabilityFacts, OutputPreview } from '@generation-gateway/kit/requests/capability.ts'
import { TextOutput } from '@generation-gateway/kit/requests/conversation/text-output.ts'
import { expectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import { extrasNotFollowed } from '@generation-gateway/kit/requests/extras.ts'
import type { Done, Driver, FurtherRequest, Job, Offer, Outcome, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { noUsage, type TextEvent } from '@generation-gateway/kit/requests/text.ts'
import { tokensIn } from '@generation-gateway/kit/requests/token-estimate.ts'
import type { Claim, SentMark } from '../ports/store.ts'
import { mayHaveBeenAccepted, type Route } from '../routing/router.ts'
import { TargetUse } from '../routing/try-targets.ts'
import type { EarlyWriter } from './early-outputs.ts'
import { execute, type RunKeeper } from './execute.ts'
import { adoptOutputs } from './outputs.ts'
import { isPrivate } from './private-requests.ts'
import type { RunFate } from './run-fate.ts'
import type { WorkerDeps } from './worker-deps.ts'

export interface Run {
  deps: WorkerDeps
  claim: Claim
  fate: RunFate
  signal: AbortSignal
  /** The job without a model and settings. The model and the settings are added for each target
   *  that is tried. */
  job: Job<JsonObject>
  /** True when a target has begun to answer, with its first text or file. From then on no other
   *  target is tried, so that a task never mixes the outputs of two targets. */
  hasBegun: boolean
  /** True while the row of the job contains a mark (`SentMark`). */
  isMarked: boolean
  /** Writes the outputs of the run while they are produced, so that callers can stream them;
   *  present once there is an output. */
  early?: EarlyWriter
}

type AnyEvent = EventOf<Capability>
type AnyOffer = Offer<JsonObject, AnyEvent>

/** Runs the job on one target, and reports the outcome to the circuit breaker of this target. */
export async function runOn(run: Run, use: TargetUse): Promise<Outcome> {
  const { claim, fate, signal } = run
  return use.run({ account: claim.task.accountId, signal }, async () => {
    try {
      const outcome = await executeOn(run, use)
      if (outcome.state === 'done') use.succeeded()
      else {
        // The target itself has reported the failure and that it charges nothing more.
        if (!outcome.mayBeCharged) fate.sent = undefined
        use.failed(new GatewayError(outcome.code, outcome.message))
      }
      return outcome
    } catch (error) {
      if (isInDoubt(fate) && !mayHaveBeenAccepted(toGatewayError(error))) fate.sent = undefined
      throw error
    }
  })
}

/** Runs the job, like `runOn`, on the target to which an earlier run has already sent it. The
 *  generation is already in progress, so neither the limit of the target nor its circuit breaker
 *  matters. */
export async function runAt(run: Run, route: Route): Promise<Outcome> {
  using use = new TargetUse(route, run.deps.router)
  return await runOn(run, use)
}

async function executeOn(run: Run, use: TargetUse): Promise<Outcome> {
  const { fate } = run
  const { capability } = run.claim.task
  const { route } = use
  const offer = offerOf(run, route)
  const text = capability === 'text.respond' ? new TextOutput() : undefined
  const keeper = keeperOf(run, use, text)
  const job = jobOn(run, route)
  if (!fate.sent && !offer.isRepeatable && capabilities[capability].failover === 'paid') await markSending(run, route, offer)
  const outcome = await execute(offer, job, keeper)
  if (outcome.state === 'failed') return outcome
  return { ...outcome, report: { ...outcome.report, ...(text ? { output: text.items() } : {}), ...leftOut(run, offer, outcome) } }
}

function keeperOf(run: Run, use: TargetUse, text: TextOutput | undefined): RunKeeper {
  const { deps, claim, fate } = run
  const taskId = claim.task.id
  return {
    handle: fate.sent?.handle,
    saveHandle: async handle => {
      use.succeeded()
      return save(run, { ...markOf(use.route), handle })
    },
    onPart: part => {
      run.hasBegun = true
      return part.type === 'event' ? takeEvent(run, part.event, text) : undefined
    },
    onTellingBroken: async error => {
      if (!run.signal.aborted) deps.log.warn({ err: error, taskId }, 'what the upstream told broke off')
      await run.early?.close()
    },
    addFile: file => addFile(run, file),
    onStopped: () => {
      fate.sent = undefined
    },
    onCancelFailed: error => deps.log.warn({ err: error, taskId }, 'the upstream could not be told to stop'),
    polls: deps.polls,
    targetId: use.route.target.id,
  }
}

/** Counts an event of the run and forwards it to the waiting callers. Returns a promise while a
 *  caller is too slow; the run waits for it. */
function takeEvent(run: Run, event: AnyEvent, text: TextOutput | undefined): Promise<void> | undefined {
  const { deps, claim, fate } = run
  const { id, capability } = claim.task
  const preview = lookIn(capability, event)
  // Events that the caller does not receive are not charged.
  const isHeard = deps.hears?.(id) ?? true
  if (preview && isHeard) fate.looks.set(preview.index, preview)
  else if (isHeard) fate.hasTold = true
  // The cast is safe: `text` is set only for conversations, whose events are text events.
  text?.add(event as TextEvent)
  if ('delta' in event) fate.said += tokensIn(event.delta)
  const kept = tellEarly(run, event)
  const reported = deps.tell?.(id, { type: 'event', event, isPreview: preview !== undefined })
  return kept && reported ? Promise.all([kept, reported]).then(() => {}) : (kept ?? reported)
}

/** Returns the member `notFollowed` of the final report: the request fields that the target itself
 *  has reported as ignored, and those extra fields that its offer ignores. When the offer ignores
 *  no extra field, returns an empty object, so that the target's own report stays unchanged. */
function leftOut({ claim: { task }, job }: Run, offer: AnyOffer, { report: { notFollowed = [] } }: Done): JsonObject {
  const extras = extrasNotFollowed(task.capability, offer, job.request)
  return extras.length > 0 && Array.isArray(notFollowed) ? { notFollowed: [...notFollowed, ...extras] } : {}
}

/** Saves a mark before a paid submit is sent. After a crash, the mark shows that the submit may
 *  have been sent, so that the gateway does not simply send it again (`findLost`). */
async function markSending(run: Run, route: Route, offer: AnyOffer): Promise<void> {
  if (!(await save(run, markOf(route)))) throw new GatewayError('conflict', 'The lease was lost before the start.')
  run.fate.isFindable = isFindable(offer)
  // The task was cancelled while the mark was saved. Nothing has been sent yet.
  if (!run.signal.aborted) return
  run.fate.sent = undefined
  run.signal.throwIfAborted()
}

function markOf({ driver, target }: Route): SentMark {
  return { driver: driver.id, target: target.id, model: target.model, settings: target.settings }
}

/** Saves the mark (`SentMark`) in the row of the job; false when the lease is lost. */
export async function save(run: Run, mark: SentMark): Promise<boolean> {
  const { deps, claim, fate } = run
  const isSaved = await deps.store.sent(claim.task.id, claim.token, mark, deps.clock.now())
  if (!isSaved) return false
  fate.sent = mark
  run.isMarked = true
  return true
}

export function jobOn({ job, fate }: Run, { target: { model, settings } }: Route): Job<JsonObject> {
  return { ...job, model, settings, again: async added => beginFurther(fate, job.request, added) }
}

/** Counts a further request of a conversation, which is sent with `added` more input tokens than
 *  the request of the task. */
function beginFurther(fate: RunFate, request: JsonObject, added: number): FurtherRequest {
  const further = { usage: { ...noUsage, inputTokens: expectedTokens('neutral', request).inputTokens + added } }
  // The added input is text that the model has written. It is counted as output here, because
  // perhaps no event contained it.
  fate.said += added
  fate.further.push(further)
  return {
    begun: () => {},
    ended: (usage = noUsage) => {
      further.usage = usage
    },
  }
}

export function offerOf({ claim: { task } }: Run, { driver, target }: Route): AnyOffer {
  // The cast is safe: the family made the stored request for this capability.
  const offer = driver.offers[task.capability as keyof typeof driver.offers] as AnyOffer | undefined
  if (offer) return offer
  throw new NotServedError('capability_unavailable', `${target.id} does not offer ${task.capability}.`)
}

/** Makes a file an output of the task while the run is still in progress. Throws `conflict` when
 *  the lease is lost. */
async function addFile(run: Run, file: OutputFile): Promise<void> {
  const { deps, claim, job } = run
  if (isPrivate(job.request)) return
  const added = await adoptOutputs(deps, claim.task, { files: [file], from: run.fate.given.length, signal: run.signal })
  if (!(await deps.store.addOutputs(claim.task.id, claim.token, added, deps.clock.now())))
    throw new GatewayError('conflict', 'The lease was lost.')
  run.fate.given.push(...added.map(({ artifact }) => artifact))
  for (const { artifact } of added) await deps.tell?.(claim.task.id, { type: 'file', artifact })
}

/** Appends the bytes in an event to the output that callers stream while it is produced, if the
 *  request allows this. */
function tellEarly(run: Run, event: AnyEvent): Promise<void> | undefined {
  const { deps, claim, job } = run
  // The cast is safe: the look-up returns the entry of this task's capability, but its type is the
  // union of all entries.
  const { early } = capabilities[claim.task.capability] as CapabilityFacts<JsonObject, unknown, AnyEvent>
  const part = early?.isWanted(job.request) ? early.partOf(event) : undefined
  if (!part || !deps.early) return undefined
  run.early ??= deps.early.open(claim.task.id)
  return run.early.put(part.index, part.bytes)
}

function lookIn(name: Capability, event: AnyEvent): OutputPreview | undefined {
  // The cast is safe: `name` is the capability of the event, but the type of the look-up is the
  // union of all entries.
  const { previewOf } = capabilities[name] as CapabilityFacts<never, unknown, AnyEvent>
  return previewOf?.(event)
}

export function isFindable(offer: AnyOffer | Driver['offers'][Capability]): boolean {
  return offer?.kind === 'polled' && (offer.find !== undefined || offer.isIdempotent === true)
}

/** True when the generation was sent but no handle came back, so it is unknown whether the upstream
 *  has accepted it. */
export function isInDoubt({ sent }: RunFate): boolean {
  return sent !== undefined && sent.handle === undefined
}
