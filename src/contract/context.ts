/** What a family's handler may use: the call it serves, the tasks of the caller's account, input files and links. */

import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability, RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { FoundTemplate, TemplateQuery } from '@generation-gateway/kit/requests/slide-templates.ts'
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import type { OwnVoice } from '@generation-gateway/kit/requests/voices.ts'
import type { FileFilter, StoredFile } from '../core/ports/files.ts'
import type { EndpointRoute, Limits, QuotaCount, ResponseRecord, TaskFilter, UsageTotal } from '../core/ports/store.ts'
import type { UsageLine } from '../core/ports/usage.ts'
import type { PriceName, QuotaShare } from '../core/records/ledger.ts'
import type { Artifact, InlinePart, Task, TaskCapability, TaskFailure, WebhookTarget } from '../core/records/task.ts'
import type { FamilyModel } from './model.ts'

/** A file of the request, on disk: its header has been read and fits the limits of its field. */
export interface CallFile extends InputFacts {
  /** As the caller wrote it: `images[1]`. */
  field: string
  /** Of a part that has a file name, as the caller wrote it: of no meaning here. */
  name?: string
  /** Local temporary file; handed to `submit` it moves into the blob store, otherwise it is removed after the call. */
  path: string
}

/** A file of the account as an input: its bytes are shared. */
export interface OwnFile extends Pick<InputFacts, 'lengthLimits'> {
  stored: StoredFile
  /** What the capability has it for. */
  role: string
}

/** Files that callers of this account have uploaded to this family, or it has made for them. */
export interface Files {
  /** Keeps a file of the call, which is moved away, or the bytes of an output. Resolves when it is on disk. Throws `store_unavailable`, `disk_full`; `gone` for an output that was swept. */
  keep(file: CallFile | Artifact, kept: KeptFile): Promise<StoredFile>
  /** Keeps a text as a file of this media type; else as `keep`. */
  keepText(text: { text: string; mediaType: string }, kept: KeptFile): Promise<StoredFile>
  /** Undefined when the account has none of this id in this family, or it is past its end. */
  get(id: string): Promise<StoredFile | undefined>
  /** Newest first. */
  list(filter: FileFilter): Promise<StoredFile[]>
  /** False when there is none. Its bytes go, unless a task has them too. */
  remove(id: string): Promise<boolean>
}

export interface KeptFile extends Pick<StoredFile, 'purpose' | 'name' | 'detail'> {
  /** From now. */
  lifetimeMs: number
}

export interface Submission<C extends Capability = Capability> {
  capability: C
  request: RequestOf<C>
  /** What the family wants to show of it later (`Task.shown`), at most 64 KiB as JSON. */
  shown?: JsonObject
  inputs?: readonly (CallFile | OwnFile)[]
  webhook?: WebhookTarget
  /** What the caller gave its URL in; absent: `webhook_url`. */
  webhookField?: string
  clientReference?: string
  /** What the dialect tells only when it is asked about the task: it is written as failed, for this reason, and nothing runs. */
  failure?: TaskFailure
  /** From now to its end, where that is not the family's. */
  deadlineMs?: number
  /** For `run`: only files and the end are looked at, so that a run that breaks off has given nothing by what it told before. */
  isWhole?: true
}

/** Links and facts a presenter needs, with or without a call. */
export interface TaskView {
  /** Origin of absolute links, without a trailing slash. */
  publicUrl: string
  /** Absolute signed URL of an artifact, valid for `lifetimeMs` from now. */
  link(artifact: Artifact, lifetimeMs: number): string
}

/** What `respond` yields: the model's words as they come, and how it ended as the last one. */
export type TextRunEvent = TextEvent | { type: 'finish'; result: TextResult }

/** Stored conversations of this account and endpoint. */
export interface Responses {
  /** Resolves when it is on disk. */
  save(record: Pick<ResponseRecord, 'id' | 'parentId' | 'model' | 'target' | 'taskId' | 'content' | 'expiresAt'>): Promise<void>
  /** Undefined when it is unknown, deleted or past its end. */
  get(id: string): Promise<ResponseRecord | undefined>
  /** The response and those it continues, oldest first. Deleted and expired ones come without content. Empty when the response itself is not there. */
  chain(id: string): Promise<ResponseRecord[]>
  /** Deletes its contents; later turns still find what came before it. False when it is not there. */
  remove(id: string): Promise<boolean>
}

/** Of a template of an engine the family serves the cover (`Templates.coverOf`). */
export type ListedTemplate = Omit<FoundTemplate, 'cover' | 'name'> & { cover: string | { engine: string } }

/** Templates that presentations of the chosen model can have. */
export interface Templates {
  /** Of the first usable target that tells some: a page of those that are wanted, and how many there are. Throws `capability_unavailable`, and what that target threw. */
  list(query: TemplateQuery): Promise<{ total: number; list: ListedTemplate[] }>
  /** What that target calls the template of this id; undefined when it surely has none. */
  nameOf(id: number): string | undefined
  /** Path of the PNG that shows a template of an engine; undefined when there is none. Needs no model. */
  coverOf(engine: string, id: number): string | undefined
}

/** A voice of a configured target. */
export interface TargetVoice {
  /** As callers write it. */
  name: string
  /** As the service calls it. */
  own: string
  /** Title of the service's driver. */
  maker: string
  /** The model whose target it is. */
  model: string
}

/** What a key may name in `model`, for the lists. */
export interface ModelSummary {
  id: string
  title: string
  families: string[]
  /** Unix milliseconds. */
  createdAt: number
  /** It is another name of this model. */
  aliasOf?: string
  /** What it costs, in `currency`; absent: nothing. */
  price?: { currency: string; amounts: Partial<Record<PriceName, number>> }
  /** Why it cannot be used at the moment. */
  unusable?: string
}

