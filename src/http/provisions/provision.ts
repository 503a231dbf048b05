import type { Family } from '../../contract/family.ts'
import type { NeedName, Needs } from '../../contract/needs/index.ts'
import type { Call } from '../call/call.ts'
import type { HttpDeps } from '../deps.ts'

/** The gateway's parts and the call, from which a provision is created. */
export interface CallScope {
  deps: HttpDeps
  family: Family
  call: Call
}

/** Creates the value of one need for a handler's context; the context has it as a member with
 *  the need's name. Runs each time the handler reads the member, and never for a call that does
 *  not read it. */
export type Provision<Name extends NeedName> = (scope: CallScope) => Needs[Name]
