/** Types of the work that a driver or engine receives and of the outcome that it returns. The types
 *  are the same for tasks, calls and streams. */
import type { ErrorCode } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { Capability, EventOf, RequestOf, StreamedCapability } from './capabilities.ts'
import type { FileFacts, InputFacts, OwnFields, UsageUnits } from './capability.ts'
import { about, type FieldName } from './field-names.ts'
import type { RelayOffer } from './relay.ts'
import type { TemplateListRequest, TemplatePage } from './slide-templates.ts'
import type { TextUsage } from './text.ts'
import type { RelayProtocol } from './text-protocol.ts'

/** A file that a driver may read: a local path on the gateway's disk, owned by the blob store.
 *  Drivers must not write to it. */
export interface InputFile extends InputFacts {
  path: string
  /** Set when the input is an output of an earlier job of the same account. `detail` is what the
   *  driver returned with that output (such as the scene graph of a picture); `index` is the index
   *  of the output, from 0. */
  origin?: { detail: JsonObject; index: number }
}

/** A finished file in the driver's scratch folder; the worker moves it into the blob store. */
export interface OutputFile extends Omit<FileFacts, 'bytes'> {
  path: string
  /** Name of the output in the capability; `output` when absent, for capabilities with one kind of
   *  output. */
  role?: string
}

export interface Job<Request> {
  /** Id of the task, or of the request for a call. Drivers send it as an idempotency key to
   *  upstreams that support one. */
  id: string
  /** The account of the job, among others to which engines divide their time fairly
   *  (`kit/process/fair-queue.ts`). Never sent to an upstream. Absent when the driver runs without
   *  a gateway. */
  account?: string | undefined
  /** Id of the access key of the job's caller, for checks and logs within the gateway. Never
   *  sent to an upstream. Absent when the driver runs without a gateway. */
  key?: string | undefined
  request: Request
  inputs: readonly InputFile[]
  /** Folder for temporary and output files; removed after the job. */
  scratch: string
  /** The upstream's own name of the model. */
  model: string
  /** Validated settings of the target. */
  settings: JsonObject
  /** Number of the try; 1 for the first. */
  attempt: number
  /** Signal that aborts when the task is cancelled, its deadline passes or the caller
   *  disconnects. */
  signal: AbortSignal
  /** Set only during the start of a polled generation. It aborts as soon as the job should stop;
   *  then `signal` aborts after a grace time, in which the start may still return its handle. A
   *  paid request that has not been sent completely when this signal aborts must not be sent any
   *  more. */
  stop?: AbortSignal
  /** Reports progress, 0 to 1; stored at most once a second. */
  progress(fraction: number): void
  /** Reports that the target ignores a field of the request, or applies it only in part. `says` is
   *  the end of a sentence that begins with the field's name. A driver must call it before its
   *  first event. Absent when no caller waits for the answer. */
  warn?(field: FieldName | OwnFields, says: string): void
  /** A driver must call this before it sends the conversation to the model again while it still
   *  reads the first answer. `added` is the number of input tokens by which the new request is
   *  longer than the first one. Resolves when the request may be sent, and counts it as used.
   *  Rejects with the signal's reason. Absent when the requests of the run are not counted. */
  again?(added: number): Promise<FurtherRequest>
  /** URL that the upstream may call when the job's state has changed; the call only triggers a
   *  poll. Absent when the gateway has no public address. */
  wakeUrl?: string
  /** Runs a part of the job on other models of the gateway; absent when the driver runs without a
   *  gateway. */
  subRequest?: RunSubRequest
}

/** A further request of a running job to its model (`Job.again`). */
export interface FurtherRequest {
  /** Must be called when the model has begun to answer the request, and when it has ended. */
  begun(): void
  /** Must be called when the request has ended, with its usage; undefined when the target has not
   *  accepted the request. The outcome of the job must contain this usage as well. Without this
   *  call, the expected usage of the request is counted. */
  ended(usage: TextUsage | undefined): void
}

/** Runs a part of a job on another model, such as text for slides or a picture for a cover.
 *  Resolves with the outcome of that model's driver and the model's id, or with undefined when no
 *  model is available. Files of the outcome are in the job's scratch folder; a text is `output` of
 *  the report. The calling driver adds the usage of the part to its own. Results are not stored, so
 *  a resumed job runs its parts again. Throws the error of the model's last target, and
 *  `model_not_found` for a name that no model of the capability has. */
