/** Options of the driver suite: the driver under test, and the answers of its fake upstream. */

import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import type { ErrorCode } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Capability, RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Done, InputFile } from '@generation-gateway/kit/requests/job.ts'
import type { RelayProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { FakeReply } from '../../testing/fakes/fake-upstream.ts'

export interface DriverSuite<C extends Capability> {
  driver: DriverSpec
  /** Returns the settings of a target at this base URL, with `secret` as its credential. */
  settings(baseUrl: string, secret: string): JsonObject
  capability: C
  request: RequestOf<C>
  /** Writes the files of the request into the folder. */
  inputs?(folder: string): Promise<InputFile[]>
  /** Returns the upstream's answers to a successful run, one per request. `otherBaseUrl` belongs to
   *  a second host, which may serve output files. */
  good(baseUrl: string, otherBaseUrl: string): FakeReply[]
  /** Checks the outcome and the events of a run that got the answers of `good`. */
  check(done: Done, events: unknown[]): void | Promise<void>
  /** An answer that begins and never ends. */
  hanging: FakeReply
  /** Returns a refusal with this status and message, in the upstream's own format. `secret` may
   *  occur in the message. */
  refusal(status: number, message: string, headers: Record<string, string>): FakeReply
  /** The answers of an upstream that refuses or fails a run, and the error code that the caller
   *  must get. */
  failed: { replies: FakeReply[]; code: ErrorCode }
  /** Set when the first request of a run is paid and must not be sent twice. A failure that
   *  leaves open whether the request was accepted must then be reported as `outcome_unknown`.
   *  Absent when a repeated request costs nothing. */
  paidSubmit?: PaidSubmit
  /** For polled offers: recognizes the requests that start work. */
  polled: { isStart(request: { method: string; path: string }): boolean } | SkippedPart
  /** `files` when the outputs are files that the upstream links to. */
  outputs: 'files' | SkippedPart
  /** The answer of the second host: a file of a type that the driver accepts. Default: the file in
   *  `fake-upstream-text.ts`. */
  file?: FakeReply
  /** Protocols that the driver relays. */
  relays: readonly RelayProtocol[] | SkippedPart
}

/** The behaviour that the suite expects of a driver for paid requests when it is unknown whether
 *  the upstream accepted a request. */
export interface PaidSubmit {
  /** The expected error code for a job that is aborted after its request was sent and before the
   *  answer arrived. `cancelled`: the driver ends the work. `outcome_unknown`: the driver cannot
   *  know whether the upstream accepted the request. */
  aborted: 'cancelled' | 'outcome_unknown'
}

/** A part of the suite that does not apply to the driver, and the reason. The part then has no
 *  tests. */
export interface SkippedPart {
  leftOut: string
}
