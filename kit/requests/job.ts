/** What a driver or engine is given to do, and what it gives back: the same for tasks, calls and streams. */
import type { ErrorCode } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { Capability, EventOf, RequestOf, StreamedCapability } from './capabilities.ts'
import type { FileFacts, InputFacts, UsageUnits } from './capability.ts'
import { about, type FieldName } from './field-names.ts'
import type { RelayOffer } from './relay.ts'
import type { AskedTemplates, TemplatePage } from './slide-templates.ts'
import type { TextProtocol } from './text-protocol.ts'

/** A file a driver may read: a local path on the gateway's disk, owned by the blob store. Never write to it. */
export interface InputFile extends InputFacts {
  path: string
  /** When the input is an output of the account's own: the `detail` that its driver gave (the scene graph of a picture), and which of its outputs it is, from 0. */
  origin?: { detail: JsonObject; index: number }
}

/** A file a driver has finished writing into its scratch folder; the worker moves it into the blob store. */
export interface OutputFile extends Omit<FileFacts, 'bytes'> {
  path: string
  /** What the capability calls it; absent: `output`, of capabilities with one kind of output. */
  role?: string
}

export interface Job<Request> {
  /** Task id, or request id for a call: sent as idempotency key to upstreams that know one. */
  id: string
  /** The account whose job it is: engines share their time between accounts (`kit/process/fair-queue.ts`). Never sent anywhere. Absent where there is no gateway around the driver. */
  account?: string | undefined
  request: Request
  inputs: readonly InputFile[]
  /** Folder for temporary and output files; removed after the job. */
  scratch: string
  /** The upstream's own name of the model. */
  model: string
  /** Checked settings of the target. */
  settings: JsonObject
  /** 1 for the first try. */
  attempt: number
  /** Aborted when the task is cancelled, its deadline passes or the caller leaves. */
  signal: AbortSignal
  /** Reports 0 to 1; stored at most every few seconds. */
  progress(fraction: number): void
  /** Where the upstream may call when it has news of the job: a hint to look at it, nothing more. Absent while the gateway has no public address. */
  wakeUrl?: string
  /** Has other models of the gateway do a part of the job; absent where there is no gateway around the driver. */
  help?: Help
}

/** Asks a model for a part of a job: text for slides, a picture for a cover. Resolves with what its driver made, files in the job's scratch folder and text as `output` of the report, and the model's id; undefined when there is none to ask.
 *  What it used is for the driver to add to its own usage. Nothing of it outlives the run: a job that is taken up again asks again.
 *  Throws what the model's last target threw, and `model_not_found` for a name that no model of the capability has. */
export type Help = <C extends Capability>(asked: AskedHelp<C>) => Promise<(Done & { model: string }) | undefined>

export interface AskedHelp<C extends Capability> {
  capability: C
  request: RequestOf<C>
  /** A model by its id; or the first usable one that an operator has configured, or that an engine serves, which costs nothing. */
  model: { id: string } | 'configured' | 'built-in'
  /** Ends the part before the job's own signal does. */
  signal?: AbortSignal
}

/** What is known of a job before it runs. */
export interface AskedJob<Request> extends Pick<Job<Request>, 'request' | 'model' | 'settings'> {
  inputs: readonly InputFacts[]
}

/** Why a target cannot do what is asked: a sentence with field, value and limit. */
export interface Refusal {
  /** By its neutral name; the sentence then begins with it (`refusal`). */
  field?: FieldName
  message: string
}

/** A refusal about one field; `says` goes on behind its name: `draws one picture per request, not 2.` */
export function refusal(field: FieldName, says: string): Required<Refusal> {
  return { field, message: about(field, says) }
}

export interface Done {
  state: 'done'
  files: OutputFile[]
  /** What the capability's result type says (`kit/requests`). */
  report: JsonObject
  /** Large facts to keep with the task that its result does not show (a scene graph). */
  detail?: JsonObject
  usage: UsageUnits[]
}

/** An expected refusal or failure: stored with the task and shown to the caller; never retried. Anything unexpected is thrown. */
export interface Failed {
  state: 'failed'
  code: ErrorCode
  message: string
  reasons?: string[]
  /** The upstream may charge for it all the same: it drew something that cannot be had or used. */
  mayBeCharged?: true
  /** Reading its file passed the limits of the inspection. Whatever it cost, another target is asked: this one's next file may be as bad. */
  isUnsafe?: true
}

export interface Running {
  state: 'running'
  /** 0 to 1. */
  progress?: number
  /** When to look again; the offer's own interval when absent. */
  checkAfterMs?: number
  /** There is something to hear of it: `PolledOffer.events`. */
  hasEvents?: true
}