export type RunSubRequest = <C extends Capability>(requested: SubRequest<C>) => Promise<(Done & { model: string }) | undefined>

export interface SubRequest<C extends Capability> {
  capability: C
  request: RequestOf<C>
  /** A model by its id; or the first usable one that an operator has configured (`configured`), or
   *  that an engine serves free of charge (`built-in`). */
  model: { id: string } | 'configured' | 'built-in'
  /** Signal that ends the part, possibly before the job's own signal does. */
  signal?: AbortSignal
}

/** The facts about a job that are known before it runs. */
export interface JobFacts<Request> extends Pick<Job<Request>, 'request' | 'model' | 'settings'> {
  inputs: readonly InputFacts[]
}

/** The reason why a target cannot serve a request: a sentence that states field, value and
 *  limit. */
export interface Refusal {
  /** Neutral name of the field at fault. The sentence then begins with this name (`refusal`). */
  field?: FieldName
  message: string
}

/** Returns a refusal about one field. `says` is the rest of the sentence after the field's name,
 *  such as `draws one picture per request, not 2.` */
export function refusal(field: FieldName, says: string): Required<Refusal> {
  return { field, message: about(field, says) }
}

export interface Done {
  state: 'done'
  files: OutputFile[]
  /** Report with the capability's result type (`kit/requests`). */
  report: JsonObject
  /** Large data that are stored with the task but not shown in its result (a scene graph). */
  detail?: JsonObject
  usage: UsageUnits[]
}

/** An expected refusal or failure: stored with the task, shown to the caller and, except with
 *  `isUnsafe` and `isTemporary`, never retried. Unexpected errors are thrown. */
export interface Failed {
  state: 'failed'
  code: ErrorCode
  message: string
  reasons?: string[]
  /** True when the upstream may charge for the job although it failed, because the upstream created
   *  something that cannot be delivered or used. */
  mayBeCharged?: true
  /** True when the file that the target delivered takes more than the limits of the inspection to
   *  read. The job then fails over to another target, even if the first one has charged for its
   *  work, because a second file from it could exceed the limits as well. */
  isUnsafe?: true
  /** True when the upstream gave up the job for a temporary reason, such as too many jobs at a
   *  time, and does not charge for it. The job is then started again, at another target or
   *  later. */
  isTemporary?: true
}

export interface Running {
  state: 'running'
  /** Progress, 0 to 1. */
  progress?: number
  /** Milliseconds until the next poll; the offer's own interval when absent. */
  checkAfterMs?: number
  /** True when the upstream has events to read: see `PolledOffer.events`. */
  hasEvents?: true
}

export type Outcome = Done | Failed

/** Facts that offers of every kind declare. */
export interface OfferFacts<Request> {
  /** True when sending the job again, also to another target, costs nothing. For all other offers,
   *  the gateway stores a mark before it sends the job. After a crash it looks the job up at the
   *  upstream and does not send it again. `defineEngine` sets this for each offer of an engine. */
  isRepeatable?: true
  /** Extras of the capability (`CapabilityFacts.extras`) that the target supports. A request with
   *  other extras is refused, or its answer states that they were ignored. */
  follows?: readonly (keyof Request)[]
  /** Returns the reason why this target cannot serve this request; undefined when it can. Called
   *  when the request is submitted, and again before the job runs, so that no paid work begins for
   *  a request that the target would refuse. */
  refuses?(jobFacts: JobFacts<Request>): Refusal | undefined
}

/** An offer that returns its whole answer at once. */
export interface OnceOffer<Request> extends OfferFacts<Request> {
  kind: 'once'
  run(job: Job<Request>): Promise<Outcome>
}

/** An offer that streams its answer; the last event contains the outcome. */
export interface StreamedOffer<Request, Event = never> extends OfferFacts<Request> {
  kind: 'streamed'
  /** Runs the job. An error thrown before the first event allows failover to the next target. */
  run(job: Job<Request>): AsyncIterable<StreamEvent<Event>>
}
export type StreamEvent<Event = never> =
  /** A part of the stream. `file` is an output that is finished before the others: it is added to
   *  the task immediately, and the outcome does not contain it. */
  { type: 'file'; file: OutputFile } | { type: 'event'; event: Event } | { type: 'outcome'; outcome: Outcome }

