/** How one operation of a family is declared. */

import type { ErrorCode } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Static, TObject, TSchema } from 'typebox'
import type { BodySpec } from './body.ts'
import type { NeedName } from './needs/index.ts'
import type { RelaySpec } from './relay.ts'

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
  /** Absent: `interface`. */
  source?: Source
  /** Only for models of these groups; absent: for all. */
  groups?: readonly string[]
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
  /** Absent: what is answered is not JSON. */
  reply?: JsonObject
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

/** What tells operations of one method and path apart. */
export interface Condition {
  /** Values that parameters of the query have. */
  query?: Readonly<Record<string, string>>
  /** Media type that the `Accept` header names. */
  accept?: string
  /** Name of a header that is there, in lower case. */
  header?: string
}

/** `signed`: whoever holds a link that a handler has made (`CallContext.signedUrl`). `open`: anybody. */
export type Access = 'key' | 'signed' | 'open'

/** Where a caller names the model. */
export interface ModelPlace {
  in: 'body' | 'query' | 'path'
  name: string
}

/** Where a call has the id of a task. */
export interface TaskPlace {
  parameter: string
  in: 'query' | 'path' | 'body'
  /** The caller's own reference of the task does as well. */
  orReference?: true
  /** `account`: a task of any family and endpoint that the key may use, else of this family and endpoint. */
  of?: 'account'
}

/** Where a call has the id of a stored response, and how it goes on to the upstream that keeps it. */
export interface ResponsePlace {
  /** Of the path. */
  parameter: string
  /** How such ids begin at the services that have further paths there. */
  usualPrefix: string
  /** What follows the id in the upstream's path. */
  suffix: string
  /** As the operation that made it. */
  relays: RelaySpec
  /** What is answered is the response as it is now. */
  isShown?: true
}

/** What comes in the place of the JSON. `bytes`: as they are made. `file`: stored, so that a part can be asked for. */
export interface OtherAnswer {
  kind: 'bytes' | 'file' | 'text' | 'redirect'
  /** Of what is sent; none of a redirect. */
  mediaTypes: readonly string[]
  says: string
}

export interface OperationReply<Reply extends TSchema = TSchema> {
  status: number
  /** Of the JSON; it has a `name`. Absent: it never answers with JSON. */
  schema?: Reply
  /** What comes instead when the caller asks for a stream of events: a description, and the data of one event. */
  stream?: { says: string; event: TSchema }
  others?: readonly OtherAnswer[]
  /** Headers that the handler sets (`CallContext.setHeader`). */
  headers?: Readonly<Record<string, TSchema>>
}

export interface Operation<Body extends TObject = TObject, Query extends TObject = TObject, Reply extends TSchema = TSchema> {
  /** OpenAPI's `operationId`, the function's name in generated clients: a verb first, camel case, unique over all families. That of a `readsTask` begins with `get`: the extensions are named after it. */
  operationId: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Whole path with `{name}` parts: nothing is composed from a family prefix. */
  path: string
  /** Further paths of the same operation (`/v1/chat/completions` beside the one with an endpoint). Without `{endpoint}` it is the endpoint `default`. */
  aliases?: readonly string[]
  /** Paths that other operations have, too: there this one is for calls with this header, which tells its clients apart. Not in OpenAPI. */
  sharedPaths?: { header: string; paths: readonly string[] }
  /** Paths at which the vendor of the family's models serves this operation in its own API, for its clients: only the path differs (docs/decisions/0039). They have no `{endpoint}` and no extensions, and OpenAPI lists
   *  them in `x-vendor-paths` of the operation. A `{model}` in one names the model. */
  vendorPaths?: readonly string[]
  /** Several operations on one method and path: this one is for calls that have these. The one without is for all others. */
  when?: Condition
  summary: string
  description?: string
  /** Absent: `interface`. */
  source?: Source
  body?: BodySpec<Body>
  query?: Query
  /** Who may call it; absent: an access key. */
  access?: Access
  /** Of one with `signed` access: the parameter of the path that has the id of the key that made the link. It acts for that key: what it costs is the key's, and its limits hold. */
  actsFor?: string
  rules?: Rule<Static<Body>>[]
  reply: OperationReply<Reply>
  /** Codes its handler answers with beside those that follow from the declaration (`error-answers.ts`). */
  failsWith?: readonly ErrorCode[]
  /** What its handler uses beyond the core of the context: each stands under its name in the context of this operation
   *  only (`contract/needs/`). */
  needs?: readonly NeedName[]
  /** The operation creates something that a model makes: the model is chosen and the group's fields are checked before the handler runs.
   *  The caller names it in the body's `model`, or where this says. */
  choosesModel?: boolean | ModelPlace
  /** Where the id of a task of the family stands that this one goes on with, by name a field of the body: its model is chosen where the caller names none. A task that the caller does not have is `task_not_found`. */
  continuesTask?: string | Pick<TaskPlace, 'parameter' | 'in'>
  /** On a target that speaks the operation's own protocol, too, the bytes pass and the handler does not run. */
  relays?: RelaySpec
  /** What the body names that is kept somewhere. Responses and their items have to be the account's own, and where they are kept is where the call has to run. */
  references?(body: JsonObject): readonly KeptReference[]
  /** The operation is about a stored response: one that lives at an upstream is served there. */
  readsResponse?: ResponsePlace
  /** The operation tells the state of one task: where its id stands. Gives `<path>/events` and `DELETE <path>` as extensions at each of its paths, where the family has none of its own; an id of the body stands in their query. */
  readsTask?: TaskPlace
  /** Of a GET that creates something: a HEAD must not run it, nor does a prefetch. */
  getWrites?: true
  examples: Example[]
}
