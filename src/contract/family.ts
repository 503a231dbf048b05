/** The declaration of a family (one interface dialect): pure data. Validation, types, OpenAPI,
 *  docs, the table of limits and the tests of values at these limits are derived from it. */

import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { FieldNames } from '@generation-gateway/kit/requests/field-names.ts'
import type { ReadablePart } from '@generation-gateway/kit/requests/refused-part.ts'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Task } from '../core/records/task.ts'
import type { CallFile } from './call-file.ts'
import type { CallContext, CoreContext, TaskView } from './context.ts'
import type { FamilyModel } from './model.ts'
import type { NeedName } from './needs/index.ts'
import type { Operation } from './operation.ts'
import type { OtherReply, ReplyFrame } from './replies.ts'

export interface Failure {
  status: number
  body: JsonObject
  /** The schema of the body. The OpenAPI document lists, under each status of an operation, the
   *  schemas of all failures with this status. */
  schema: TSchema
}

/** The parts of a call from which its model and its model group are chosen. The body has been
 *  checked. */
export interface CallInput {
  /** The operation's name in the family. */
  operation: string
  /** Names of the body's fields as sent, before defaults. */
  fields: ReadonlySet<string>
  body: JsonObject
  query: Readonly<Record<string, unknown>>
  params: Readonly<Record<string, string>>
}

export type Operations = Record<string, Operation>

export interface FamilySpec<Ops extends Operations = Operations> {
  id: string
  title: string
  /** Link to the description of the interface (`docs/interface/pictures.md#f1`), or the reason why
   *  the gateway defines the family itself. */
  source: string
  description: string
  models: readonly FamilyModel[]
  /** Capabilities whose engine models the family serves, in addition to its own models. */
  takesModelsOf?: readonly Capability[]
  /** Requests may name models of every family that the key may use, and each request has to name
   *  one. */
  takesEveryModel?: true
  /** Model names that clients of the hosted services send, each with the model of the family
   *  that serves it. A date at the end of a name makes no difference (docs/decisions/0034). */
  aliases?: Readonly<Record<string, string>>
  /** Names that clients of the hosted services send for the family's default model; in effect while
   *  the configuration file has no model of the family. */
  defaultAliases?: readonly string[]
  /** Returns the group of a call that names no model; absent when the family has one model. */
  groupOf?(callInput: CallInput): string
  /** The fields that a group requires in addition to those that the schema requires, by group. */
  requiredByGroup?: Record<string, readonly string[]>
  /** The family's own names for fields of neutral requests and for roles of inputs, where they
   *  differ from the neutral names. When a target refuses a request, the message to the caller
   *  uses these names. */
  fieldNames?: FieldNames
  /** Returns the path of the first part of this kind in a body as sent, such as
   *  `input[0].content[1]`; undefined when the body has none. Used when a target refuses a kind of
   *  part without saying where the part is. */
  placeOfPart?(body: unknown, kind: ReadablePart): string | undefined
  /** Milliseconds from the submit of a task until the task expires. */
  deadlineMs: number
  /** Milliseconds for which a signed link is valid. Every query of a task returns newly signed
   *  links. */
  linkLifetimeMs: number
  /** Least time in milliseconds for which finished tasks and their blobs are kept; a setting can
   *  make it longer. */
  keepMs: number
  /** Maps a gateway error to this family's status and body. */
  failure(error: GatewayError, requestId: string): Failure
  /** Maps an error to status and body at `vendorPaths`, in the format that the vendor's clients
   *  expect. When absent, `failure` is used there as well. */
  vendorFailure?(error: GatewayError, requestId: string): Failure
  /** Lower-case name of a header, besides `x-request-id`, in which the vendor's clients expect the
   *  id of the request. */
  requestIdHeader?: string
  /** Returns the last frames of a stream that fails after it has begun. */
  streamFailure?(error: GatewayError, requestId: string): ReplyFrame[]
  /** Prefix of the family's task ids, as callers see them: `video_`. */
  taskPrefix?: string
  /** For families whose task names contain more than the id, in place of `taskPrefix`. `nameOf`
   *  returns the name that callers see, and `idOf` the id in such a name, or undefined when the
   *  text is not a name of this family. */
  taskNames?: { nameOf(task: Pick<Task, 'id' | 'model'>): string; idOf(name: string): string | undefined }
  /** Further settings of the family's route beside `model`, in the configuration file and the
   *  admin API. */
  routeOptions?: TObject
  /** Sections of the configuration file that belong to the family, by name. */
  sections?: Readonly<Record<string, TSchema>>
  /** True when the start page shows an example call of the family. */
  isShownFirst?: true
  /** True when every key may use the family, even if the scopes of the key do not contain it.
   *  Such a family gives no access of its own: its operations work only on what the scopes of
   *  the key allow. */
  isOpen?: boolean
  operations: Ops
}

export type Family<Ops extends Operations = Operations> = FamilySpec<Ops>

type QueryOf<O> = O extends { query: infer Q extends TSchema } ? Static<Q> : Record<string, never>
type BodyOf<O> = O extends { body: { schema: infer B extends TSchema } } ? Static<B> : undefined
type NeedsOf<O> = O extends { needs: readonly NeedName[] } ? O['needs'][number] : never
type ReplyOf<O> = O extends { reply: { schema: infer R extends TSchema } } ? Static<R> : never

export interface Input<O> {
  params: Record<string, string>
  query: QueryOf<O>
  body: BodyOf<O>
  /** Files of the body, in the order of the body. */
  files: readonly CallFile[]
}

/** One function per operation, translating between wire and neutral requests. The build fails
 *  for a missing handler, for a misspelt reply field, and for the use of a need that the
 *  operation does not declare. */
export type Handlers<F extends Family> = {
  [K in keyof F['operations']]: (
    context: CallContext<NeedsOf<F['operations'][K]>>,
    input: Input<F['operations'][K]>,
  ) => Promise<ReplyOf<F['operations'][K]> | OtherReply>
}

/** Presentation of a task outside of an HTTP call. */
export interface TaskPresenter {
  /** Returns the body of the webhook that reports the end of the task. */
  webhook?(view: TaskView, task: Task): object
}

/** The input that untyped code passes to a handler, checked by the operation's schemas. */
export interface UncheckedInput {
  params: Record<string, string>
  query: unknown
  body: unknown
  files: readonly CallFile[]
}

/** A family with its handlers, as `src/families/index.ts` lists them. */
export interface FamilyEntry {
  family: Family
  handlers: Record<string, (context: CoreContext, input: UncheckedInput) => Promise<unknown>>
  presenter: TaskPresenter
}

/** Declares a family. Returns its argument, with exact types. */
export function defineFamily<const Ops extends Operations>(spec: FamilySpec<Ops>): Family<Ops> {
  return spec
}

/** Declares an operation. Returns its argument; the compiler checks the rules against the schema of
 *  the body. */
export function operation<
  const Body extends TObject<TProperties>,
  const Query extends TObject<TProperties>,
  const Reply extends TSchema,
  const Spec extends Partial<Operation<Body, Query, Reply>>,
>(spec: Operation<Body, Query, Reply> & Spec): Spec & Operation<Body, Query, Reply> {
  return spec
}

/** Returns a family together with its handlers. The compiler checks here that the handlers match
 *  the operations. */
export function implement<F extends Family>(family: F, handlers: Handlers<F>, presenter: TaskPresenter = {}): FamilyEntry {
  // The cast is safe: the compiler has checked the handlers against the types of their operations,
  // and the routing code, which does not know these types, passes checked input.
  return { family, handlers: handlers as unknown as FamilyEntry['handlers'], presenter }
}
