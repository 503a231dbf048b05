import type { Family } from '../../contract/family.ts'
import type { NeedName, Needs } from '../../contract/needs/index.ts'
import type { Call } from '../call/call.ts'
import type { HttpDeps } from '../deps.ts'

/** The input of a provision. */
export interface CallScope {
  deps: HttpDeps
  family: Family
  call: Call
}

/** Creates one member of a handler's context; the member is named after the need. Runs at each use
 *  of the member, and never in a call that does not use it. */
export type Provision<Name extends NeedName> = (scope: CallScope) => Needs[Name]
