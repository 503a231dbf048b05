/** The declaration of one operation of a family. */

import type { ErrorCode } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Link } from '@generation-gateway/kit/outbound/links.ts'
import type { Static, TObject, TSchema } from 'typebox'
import type { BodySpec } from './body.ts'
import type { NeedName } from './needs/index.ts'
import type { NeutralForm } from './neutral-call.ts'
import type { RelaySpec } from './relay.ts'

/** The source of an operation or of a rule: the specified interface, or our own decision where
 *  the interface leaves the point open. */
export type Source = 'interface' | 'ours'

/** A limit that involves several fields. `holds` receives the body after defaults; `explain`
 *  returns the sentence for a body that breaks the rule (default: `says`). */
export interface Rule<Body> {
  /** Id of the rule, in kebab-case and unique in the operation. Tests and docs refer to the rule
   *  by this id. */
  id: string
  /** The rule as one sentence, for the docs. */
  says: string
  /** The field that an error about this rule names. */
  field: string
  /** The source of the rule; `interface` when absent. */
  source?: Source
  /** The rule applies only to models of these groups; absent: to all models. */
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
  /** The JSON answer of the example; absent when the answer is not JSON. */
  reply?: JsonObject
  /** The requirement that a gateway without any configuration lacks, worded as the end of "Needs
   *  ...". Absent: such a gateway accepts the example. */
  needs?: string
}

/** A stored object to which a body refers. `item` is an item of a response; `response` is the id of
 *  that response when it can be derived from the item's id. `container` is an upstream's container,
 *  which the items of a response have shown (`RelayScan.besideItem`). `foreign` is an object that
 *  an upstream stores. An upstream regards all accounts of this gateway as one customer, so the
 *  object cannot be assigned to one account. */
export interface StoredReference {
  kind: 'response' | 'item' | 'container' | 'foreign'
  id: string
  /** Path of the field that refers to the object. */
  field: string
  response?: string
}

/** A condition that distinguishes operations with the same method and path. */
export interface Condition {
  /** Required values of query parameters. */
  query?: Readonly<Record<string, string>>
  /** Media type that the `Accept` header names. */
  accept?: string
  /** Name of a header that must be present, in lower case. */
  header?: string
}

/** The callers that an operation accepts. `key`: holders of an access key. `signed`: holders of
 *  a link that a handler has made (`CallContext.signedUrl`). `open`: all clients. */
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
  /** True when the caller's own reference of the task is accepted in place of its id. */
  orReference?: true
  /** With `account`, the operation finds tasks of every family and endpoint that the key may
   *  use; when absent, only tasks of this family and endpoint. */
  of?: 'account'
}

/** The place of a stored response's id in a call, and how the call is relayed to the upstream
 *  that stores the response. */
export interface ResponsePlace {
  /** Path parameter with the id. */
  parameter: string
  /** Usual prefix of response ids, such as `resp_`. A parameter with another beginning is probably
   *  not an id but the end of another path of the service, such as `/responses/compact`. A call
   *  that uses a wrong method there gets 404 instead of 405. */
  usualPrefix: string
  /** Part after the id in the upstream's path. */
  suffix: string
  /** The relay of the operation that creates such responses. */
  relays: RelaySpec
  /** True when the answer of the operation is the stored response itself, in its present state. */
  isShown?: true
}

/** An answer that is not JSON. `bytes`: streamed while they are produced. `file`: stored, so that a
 *  range of it can be requested. */
export interface OtherAnswer {
  kind: 'bytes' | 'file' | 'text' | 'redirect'
  /** Media types of the answer; empty for a redirect. */
  mediaTypes: readonly string[]
  says: string
}

/** The answer of a call that succeeds, with status 200. */
export interface OperationReply<Reply extends TSchema = TSchema> {
  /** Schema of the JSON answer, which must have a `name`; absent when the operation never
   *  answers with JSON. */
  schema?: Reply
  /** Present when the caller can request a stream of events: a description of the stream, and
   *  the schema of the data of one event. */
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
  /** The complete path with `{name}` parameters; no prefix of the family is added. */
  path: string
  /** Further paths of the same operation (`/v1/chat/completions` beside the one with an
   *  endpoint). A path without `{endpoint}` means the endpoint `default`. */
  aliases?: readonly string[]
  /** Paths that belong to other operations as well. At these paths, this operation serves the
   *  calls that have the header `header`, by which its clients can be recognized. Not in
   *  OpenAPI. */
  sharedPaths?: { header: string; paths: readonly string[] }
  /** Paths of the same operation in the own API of the vendor whose dialect the family speaks,
   *  so that clients of the vendor work unchanged: only the path differs (docs/decisions/0039).
   *  They have no `{endpoint}` and no extensions, and OpenAPI lists them in `x-vendor-paths` of
   *  the operation. The parameter `{model}` of such a path names the model. */
  vendorPaths?: readonly string[]
  /** Condition that distinguishes several operations with one method and path: this operation
   *  serves the calls that meet it. The operation without `when` serves all other calls. */
  when?: Condition
  summary: string
  description?: string
  /** The source of the operation; `interface` when absent. */
  source?: Source
  body?: BodySpec<Body>
  query?: Query
  /** The access that a call needs; an access key when absent. */
  access?: Access
  /** For `signed` access: the path parameter that holds the id of the key that made the link.
   *  The call acts for that key: its cost is charged to the key, and the key's limits apply. */
  actsFor?: string
  rules?: Rule<Static<Body>>[]
  /** Checks requests in neutral form, as another gateway sends them, against the rules of this
   *  operation. Absent when no rule of the operation concerns a field of neutral requests. */
  neutralForm?: NeutralForm
  reply: OperationReply<Reply>
  /** Error codes of the handler, in addition to those that follow from the declaration
   *  (`error-answers.ts`). */
  failsWith?: readonly ErrorCode[]
  /** The parts of the context that the handler uses beyond the common core (`contract/needs/`).
   *  Each is a member of the context, under its own name, in this operation only. */
  needs?: readonly NeedName[]
  /** True, or the place of the model's name, for an operation that creates something with a model:
   *  the model is chosen and the fields of its group are checked before the handler runs. With
   *  true, the caller names the model in the body's `model`. */
  choosesModel?: boolean | ModelPlace
  /** The place of the id of an earlier task of the family that this operation continues; a plain
   *  name is a field of the body. When the caller names no model, the model of that task is chosen.
   *  The call fails with `task_not_found` when the caller may not see the task. */
  continuesTask?: string | Pick<TaskPlace, 'parameter' | 'in'>
  /** Present when the operation can be relayed: on a target that speaks the operation's own
   *  protocol, the bytes are forwarded and the handler does not run. */
  relays?: RelaySpec
  /** Returns the stored objects that the body names. Responses and their items must belong to the
   *  account, and the call has to run where they are stored. */
  references?(body: JsonObject): readonly StoredReference[]
  /** Returns the URLs in the body that an upstream opens itself. They must not lead into private
   *  networks. */
  links?(body: JsonObject): readonly Link[]
  /** The place of the response's id, for an operation about a stored response. A response that an
   *  upstream stores is served by that upstream. */
  readsResponse?: ResponsePlace
  /** The place of the task's id, for an operation that returns the state of one task. Adds
   *  `<path>/events` and `DELETE <path>` as extensions at its path and its aliases, unless the
   *  family declares its own. When the operation has the id in its body, the extensions have it in
   *  the query. */
  readsTask?: TaskPlace
  /** True for a GET that creates something, so that a HEAD or a prefetch must not run it. */
  getWrites?: true
  examples: Example[]
}
