/** How a family (one interface dialect) is declared: pure data from which validation, types, OpenAPI, docs, limits table and edge tests derive. */

import type { ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { FieldNames } from '@generation-gateway/kit/requests/field-names.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Task } from '../core/task.ts'
import type { CallContext, TaskView } from './context.ts'
import type { FamilyModel } from './model.ts'

/** Where a fact comes from: the interface parts, or a decision of ours for something they leave open. */
export type Source = 'interface' | 'ours'

/** A limit that spans fields. `holds` sees the body after defaults; `explain` gives the sentence for a body that breaks it (default: `says`). */
export interface Rule<Body> {
  /** Kebab-case, unique in the operation; tests and docs name it. */
  id: string
  /** One sentence for the docs. */
  says: string
  /** The field an error names. */
  field: string
  source: Source
  holds(body: Body): boolean
  explain?(body: Body): string
}

/** A call as it is sent and answered. A test sends every one of them to a gateway with nothing configured. */
export interface Example {
  title: string
  body?: JsonObject
  /** Parameters in the path, without `endpoint`. */
  path?: Record<string, string>
  query?: Record<string, string>
  reply: JsonObject
  /** What a gateway with nothing configured lacks for it, as the end of "Needs ...". Absent: it is accepted there. */
  needs?: string
}

/** Something kept that a body names. `item`: of a response, whose id is `response` where the item's own id tells. `foreign`: of an upstream, where every account of this gateway is the same customer: nobody can own it here. */
export interface KeptReference {
  kind: 'response' | 'item' | 'foreign'
  id: string
  /** Whole path of the field. */
  field: string
  response?: string
}

export interface Operation<Body extends TObject = TObject, Query extends TObject = TObject, Reply extends TSchema = TSchema> {
  /** OpenAPI's `operationId`, the function's name in generated clients: a verb first, camel case, unique over all families. That of a `readsTask` begins with `get`: the extensions are named after it. */
  operationId: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Whole path with `{name}` parts: nothing is composed from a family prefix. */
  path: string
  /** Further paths of the same operation (`/v1/chat/completions` beside the one with an endpoint). Without `{endpoint}` it is the endpoint `default`. */
  aliases?: readonly string[]
  summary: string
  description?: string
  source: Source
  /** `rawBytes`: the body is kept as it was sent, up to so many bytes, for a relay; files in it stay text. `innerNames`: names that decide something where the schema leaves the inside of a list open. */
  body?: { kind: 'json'; schema: Body; residualLimitBytes?: number; rawBytes?: number; innerNames?: readonly string[] }
  query?: Query
  rules?: Rule<Static<Body>>[]
  /** Its schema has a `name`. `stream` is what comes instead when the caller asks for a stream of events: a description, and the data of one event. */
  reply: { status: number; schema: Reply; stream?: { says: string; event: TSchema } }
  /** Codes its handler answers with beside those that follow from the declaration (`error-answers.ts`). */
  failsWith?: readonly ErrorCode[]
  /** The operation creates something that a model makes: the model is chosen and the group's fields are checked before the handler runs. */
  choosesModel?: boolean
  /** The operation's own wire protocol: on a target that speaks it too, the bytes pass and the handler does not run. */
  relays?: TextProtocol
  /** What the body names that is kept somewhere. Responses and their items have to be the account's own, and where they are kept is where the call has to run. */
  references?(body: JsonObject): readonly KeptReference[]
  /** Path parameter that names a stored response: one that lives at an upstream is served there. `suffix` follows its id in the upstream's path. */
  readsResponse?: { parameter: string; suffix: string }
  /** The operation reads one task: name of the query or path parameter with its id. Gives `<path>/events` and `DELETE <path>` as extensions.
   *  `of: 'account'`: of any family and endpoint that the key may use, else of this family and endpoint. */
  readsTask?: { parameter: string; in: 'query' | 'path'; of?: 'account' }
  examples: Example[]
}

export interface Failure {
  status: number
  body: JsonObject
  /** What the body is, by name: OpenAPI tells from it how each operation fails. */
  schema: TSchema
}

export type Operations = Record<string, Operation>

export interface FamilySpec<Ops extends Operations = Operations> {
  id: string
  title: string
  /** Part and section of the interface. */
  source: string
  description: string
  models: readonly FamilyModel[]
  /** Group for a body that names no model, from the fields that are present; absent when the family has one model. */
  groupOf?(presentFields: ReadonlySet<string>): string
  /** Fields a group requires beyond the schema's own. */
  requiredByGroup?: Record<string, readonly string[]>
  /** Its words for the fields of neutral requests and the roles of inputs, where they differ: what targets refuse is told in them. */
  fieldNames?: FieldNames
  /** From submit to `expired`. */
  deadlineMs: number
  /** Life of a signed link; links are signed anew at every query. */
  linkLifetimeMs: number
  /** Finished tasks and their blobs are kept at least this long (longer by setting). */
  keepMs: number
  /** Our error -> this family's status and body. */
  failure(error: GatewayError, requestId: string): Failure
  /** Last frames of a stream that fails after it has begun. */
  streamFailure?(error: GatewayError, requestId: string): ReplyFrame[]
  /** Every key may use it, whatever families its scopes name: it only shows what the key may do. */
  isOpen?: boolean
  operations: Ops
}

export type Family<Ops extends Operations = Operations> = FamilySpec<Ops>

/** One server-sent event of a reply: an object goes out as JSON, a string as it is (`[DONE]`). */
export interface ReplyFrame {
  event?: string
  data: object | string
}

/** A reply that goes out event by event. Nothing has been sent before the first frame: an error until then is an ordinary HTTP answer. */
export class StreamedReply {
  readonly frames: AsyncIterable<ReplyFrame>

  constructor(frames: AsyncIterable<ReplyFrame>) {
    this.frames = frames
  }
}

type QueryOf<O> = O extends { query: infer Q extends TSchema } ? Static<Q> : Record<string, never>
type BodyOf<O> = O extends { body: { schema: infer B extends TSchema } } ? Static<B> : undefined
type ReplyOf<O> = O extends { reply: { schema: infer R extends TSchema } } ? Static<R> : never

export interface Input<O> {
  params: Record<string, string>
  query: QueryOf<O>
  body: BodyOf<O>
}

/** One function per operation (wire <-> neutral). A missing handler or a misspelt reply field fails the build. */
export type Handlers<F extends Family> = {
  [K in keyof F['operations']]: (
    context: CallContext,
    input: Input<F['operations'][K]>,
  ) => Promise<ReplyOf<F['operations'][K]> | StreamedReply>
}

/** How a family shows a task outside of an HTTP call. */
export interface TaskPresenter {
  /** Body of the webhook that says the task has ended. */
  webhook?(view: TaskView, task: Task): object
}

/** A family with its handlers, as `families/index.ts` lists them. */
export interface FamilyEntry {
  family: Family
  handlers: Record<
    string,
    (context: CallContext, input: { params: Record<string, string>; query: unknown; body: unknown }) => Promise<unknown>
  >
  presenter: TaskPresenter
}

/** Declares a family; the identity function with the types pinned. */
export function defineFamily<const Ops extends Operations>(spec: FamilySpec<Ops>): Family<Ops> {
  return spec
}

/** Declares an operation; ties the rules' types to the body's schema. */
export function operation<
  const Body extends TObject<TProperties>,
  const Query extends TObject<TProperties>,
  const Reply extends TSchema,
  const Spec extends Partial<Operation<Body, Query, Reply>>,
>(spec: Operation<Body, Query, Reply> & Spec): Spec & Operation<Body, Query, Reply> {
  return spec
}

/** Joins a family and its handlers; the compiler checks them against each other here, once. */
export function implement<F extends Family>(family: F, handlers: Handlers<F>, presenter: TaskPresenter = {}): FamilyEntry {
  // The handlers were checked against the operations' own types above; the entry is what untyped routing code sees.
  return { family, handlers: handlers as unknown as FamilyEntry['handlers'], presenter }
}
