/** The declaration of one operation of a family. */

import type { ErrorCode } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Static, TObject, TSchema } from 'typebox'
import type { BodySpec } from './body.ts'
import type { NeedName } from './needs/index.ts'
import type { NeutralForm } from './neutral-call.ts'
import type { RelaySpec } from './relay.ts'

/** The source of a fact: the interface parts, or our own decision where these leave it open. */
export type Source = 'interface' | 'ours'

/** A limit that spans fields. `holds` receives the body after defaults; `explain` returns the
 *  sentence for a body that breaks the rule (default: `says`). */
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

/** A call with its request and answer. A test sends every example to a gateway with nothing
 *  configured. */
export interface Example {
  title: string
  body?: JsonObject
  /** Parameters in the path, without `endpoint`. */
  path?: Record<string, string>
  query?: Record<string, string>
  /** Absent: the answer is not JSON. */
  reply?: JsonObject
  /** The requirement that a gateway with nothing configured lacks, as the end of "Needs ...".
   *  Absent: the example is accepted there. */
  needs?: string
}

/** A stored thing that a body names. `item`: an item of a response, whose id is `response` when
 *  it can be derived from the item's own id. `foreign`: a thing stored at an upstream, where all
 *  accounts of this gateway are the same customer: no account here can own it. */
export interface StoredReference {
  kind: 'response' | 'item' | 'foreign'
  id: string
  /** Whole path of the field. */
  field: string
  response?: string
}

/** Distinguishes operations with the same method and path. */
export interface Condition {
  /** Required values of query parameters. */
  query?: Readonly<Record<string, string>>
  /** Media type that the `Accept` header names. */
  accept?: string
  /** Name of a header that must be present, in lower case. */
  header?: string
}

/** `signed`: any holder of a link that a handler has made (`CallContext.signedUrl`). `open`: any
 *  client. */
export type Access = 'key' | 'signed' | 'open'

/** The place where a caller names the model. */
export interface ModelPlace {
  in: 'body' | 'query' | 'path'
  name: string
}

/** The place of a task id in a call. */
export interface TaskPlace {
  parameter: string
  in: 'query' | 'path' | 'body'
  /** The caller's own reference of the task is accepted as well. */
  orReference?: true
  /** `account`: a task of any family and endpoint that the key may use; absent: of this family
   *  and endpoint. */
  of?: 'account'
}

/** The place of a stored response's id in a call, and how the call is relayed to the upstream
 *  that stores the response. */
export interface ResponsePlace {
  /** Path parameter with the id. */
  parameter: string
  /** Usual prefix of such ids at services that have further paths there. */
  usualPrefix: string
  /** Part after the id in the upstream's path. */
  suffix: string
  /** The same relay as that of the operation that made the response. */
  relays: RelaySpec
  /** The answer is the response in its present state. */
  isShown?: true
}

/** An answer in place of JSON. `bytes`: streamed as they are made. `file`: stored, so that a
 *  range can be requested. */
export interface OtherAnswer {
  kind: 'bytes' | 'file' | 'text' | 'redirect'
  /** Media types of the answer; empty for a redirect. */
  mediaTypes: readonly string[]
  says: string
}

/** The answer of a call that succeeds, with status 200. */
export interface OperationReply<Reply extends TSchema = TSchema> {
  /** Schema of the JSON; it has a `name`. Absent: the operation never answers with JSON. */
  schema?: Reply
  /** The answer when the caller requests a stream of events: a description, and the data of one
   *  event. */
  stream?: { says: string; event: TSchema }
  others?: readonly OtherAnswer[]
  /** Headers that the handler sets (`CallContext.setHeader`). */
  headers?: Readonly<Record<string, TSchema>>
}

export interface Operation<Body extends TObject = TObject, Query extends TObject = TObject, Reply extends TSchema = TSchema> {
  /** OpenAPI's `operationId`, the function's name in generated clients: a verb first, camel
   *  case, unique over all families. The id of an operation with `readsTask` begins with `get`,
   *  because its extensions are named after it. */
  operationId: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Whole path with `{name}` parts: nothing is composed from a family prefix. */
  path: string
  /** Further paths of the same operation (`/v1/chat/completions` beside the one with an
   *  endpoint). A path without `{endpoint}` means the endpoint `default`. */
  aliases?: readonly string[]
  /** Paths that other operations have, too: there, this one serves calls with this header, which
   *  identifies its clients. Not in OpenAPI. */
  sharedPaths?: { header: string; paths: readonly string[] }
  /** Paths at which the vendor of the family's models serves this operation in its own API, for
   *  its clients: only the path differs (docs/decisions/0039). They have no `{endpoint}` and no
   *  extensions, and OpenAPI lists them in `x-vendor-paths` of the operation. A `{model}` in one
   *  names the model. */
  vendorPaths?: readonly string[]
  /** Distinguishes several operations with one method and path: this one serves calls that meet
   *  the condition. The operation without `when` serves all others. */
  when?: Condition
  summary: string
  description?: string
  /** Absent: `interface`. */
  source?: Source
  body?: BodySpec<Body>
  query?: Query
  /** Required access; absent: an access key. */
  access?: Access
  /** For `signed` access: the path parameter that holds the id of the key that made the link.
   *  The call acts for that key: its cost is charged to the key, and the key's limits apply. */
  actsFor?: string
  rules?: Rule<Static<Body>>[]
  /** How the rules are held for requests of another gateway, which come in neutral words. Absent:
   *  no rule is about what a neutral request holds. */
  neutralForm?: NeutralForm
  reply: OperationReply<Reply>
  /** Further error codes of its handler, beside those that follow from the declaration
   *  (`error-answers.ts`). */
  failsWith?: readonly ErrorCode[]
  /** The needs of its handler beyond the core of the context: each is available under its name
   *  in the context of this operation
   *  only (`contract/needs/`). */
  needs?: readonly NeedName[]
  /** The operation creates something with a model: the model is chosen and the group's fields
   *  are checked before the handler runs.
   *  The caller names it in the body's `model`, or in the place given here. */
  choosesModel?: boolean | ModelPlace
  /** The place of the id of a task of the family that this operation continues; a plain name is
   *  a field of the body. When the caller names no model, that task's model is chosen. A task
   *  that the caller cannot see is `task_not_found`. */
  continuesTask?: string | Pick<TaskPlace, 'parameter' | 'in'>
  /** On a target that speaks the operation's own protocol, the bytes are relayed and the handler
   *  does not run. */
  relays?: RelaySpec
  /** Returns the stored things that the body names. Responses and their items must belong to the
   *  account, and the call has to run where they are stored. */
  references?(body: JsonObject): readonly StoredReference[]
  /** The operation is about a stored response: one that an upstream stores is served there. */
  readsResponse?: ResponsePlace
  /** The operation returns the state of one task: the place of its id. Adds `<path>/events` and
   *  `DELETE <path>` as extensions at each of its paths, unless the family declares its own;
   *  they take an id of the body from their query. */
  readsTask?: TaskPlace
  /** A GET that creates something: a HEAD or a prefetch must not run it. */
  getWrites?: true
  examples: Example[]
}