/** What the key of a call has used, and its limits. */
export interface KeyUsage {
  account: string
  key: { id: string; name: string }
  currency: string
  limits: ({ scope: 'key' | 'account' } & Limits)[]
  quotas: (QuotaShare & QuotaCount)[]
  /** Of this key alone. */
  totals: UsageTotal[]
}

/** Which tasks of the account are listed: `before` is the id after which the page begins (`after` with `oldestFirst`), `limit` 1 to 200. */
export type TaskListing = Pick<
  TaskFilter,
  'state' | 'family' | 'model' | 'endpoint' | 'idempotencyKey' | 'before' | 'after' | 'oldestFirst' | 'limit'
>

export interface CallContext extends TaskView {
  requestId: string
  endpoint: string
  route: EndpointRoute
  /** The chosen model; present for operations that choose one. */
  model: FamilyModel
  /** Names of the fields the caller sent, before defaults. */
  presentFields: ReadonlySet<string>
  /** The exact digits of a top-level integer beyond the safe range; undefined for ordinary ones. */
  exactInteger(field: string): string | undefined
  /** A fresh random seed: decimal digits, 0 to 2^32 - 1. */
  randomSeed(): string
  /** Writes the task durably; resolves after the commit. With an `Idempotency-Key` a repeat gives the first task. */
  submit<C extends Capability>(submission: Submission<C>): Promise<Task>
  /** Runs a task here while the caller waits, with one try over all targets, and yields what it makes as it comes. Throws why it failed. When the caller leaves, or the iteration is abandoned, it is cancelled;
   *  with an `Idempotency-Key` it goes on, and a repeat waits for it. Of a private request (`isPrivate`) nothing is stored, and a repeat runs anew. */
  run<C extends TaskCapability>(submission: Submission<C>): AsyncIterable<InlinePart<C>>
  /** Fields of the request that no target of the model follows (extras that are `told`, docs/decisions/0022): it is made without them. */
  notFollowed<C extends TaskCapability>(capability: C, request: RequestOf<C>): readonly FieldName[]
  /** Outputs of a task that runs on this node and may be taken while they are made (`CapabilityFacts.early`), by their index: those that have begun. */
  begunOutputs(task: Pick<Task, 'id'>): readonly number[]
  /** The bytes of one of them, from its first on, until it is whole; undefined when it has not begun here. Fails with `conflict` when its run is broken off. */
  outputSoFar(task: Pick<Task, 'id'>, index: number): AsyncIterable<Uint8Array> | undefined
  /** A task of this account, endpoint and family; throws `task_not_found`. */
  task(id: string): Promise<Task>
  /** The same of any family and endpoint that the key may use. */
  anyTask(id: string): Promise<Task>
  /** Such tasks, newest first unless the filter says otherwise. */
  tasks(filter: TaskListing): Promise<Task[]>
  /** What was counted when the task ended, in `currency`. */
  taskUsage(id: string): Promise<{ currency: string; lines: UsageLine[] }>
  /** Asks for an end of a task of this account, endpoint and family; gives the task as it then is. Throws `task_not_found`. */
  cancelTask(id: string): Promise<Task>
  /** Deletes a task of this account, endpoint and family, cancelled where it has not ended: from then on nobody finds it, and its files go with the next sweep. What it has used stays counted. Throws `task_not_found`. */
  removeTask(id: string): Promise<void>
  /** Aborted when the caller leaves. */
  signal: AbortSignal
  /** A header of the answer that its declaration names; before the answer begins. */
  setHeader(name: string, value: string): void
  /** Absolute URL of an operation of this family whose access is `signed`, for this endpoint, valid for `lifetimeMs` from now. */
  signedUrl(operation: string, params: Readonly<Record<string, string>>, lifetimeMs: number): string
  /** The id of a task as callers of this family know it. */
  publicId(task: Pick<Task, 'id' | 'model'>): string
  /** The family's section of the configuration file, checked; undefined when the file has none. */
  section<Section>(name: string): Section | undefined
  /** Tells the caller, in the header `x-gateway-warning` of the answer, of something he asked for that is left out, or done in another way. Before the answer begins. With a `field` of the neutral request the sentence begins with the caller's word for it. */
  warn(says: string, field?: FieldName): void
  /** Runs a conversation on the chosen model's targets, in order, failing over until the first event; usage is recorded. Throws what the last target threw.
   *  Abandoning the iteration stops the model. */
  respond(request: TextRequest): AsyncIterable<TextRunEvent>
  responses: Responses
  files: Files
  /** Voices of the engines that are installed, in their order, each with the named ones that it speaks for. */
  voices(): readonly OwnVoice[]
  /** Voices that targets of models the key may use are told in their settings, in the order of the models. */
  targetVoices(): TargetVoice[]
  templates: Templates
  /** Unix milliseconds, by the clock that tasks are made by. */
  now(): number
  /** Models the key may use and their aliases; at one endpoint where the path names one, else at all. Those that talk come first: programs that let a user choose a model show the first ones. */
  models(): ModelSummary[]
  /** Ids of all families, in their order. */
  familyIds(): string[]
  /** The summary of one of these, by id, alias, or alias with a date behind it; undefined where the key may name none such. */
  modelNamed(name: string): ModelSummary | undefined
  /** Usage of the key in whole UTC days, `from` and `to` inclusive like `2027-01-01` (30 days back without them), and the limits it is under now. Throws `invalid_request` for a day that does not exist. */
  usage(range: { from?: string; to?: string }): Promise<KeyUsage>
}