/** A job that an upstream has accepted. The handle (plain JSON) identifies the job in later
 *  polls. */
export interface Started {
  state: 'started'
  handle: JsonObject
}

/** An offer that is started once and then polled until it is done. The handle is saved before the
 *  first poll, so that polling resumes after a restart. */
export interface PolledOffer<Request, Event = never> extends OfferFacts<Request> {
  kind: 'polled'
  pollEveryMs: number
  /** Largest number of polls per second that one node sends to one target, for all its jobs
   *  together; 20 when absent. */
  pollsPerSecond?: number
  /** Starts the job. Resolves with its handle as plain JSON; or with the outcome when the job ends
   *  immediately: refused, or answered without a task. */
  start(job: Job<Request>): Promise<Started | Outcome>
  check(job: Job<Request>, handle: JsonObject): Promise<Running | Outcome>
  /** Streams the job's events from its beginning, independently of the polls. Called once per run,
   *  after a poll has reported `hasEvents`. A thrown error ends the events, not the job. Must stop
   *  when `job.signal` aborts. */
  events?(job: Job<Request>, handle: JsonObject): AsyncIterable<Event>
  /** True when the upstream recognizes by the job's id that the same job is started twice. When the
   *  outcome of a start is unknown, the start is then sent again to this upstream, and never to
   *  another target. */
  isIdempotent?: true
  /** Looks up, by the job's id, a job whose start had an unknown outcome. Returns `absent` when the
   *  upstream certainly does not have it. Throws when this cannot be determined at present. */
  find?(job: Job<Request>): Promise<Started | { state: 'absent' }>
  /** Cancels the job. Resolves once the upstream has stopped and will not charge for it; throws
   *  otherwise. */
  cancel?(job: Job<Request>, handle: JsonObject): Promise<void>
}

export type Offer<Request, Event = never> = OnceOffer<Request> | StreamedOffer<Request, Event> | PolledOffer<Request, Event>
export type Offers = {
  [C in Capability]?: C extends StreamedCapability ? StreamedOffer<RequestOf<C>, EventOf<C>> : Offer<RequestOf<C>, EventOf<C>>
}

/** A conversation whose input tokens are to be counted, and the target that counts them. */
export type InputCounting = Pick<Job<RequestOf<'text.respond'>>, 'id' | 'account' | 'key' | 'request' | 'model' | 'settings' | 'signal'>

/** A driver or engine as the core uses it. */
export interface Driver {
  id: string
  title: string
  /** The queue of the driver's jobs. `slots` is the number of jobs that one node runs at a time.
   *  `accountSlots` is the number of these slots that one account may use; all when absent. Engines
   *  set it, so that a slot stays free for other accounts. With `isPerTarget`, each target has its
   *  own queue with these slots, named `<name>/<target id>`. */
  queue: { name: string; slots: number; accountSlots?: number; isPerTarget?: true }
  offers: Offers
  /** Relays, which forward a caller's bytes unchanged: one for each protocol that the driver's
   *  upstream itself speaks. */
  relays?: { [P in RelayProtocol]?: RelayOffer }
  /** Returns the number of tokens that the target's own tokenizer counts in the conversation,
   *  its tools and its format; undefined when the target cannot count. Nothing is charged for
   *  it. Throws `invalid_request` and `context_length_exceeded` for a conversation that the
   *  target would refuse, and the upstream's errors. */
  countInput?(counting: InputCounting): Promise<number | undefined>
  /** Returns one page of the templates of a service that renders slides. The id of each template is
   *  the name that the service uses for it. Engines list theirs in `EngineSpec.templates`. Throws
   *  the upstream's errors. */
  templates?(requested: TemplateListRequest): Promise<TemplatePage>
  /** Returns the voices in a target's settings, each with the name that the service uses for it.
   *  Engines list theirs in `EngineSpec.voices`. */
  voices?(settings: JsonObject): Readonly<Record<string, string>>
  /** Returns the reason why the driver cannot be used now, as a sentence that says how to enable
   *  it; undefined when it can. */
  unusable?(settings: JsonObject, model: string): string | undefined
  /** Loads these models and keeps them loaded, in place of those of the previous call. Returns
   *  before they are loaded. */
  hold?(targets: readonly { model: string; settings: JsonObject }[]): void
  /** Stops the driver's processes. */
  close?(): Promise<void>
}