export type Outcome = Done | Failed

/** What an offer says of itself, whatever its kind. */
export interface OfferFacts<Request> {
  /** It may be sent again, also elsewhere: that costs nothing. Everything else is marked before it is sent; after a crash it is looked up, never sent blindly.
   *  `defineEngine` sets it on each offer of an engine. */
  isRepeatable?: true
  /** Extras of the capability (`CapabilityFacts.extras`) that it follows; a request with another one is refused, or told so. */
  follows?: readonly (keyof Request)[]
  /** Why this target cannot do this very request; undefined when it can. Asked at the submit and again before the job runs, so that nothing is spent on it. */
  refuses?(asked: AskedJob<Request>): Refusal | undefined
}

/** Request in, answer out. */
export interface OnceOffer<Request> extends OfferFacts<Request> {
  kind: 'once'
  run(job: Job<Request>): Promise<Outcome>
}

/** A stream of parts; the last event carries the outcome. */
export interface StreamedOffer<Request, Event = never> extends OfferFacts<Request> {
  kind: 'streamed'
  /** Throwing before the first event lets the next target be tried. */
  run(job: Job<Request>): AsyncIterable<StreamEvent<Event>>
}
export type StreamEvent<Event = never> =
  /** An output that is ready before the rest: the task has it at once, and the outcome does not name it again. */
  { type: 'file'; file: OutputFile } | { type: 'event'; event: Event } | { type: 'outcome'; outcome: Outcome }

/** Started once, then looked at until it is done. The handle is saved before the first look, so that a restart resumes it. */
export interface PolledOffer<Request, Event = never> extends OfferFacts<Request> {
  kind: 'polled'
  pollEveryMs: number
  /** Looks at one target that a node makes in a second, over all its jobs; 20 when absent. */
  looksPerSecond?: number
  /** The handle of what was started, as plain JSON; or the outcome of what was over at once: why it was refused, or what came of a request that the upstream answers without a task. */
  start(job: Job<Request>): Promise<{ state: 'started'; handle: JsonObject } | Outcome>
  check(job: Job<Request>, handle: JsonObject): Promise<Running | Outcome>
  /** What it tells while it is made, from its beginning, beside the looks: called once in a run, after a look that says so. What is thrown ends the telling, not the work. Obeys `job.signal`. */
  events?(job: Job<Request>, handle: JsonObject): AsyncIterable<Event>
  /** The upstream knows a repeat of the start by the job's id: one of unknown fate is simply sent there again, and nowhere else. */
  isIdempotent?: true
  /** What became of a start of unknown fate, by the job's id; `absent` when the upstream surely has nothing of it. Throws when it cannot be known yet. */
  find?(job: Job<Request>): Promise<{ state: 'started'; handle: JsonObject } | { state: 'absent' }>
  /** Resolves once the upstream has stopped and will not charge for it; throws otherwise. */
  cancel?(job: Job<Request>, handle: JsonObject): Promise<void>
}

export type Offer<Request, Event = never> = OnceOffer<Request> | StreamedOffer<Request, Event> | PolledOffer<Request, Event>
export type Offers = {
  [C in Capability]?: C extends StreamedCapability ? StreamedOffer<RequestOf<C>, EventOf<C>> : Offer<RequestOf<C>, EventOf<C>>
}

/** A driver or engine as the core sees it. */
export interface Driver {
  id: string
  title: string
  /** Queue of its jobs, and how many of them one node runs at a time. `accountSlots`: how many of those may be one account's; all of them when absent. Engines, which share their time between the jobs they have, set it, so that a place is free for whoever comes. `isPerTarget`: each target has a queue of its own with these slots, named `<name>/<target id>`. */
  queue: { name: string; slots: number; accountSlots?: number; isPerTarget?: true }
  offers: Offers
  /** Protocols its upstream speaks itself, so that a caller's bytes can pass as they are. */
  relays?: { [P in TextProtocol]?: RelayOffer }
  /** Templates of a service that renders slides, a page at a time; its own name of one is its id. Engines declare theirs (`EngineSpec.templates`). Throws what an upstream's error is. */
  templates?(asked: AskedTemplates): Promise<TemplatePage>
  /** The voices that a target's settings name, each with what the service calls it. Engines declare theirs (`EngineSpec.voices`). */
  voices?(settings: JsonObject): Readonly<Record<string, string>>
  /** Why it cannot be used now, in a sentence that says how to enable it; undefined when it can. */
  unusable?(settings: JsonObject, model: string): string | undefined
  /** Loads these models now and holds them, in the place of those it held before; returns at once. */
  hold?(targets: readonly { model: string; settings: JsonObject }[]): void
  /** Stops its processes. */
  close?(): Promise<void>
}
