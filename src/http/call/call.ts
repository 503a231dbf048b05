import { rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ExpectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import type { AccessKey, Endpoint, EndpointRoute } from '../../core/ports/accounts.ts'
import type { BlobStore } from '../../core/ports/blobs.ts'
import type { UsageLine } from '../../core/ports/usage.ts'
import type { Hold } from '../../core/records/ledger.ts'
import type { CatalogueModel } from '../../core/routing/catalogue.ts'
import type { Route } from '../../core/routing/router.ts'
import { type JsonBody, nothingToDiscard } from '../body/body.ts'
import type { Underway } from '../connection/underway.ts'
import type { Run } from './call-counts.ts'

/** What is known of a call before anything of its body is read. */
export interface CallFacts {
  requestId: string
  /** `<family>.<operation>`. */
  operation: string
  /** Of `performance.now()`. */
  startedAt: number
  key: AccessKey
  endpoint: Endpoint
  route: EndpointRoute
  publicUrl: string
  /** Somebody with a signed link, whose key nobody knows. */
  isLinked?: true
  /** Gateways the request has passed before this one. */
  hops: number
}

interface CallDeps {
  underway: Underway
  blobs: Pick<BlobStore, 'scratch'>
}

const noFields: ReadonlySet<string> = new Set()

export const noBody: JsonBody = { value: undefined, spilled: new Map(), exactIntegers: new Map(), discard: nothingToDiscard }

/** One authenticated call: who asks, where, and what was sent. A class: what each call would
 *  make in closures is what the garbage collector would notice. */
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
  /** Names of the body's fields as sent, before defaults. */
  presentFields: ReadonlySet<string> = noFields
  /** The model, for operations that choose one. */
  model: CatalogueModel | undefined
  /** Targets a conversation may run on, when some have been tried already. */
  routes: readonly Route[] | undefined
  /** Conversations run within it so far: each has an id of its own at the upstream. */
  runs: Run[] = []
  /** Target that answered. */
  target: string | undefined
  /** What is held for it in quotas, until its record is written. */
  hold: Hold | undefined
  /** Once holding has begun. */
  holding: Promise<void> | undefined
  /** Its tokens, which stand under the id of a background response. */
  owed: UsageLine[] | undefined
  /** The store has a note of it, so that a kill does not lose what was said. */
  isOnRecord = false
  /** Of what is left out of the answer, for the caller. */
  warnings: string[] = []
  /** Its headers are settled: what comes behind is the rest of a stream, or of the record. */
  isAnswered = false
  /** Of the answer, as the handler has set them. */
  headers: Record<string, string> = {}
  idempotencyKey: string | undefined
  /** What was asked beside the body, in the path and the query; '' where nothing was. A repeat
   *  by the key has the same. */
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

  /** What a conversation may use, before anybody has counted; undefined for what is no
   *  conversation. */
  get expected(): ExpectedTokens | undefined {
    if (this.#expecting) {
      this.#expected = this.#expecting()
      this.#expecting = undefined
    }
    return this.#expected
  }

  /** It is a conversation. It is counted when somebody asks: most answers are counted by their
   *  upstream. */
  expect(count: () => ExpectedTokens): void {
    this.#expecting = count
  }

  /** Aborted when the caller leaves before the answer is complete. Made at the first use: an
   *  abort controller costs more than a relay can spare. */
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

  /** A folder for files of this call, made at the first use and removed after it. */
  scratch(): Promise<string> {
    this.#folder ??= this.#deps.blobs.scratch(`call-${this.requestId}`)
    return this.#folder
  }

  /** Removes its files. Undefined when it has none. */
  dispose(): Promise<unknown> | undefined {
    const folder = this.#folder
    const { discard } = this.body
    if (folder === undefined && discard === nothingToDiscard) return undefined
    return Promise.all([discard(), folder?.then(path => rm(path, { recursive: true, force: true }))])
  }
}
