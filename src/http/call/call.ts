import { rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ExpectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import type { AccessKey, Endpoint, EndpointRoute } from '../../core/ports/accounts.ts'
import type { BlobStore } from '../../core/ports/blobs.ts'
import type { OpenReadings, OwedUsage } from '../../core/ports/usage.ts'
import type { Hold } from '../../core/records/ledger.ts'
import type { CatalogueModel } from '../../core/routing/catalogue.ts'
import type { Route } from '../../core/routing/router.ts'
import { type JsonBody, nothingToDiscard } from '../body/body.ts'
import type { CallsUnderway } from '../connection/calls-underway.ts'
import type { Run } from './call-counts.ts'
import type { CallRequests } from './call-requests.ts'

/** The properties of a call that are known before its body is read. */
export interface CallFacts {
  requestId: string
  /** Name of the operation: `<family>.<operation>`. */
  operation: string
  /** Time at which the call began, a value of `performance.now()` in ms. */
  startedAt: number
  key: AccessKey
  endpoint: Endpoint
  route: EndpointRoute
  publicUrl: string
  /** True for a request with a signed link that does not name the access key that created it. `key`
   *  is then a placeholder that belongs to no account. */
  isLinked?: true
  /** Number of gateways through which the request came before it reached this one. */
  hops: number
}

interface CallDeps {
  underway: CallsUnderway
  blobs: Pick<BlobStore, 'scratch'>
}

const noFields: ReadonlySet<string> = new Set()

export const noBody: JsonBody = { value: undefined, spilled: new Map(), exactIntegers: new Map(), discard: nothingToDiscard }

/** One authenticated call: its caller, its endpoint and its body. It is a class, because
 *  closures per call would burden the garbage collector. */
export class Call {
  readonly requestId: string
  readonly operation: string
  readonly startedAt: number
  readonly key: AccessKey
  readonly endpoint: Endpoint
  readonly route: EndpointRoute
  readonly publicUrl: string
  readonly isLinked: true | undefined
  readonly hops: number
  body: JsonBody = noBody
  /** Names of the body's fields as the caller sent them, before defaults were added. */
  presentFields: ReadonlySet<string> = noFields
  /** The model, for operations that choose one. */
  model: CatalogueModel | undefined
  /** The targets that a relay has not tried yet, which are left for the conversation. Undefined
   *  when all targets of the model may be tried. */
  routes: readonly Route[] | undefined
  /** The conversations of the call so far: one for each time that the call was sent to an
   *  upstream or engine. */
  runs: Run[] = []
  /** The requests of the conversations that the family's handler runs, in contrast to a relay;
   *  undefined before the first of them. */
  requests: CallRequests | undefined
  /** Id of the target that answered. */
  target: string | undefined
  /** The amounts that are held in quotas for this call; undefined once its record is written. */
  hold: Hold | undefined
  /** Resolves when the amounts of this call are held. Undefined before the call has begun to
   *  hold them. */
  holding: Promise<void> | undefined
  /** Usage of a background response (OpenAI's `background: true`) that this call creates. It is
   *  recorded under the id of the response, because the response outlives the call. */
  owed: OwedUsage | undefined
  /** The stored response that this call has created without `background`, and that could be read
   *  before the call ended. */
  openReadings: OpenReadings | undefined
  /** True when the store has a record of the running call. If the process is killed, its usage
   *  is then not lost. */
  isOnRecord = false
  /** Number of conversations that have begun and not ended yet. A call for several answers may fail
   *  while targets still work on some of them. */
  conversations = 0
  /** Called when the last running conversation of the call ends. */
  onLastEnd: (() => void) | undefined
  /** Warnings for the caller about ignored parts of the request. */
  warnings: string[] = []
  /** True once the handler has returned its answer; only a stream, or the record of the call, still
   *  follows. The headers no longer change, except before the first event of a stream. */
  isAnswered = false
  /** Headers of the answer, as set by the handler. */
  headers: Record<string, string> = {}
  idempotencyKey: string | undefined
  /** Path parameters and query of the request as one text; empty when there are none. When an
   *  idempotency key is used again, this text has to be the same. */
  beside: string | undefined
  traceparent: string | undefined
  readonly #deps: CallDeps
  readonly #response: ServerResponse
  #expected: ExpectedTokens | undefined
  #expecting: (() => ExpectedTokens) | undefined
  #controller: AbortController | undefined
  #folder: Promise<string> | undefined

  constructor(deps: CallDeps, response: ServerResponse, facts: CallFacts) {
    this.#deps = deps
    this.#response = response
    this.requestId = facts.requestId
    this.operation = facts.operation
    this.startedAt = facts.startedAt
    this.key = facts.key
    this.endpoint = facts.endpoint
    this.route = facts.route
    this.publicUrl = facts.publicUrl
    this.isLinked = facts.isLinked
    this.hops = facts.hops
  }

  /** Expected tokens of a conversation, estimated before the upstream reports any; undefined for
   *  a call that is not a conversation. */
  get expected(): ExpectedTokens | undefined {
    if (this.#expecting) {
      this.#expected = this.#expecting()
      this.#expecting = undefined
    }
    return this.#expected
  }

  /** Marks the call as a conversation. `count` estimates its tokens; it runs on first use only,
   *  because most upstreams report counts and the estimate is then not needed. */
  expect(count: () => ExpectedTokens): void {
    this.#expecting = count
  }

  /** Returns a signal that aborts when the caller disconnects before the answer is complete, or
   *  when the gateway stops. The signal is created on first use, because an abort controller is
   *  expensive compared with the rest of a relayed call. */
  signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal
    const made = new AbortController()
    this.#controller = made
    const { underway } = this.#deps
    const response = this.#response
    const slot = underway.add({ cut: error => made.abort(error) })
    const leave = () => {
      underway.delete(slot)
      if (!response.writableFinished) made.abort(new GatewayError('cancelled', 'The caller left.'))
    }
    if (response.destroyed) leave()
    else response.once('close', leave)
    return made.signal
  }

  /** Returns a folder for temporary files of this call. It is created on first use and removed
   *  after the call. */
  scratch(): Promise<string> {
    this.#folder ??= this.#deps.blobs.scratch(`call-${this.requestId}`)
    return this.#folder
  }

  /** Removes the scratch folder of the call and the files of its body; returns undefined when
   *  there are none. Rejects with the error of the file system when they cannot be removed. */
  dispose(): Promise<unknown> | undefined {
    const folder = this.#folder
    const { discard } = this.body
    if (folder === undefined && discard === nothingToDiscard) return undefined
    // The error of a folder that could not be created is ignored here, because `scratch` has
    // already reported it to its caller.
    const emptied = folder?.then(
      path => rm(path, { recursive: true, force: true }),
      () => {},
    )
    return Promise.all([discard(), emptied])
  }
}
