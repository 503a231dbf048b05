/** How an operation is relayed: what of its dialect a relay has to know. All else of a body and of an answer passes as it is (docs/decisions/0021). */

import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'

export interface RelaySpec {
  /** The offer of a driver that it goes to (`Driver.relays`). */
  protocol: TextProtocol
  /** What targets are chosen for; its kind of failover holds between them. */
  capability: Capability
  /** An ordinary call may take the short way past the framework (docs/decisions/0007): nothing of its answer has to be stored before it goes out. */
  hasFastLane?: true
}
