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
  /** Set when the input is an output of the same account: the `detail` that its driver returned
   *  (the scene graph of a picture), and the index of the output, from 0. */
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
  /** Task id, or request id for a call; sent as idempotency key to upstreams that support one. */
  id: string
  /** The account of the job: engines divide their time between accounts
   *  (`kit/process/fair-queue.ts`). Never sent anywhere. Absent when the driver runs without a
   *  gateway. */
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
  /** Aborts when `signal` does, except during the start of a polled generation: there it aborts as
   *  soon as the job is to stop, and `signal` only after a grace time in which the start may still
   *  return its handle. A paid request that is not sent as a whole by then must not be sent. Absent
   *  outside of such a start. */
  stop?: AbortSignal
  /** Reports progress, 0 to 1; stored at most once a second. */
  progress(fraction: number): void
  /** Reports that the target ignores a field of the request, or follows it in another way. `says`
   *  completes a sentence that begins with the field's name. A driver must call it before its first
   *  event. Absent when no caller waits for the answer. */
  warn?(field: FieldName | OwnFields, says: string): void
  /** Must be called before the conversation of the job is sent to its model once more, while the
   *  first answer is being read; `added` is the number of input tokens by which the further request
   *  is longer. Resolves when the request may be sent; from then on it counts as used. Rejects with
   *  the signal's reason. Absent when nobody counts the requests of the run. */
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
  /** Must be called when the request has ended, with its usage, which the outcome of the job
   *  contains as well; undefined when the target has not accepted the request. Without this call,
   *  the expected usage of the request counts. */
  ended(usage: TextUsage | undefined): void
}

/** Runs a part of a job on another model: text for slides, a picture for a cover. Resolves with the
 *  outcome of its driver (files in the job's scratch folder, text as `output` of the report) and
 *  the model's id; undefined when no model is available. The driver adds the part's usage to its
 *  own. Nothing is kept between runs: a resumed job runs its parts again. Throws the error of the
 *  model's last target, and `model_not_found` for a name that no model of the capability has. */
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

/** The reason why a target cannot serve a request: a sentence with field, value and limit. */
export interface Refusal {
  /** Neutral name of the field at fault. The sentence then begins with this name (`refusal`). */
  field?: FieldName
  message: string
}

/** Returns a refusal about one field; `says` continues the sentence after the field's name: `draws
 *  one picture per request, not 2.` */
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
  /** True when the upstream may charge for the job anyway, because it created something that cannot
   *  be delivered or used. */
  mayBeCharged?: true
  /** True when reading the file that the target delivered exceeded the limits of the inspection.
   *  The job then fails over to another target, even if the first one has charged for its work,
   *  because another file from it may exceed the limits as well. */
  isUnsafe?: true
  /** True when the upstream has given up the job for a reason that passes, such as too many jobs at
   *  a time, and does not charge for it. The job is then started anew, at another target or later,
   *  as after a thrown error with this code. */
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
  /** True when the job may be sent again, also to another target, at no cost. For any other
   *  offer, a mark is stored before the job is sent; after a crash, the gateway looks the job up
   *  at the upstream and never simply sends it again. `defineEngine` sets this for each offer of
   *  an engine. */
  isRepeatable?: true
  /** Extras of the capability (`CapabilityFacts.extras`) that the target supports. A request with
   *  another extra is refused, or answered with a note about it. */
  follows?: readonly (keyof Request)[]
  /** Returns the reason why this target cannot serve this request; undefined when it can. Called at
   *  submit and again before the job runs, so that nothing is spent on such a request. */
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
  /** A part of the stream. `file` is an output that is finished before the rest: the task receives
   *  it immediately, and the outcome does not list it again. */
  { type: 'file'; file: OutputFile } | { type: 'event'; event: Event } | { type: 'outcome'; outcome: Outcome }

/** A job that an upstream has accepted, with the handle (plain JSON) by which it is polled. */
export interface Started {
  state: 'started'
  handle: JsonObject
}

/** An offer that is started once and then polled until it is done. The handle is saved before the
 *  first poll, so that polling resumes after a restart. */
export interface PolledOffer<Request, Event = never> extends OfferFacts<Request> {
  kind: 'polled'
  pollEveryMs: number
  /** Number of polls of one target per second and node, for all its jobs together; 20 when
   *  absent. */
  pollsPerSecond?: number
  /** Starts the job. Resolves with its handle as plain JSON; or with the outcome when the job ends
   *  immediately: refused, or answered without a task. */
  start(job: Job<Request>): Promise<Started | Outcome>
  check(job: Job<Request>, handle: JsonObject): Promise<Running | Outcome>
  /** Streams the job's events from its beginning, separate from the polls. Called once per run,
   *  after a poll has reported `hasEvents`. A thrown error ends the events, not the job. Obeys
   *  `job.signal`. */
  events?(job: Job<Request>, handle: JsonObject): AsyncIterable<Event>
  /** True when the upstream recognizes by the job's id that a start is repeated. A start with an
   *  unknown outcome is then sent to this upstream again, and never to another target. */
  isIdempotent?: true
  /** Looks up a start of unknown outcome by the job's id; returns `absent` when the upstream surely
   *  does not have it. Throws when this cannot be found out at present. */
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
  /** The queue of the driver's jobs. `slots` is the number of jobs that one node runs at a time,
   *  and `accountSlots` the number of these slots that one account may use; all when absent.
   *  Engines set `accountSlots`, so that a slot stays free for other accounts. With
   *  `isPerTarget`, each target has a queue of its own with these slots, named
   *  `<name>/<target id>`. */
  queue: { name: string; slots: number; accountSlots?: number; isPerTarget?: true }
  offers: Offers
  /** One relay for each protocol that the driver's upstream speaks natively, so that a caller's
   *  bytes can be forwarded unchanged. */
  relays?: { [P in RelayProtocol]?: RelayOffer }
  /** Returns the number of tokens that the target's own tokenizer counts in the conversation,
   *  its tools and its format; undefined when the target cannot count. Nothing is charged for
   *  it. Throws `invalid_request` and `context_length_exceeded` for a conversation that the
   *  target would refuse, and the upstream's errors. */
  countInput?(counting: InputCounting): Promise<number | undefined>
  /** Returns templates of a service that renders slides, one page at a time; the service's own name
   *  of a template is its id. Engines declare theirs (`EngineSpec.templates`). Throws the
   *  upstream's errors. */
  templates?(requested: TemplateListRequest): Promise<TemplatePage>
  /** Returns the voices in a target's settings, each with the service's own name of it. Engines
   *  declare theirs (`EngineSpec.voices`). */
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
