import type { Family } from '../../contract/family.ts'
import type { NeedName, Needs } from '../../contract/needs/index.ts'
import type { Call } from '../call/call.ts'
import type { HttpDeps } from '../deps.ts'

/** What a provision can be made of. */
export interface CallScope {
  deps: HttpDeps
  family: Family
  call: Call
}

/** Makes what stands in a handler's context under the name of the need. Runs at each use of it, and
 *  never in a call that does not use it. */
export type Provision<Name extends NeedName> = (scope: CallScope) => Needs[Name]
